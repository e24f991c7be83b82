import FeedModel

extension VersionPairing {
    /// Returns the fewest changes between the two versions in a view.
    ///
    /// The time grows with the shown part: a few nanoseconds for each item, and more for each
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
        let stays = same.map { Int32($0.old) }.longestIncreasingSubsequence
        result.movedSections = zip(same, stays).filter { !$1 }.map(\.0)
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
        var (inserted, moved, same): ([Int], [Int], [Int32]) = ([], [], [])
        var places: [Int32] = []
        for number in shown {
            let partner = Int(pairing.new.items[number])
            if before.contains(partner) {
                same.append(Int32(number - shown.lowerBound))
                places.append(Int32(partner))
            } else if old.shows(item: partner) {
                moved.append(number - shown.lowerBound)
            } else {
                inserted.append(number - shown.lowerBound)
            }
        }
        let isSorted = moved.isEmpty
        for (index, stays) in zip(same, places.longestIncreasingSubsequence) where !stays {
            moved.append(Int(index))
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

    /// Adds an old section if it was removed, or else its removed items.
    ///
    /// The old positions of moved items are filled in here too.
    private mutating func addDepartures(ofSection position: Int) {
        let partner = Int(pairing.old.sections[old.number(ofSection: position)])
        let stays = new.position(ofSection: partner) != nil
        if !stays { result.removedSections.append(position) }
        guard stays || !moves.isEmpty else { return }
        let items = old.items(ofSection: position)
        for number in items {
            let partner = Int(pairing.old.items[number])
            let place = ItemPosition(section: position, index: number - items.lowerBound)
            if partner >= 0, !moves.isEmpty, moves[partner] >= 0 {
                result.movedItems[Int(moves[partner])].old = place
                result.departures.append(moves[partner])
            } else if stays, !new.shows(item: partner) {
                result.removedItems.append(place)
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
                PlacedChanges.Pair(old: old.place(ofItem: partner), new: new.place(ofItem: number))
            )
        }
    }
}
