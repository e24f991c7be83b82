package import FeedModel

/// The pairs of sections and of items that two whole versions have in common, as numbers.
///
/// The pairs are computed once, and the changes in every view are derived from them.
///
/// A pairing takes 8 bytes for an item of either version, and 16 for a section, and does not hold
/// the versions.
package final class VersionPairing: Sendable {
    /// The pairs as seen from one of the two versions.
    struct Side {
        /// The number of each section's first item, counted from 0 in feed order; at the end the
        /// number of all items.
        fileprivate(set) var starts: [Int32]
        /// For each section, the number of the same section in the other version; -1 without one.
        fileprivate(set) var sections: [Int32]
        /// For each item by its number in feed order, the number of the same item in the other
        /// version; -1 without one.
        fileprivate(set) var items: [Int32]
    }

    let old: Side
    let new: Side
    /// The sections of the new version whose members differ, ascending.
    let changedSections: [Int32]
    /// The items of the new version that differ, ascending.
    let changedItems: [Int32]

    /// Pairs two whole versions.
    package convenience init(from old: Snapshot, to new: Snapshot) {
        var matching = SnapshotMatching(
            from: ViewedSnapshot(snapshot: old),
            to: ViewedSnapshot(snapshot: new),
            by: .identity
        )
        matching.matchUnmatched(by: .identity)
        matching.matchUnmatched(by: .id)
        self.init(matching, old: Side(of: old), new: Side(of: new))
    }

    private init(_ matching: SnapshotMatching, old: Side, new: Side) {
        var (old, new) = (old, new)
        var changedItems: [Int32] = []
        let looked = Dictionary(
            uniqueKeysWithValues: matching.newSections.enumerated().map { ($1.position, $0) }
        )
        for run in matching.sectionRuns {
            for offset in 0..<run.count {
                let (before, after) = (run.old + offset, run.new + offset)
                new.sections[after] = Int32(before)
                old.sections[before] = Int32(after)
                let (oldStart, newStart) = (Int(old.starts[before]), Int(new.starts[after]))
                func pair(_ run: ListRun) {
                    for item in 0..<run.count {
                        new.items[newStart + run.new + item] = Int32(oldStart + run.old + item)
                        old.items[oldStart + run.old + item] = Int32(newStart + run.new + item)
                    }
                }
                guard let number = looked[after] else {
                    // The items of a section that both versions share are the same.
                    pair(ListRun(old: 0, new: 0, count: new.count(ofSection: after)))
                    continue
                }
                let matcher = matching.newSections[number].matcher
                for run in matcher.runs { pair(run) }
                for pair in matcher.changedPairs where !pair.isEqual {
                    changedItems.append(Int32(newStart + pair.new))
                }
            }
        }
        VersionPairing.pairUnmatched(of: matching, &old, &new, changed: &changedItems)
        changedItems.sort()
        changedSections = matching.newSections.compactMap { section in
            guard let was = section.old?.section.members else { return nil }
            return section.section.members.edit(from: was).isEmpty ? nil : Int32(section.position)
        }
        (self.old, self.new, self.changedItems) = (old, new, changedItems)
    }

    /// Adds the pairs of items that the walk along the lists did not find, and adds new items that
    /// differ to `changed`.
    private static func pairUnmatched(
        of matching: SnapshotMatching,
        _ old: inout Side,
        _ new: inout Side,
        changed: inout [Int32]
    ) {
        let (before, after) = (matching.oldUnmatched, matching.newUnmatched)
        for (index, partner) in after.partners.enumerated() where partner >= 0 {
            let number = new.number(of: after.positions[index])
            let other = old.number(of: before.positions[Int(partner)])
            new.items[number] = Int32(other)
            old.items[other] = Int32(number)
            let (item, was) = (after.items[index], before.items[Int(partner)])
            if item !== was, item.json != was.json { changed.append(Int32(number)) }
        }
    }

    /// The approximate number of bytes of memory that the pairing takes.
    package var byteCount: Int {
        let counts = [old, new].map { $0.starts.count + $0.sections.count + $0.items.count }
        return 256 + 4 * (counts[0] + counts[1] + changedSections.count + changedItems.count)
    }
}

extension VersionPairing.Side {
    fileprivate init(of snapshot: Snapshot) {
        var starts: [Int32] = [0]
        starts.reserveCapacity(snapshot.list.count + 1)
        var count: Int32 = 0
        snapshot.list.forEachLeaf { leaf in
            let leaf = leaf.span
            for index in leaf.indices {
                count += Int32(leaf[index].element.items.count)
                starts.append(count)
            }
        }
        self.starts = starts
        sections = [Int32](repeating: -1, count: snapshot.list.count)
        items = [Int32](repeating: -1, count: Int(count))
    }

    func count(ofSection section: Int) -> Int { Int(starts[section + 1] - starts[section]) }

    fileprivate func number(of position: ItemPosition) -> Int {
        Int(starts[Int(position.section)] + position.index)
    }

    /// Returns the position of an item by its number in feed order.
    func position(ofItem number: Int) -> ItemPosition {
        // The search finds the last section that begins at or before the item; an empty section
        // begins where the next one does.
        let section = starts.partitioningIndex { $0 > Int32(number) } - 1
        return ItemPosition(section: section, index: number - Int(starts[section]))
    }
}

extension VersionPairing {
    /// Returns the fewest changes between the two versions in a view.
    ///
    /// The time depends on the shown part: a few nanoseconds for each item, and more for each
    /// change.
    ///
    /// - Parameters:
    ///   - oldVersion: The earlier of the two paired versions.
    ///   - newVersion: The later of the two paired versions.
    ///   - view: The view of both.
    func changes(
        from oldVersion: Snapshot,
        to newVersion: Snapshot,
        through view: FeedView
    ) -> PlacedChanges {
        var cut = PairedChanges(
            self,
            from: PairedView(old, of: oldVersion, through: view),
            to: PairedView(new, of: newVersion, through: view)
        )
        return cut.changes()
    }
}

/// Derives the changes in a view from a pairing.
private struct PairedChanges {
    private let pairing: VersionPairing
    private let old: PairedView
    private let new: PairedView
    private var result = PlacedChanges()
    /// The index of the move of each item of the new version, or -1; empty if no item moves.
    private var moves: [Int32] = []

    init(_ pairing: VersionPairing, from old: PairedView, to new: PairedView) {
        (self.pairing, self.old, self.new) = (pairing, old, new)
    }

    mutating func changes() -> PlacedChanges {
        result.feed = new.version.members.edit(from: old.version.members)
        addSections()
        for position in 0..<new.sectionCount { addItems(ofSection: position) }
        for position in 0..<old.sectionCount { addDepartures(ofSection: position) }
        return result
    }

    /// Returns the old position of the new section at a position.
    private func oldPosition(ofSection position: Int) -> Int? {
        old.position(ofSection: Int(pairing.new.sections[new.number(ofSection: position)]))
    }

    private mutating func addSections() {
        var same: [PlacedChanges.Pair<Int>] = []
        var changedNumbers = pairing.changedSections[...]
        var sections = (
            old: ListReader(old.viewed.base.list), new: ListReader(new.viewed.base.list)
        )
        for position in 0..<new.sectionCount {
            guard let before = oldPosition(ofSection: position) else {
                result.insertedSections.append(position)
                continue
            }
            let pair = PlacedChanges.Pair(old: before, new: position)
            same.append(pair)
            let number = new.number(ofSection: position)
            while let first = changedNumbers.first, first < number { changedNumbers.removeFirst() }
            let hasNewCount = hasNewCount(pair)
            guard changedNumbers.first == Int32(number) || hasNewCount else { continue }
            let section = sections.new.section(at: position)
            let members = sections.old.section(at: before).members
            result.updatedSections.append(
                PlacedChanges.SectionUpdate(
                    position: pair,
                    edit: section.members.edit(from: members),
                    fullCount: hasNewCount ? section.items.count : nil
                )
            )
        }
        let runs = same.map { ListRun(old: $0.old, new: $0.new, count: 1) }
        result.movedSections = zip(same, runs.longestIncreasingSubsequence).filter { !$1 }.map(\.0)
    }

    /// Returns whether the view shows a new full number of items of a section.
    private func hasNewCount(_ pair: PlacedChanges.Pair<Int>) -> Bool {
        new.viewed.total != nil
            && new.side.count(ofSection: new.number(ofSection: pair.new))
                != old.side.count(ofSection: old.number(ofSection: pair.old))
    }

    private mutating func addItems(ofSection position: Int) {
        let shown = new.items(ofSection: position)
        guard !shown.isEmpty else { return }
        let oldPosition = oldPosition(ofSection: position)
        let before = oldPosition.map(old.items(ofSection:)) ?? 0..<0
        var (inserted, moved, same): ([Int], [Int], [ListRun]) = ([], [], [])
        for number in shown {
            let partner = Int(pairing.new.items[number])
            if before.contains(partner) {
                same.add(old: partner, new: number - shown.lowerBound, count: 1)
            } else if old.shows(item: partner) {
                moved.append(number - shown.lowerBound)
            } else {
                inserted.append(number - shown.lowerBound)
            }
        }
        let isSorted = moved.isEmpty
        for (run, stays) in zip(same, same.longestIncreasingSubsequence) where !stays {
            moved += run.new..<run.new + run.count
        }
        if !isSorted { moved.sort() }
        note(moved, from: shown.lowerBound)
        // The old positions are filled in during the walk along the old sections.
        let unknown = ItemPosition(section: 0, index: 0)
        result.addItems(
            inserted: inserted,
            moved: moved.lazy.map { (old: unknown, index: $0) },
            toSection: position,
            from: oldPosition
        )
        addUpdates(shown)
    }

    /// Records the items that will move, by their numbers from a first one on.
    private mutating func note(_ moved: [Int], from first: Int) {
        guard !moved.isEmpty else { return }
        if moves.isEmpty { moves = [Int32](repeating: -1, count: pairing.new.items.count) }
        var move = Int32(result.movedItems.count)
        for index in moved {
            moves[first + index] = move
            move += 1
        }
    }

    /// Adds an old section if it was removed, or else its removed items, and fills in the old
    /// positions of moved items.
    private mutating func addDepartures(ofSection position: Int) {
        let partner = Int(pairing.old.sections[old.number(ofSection: position)])
        let stays = new.position(ofSection: partner) != nil
        if !stays { result.removedSections.append(position) }
        guard stays || !moves.isEmpty else { return }
        let items = old.items(ofSection: position)
        for number in items {
            let partner = Int(pairing.old.items[number])
            let itemPosition = ItemPosition(section: position, index: number - items.lowerBound)
            if partner >= 0, !moves.isEmpty, moves[partner] >= 0 {
                result.movedItems[Int(moves[partner])].old = itemPosition
                result.departures.append(moves[partner])
            } else if stays, !new.shows(item: partner) {
                result.removedItems.append(itemPosition)
            }
        }
    }

    /// Adds the items in a range of numbers whose values differ.
    private mutating func addUpdates(_ shown: Range<Int>) {
        let changed = pairing.changedItems
        var index = changed.partitioningIndex { $0 >= Int32(shown.lowerBound) }
        while index < changed.count, changed[index] < shown.upperBound {
            let number = Int(changed[index])
            index += 1
            let partner = Int(pairing.new.items[number])
            guard old.shows(item: partner) else { continue }
            result.updatedItems.append(
                .init(old: old.position(ofItem: partner), new: new.position(ofItem: number))
            )
        }
    }
}
