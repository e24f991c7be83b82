package import FeedModel

/// The pairs of sections and of items that two whole versions have in common, as numbers: they are
/// found once, and the changes in every view are derived from them.
///
/// A pairing takes 8 bytes for an item of either version, and 16 for a section. It does not hold
/// the versions.
package final class VersionPairing: Sendable {
    /// The numbers of one of the two versions.
    struct Side {
        /// The number in feed order of each section's first item; at the end the number of all
        /// items.
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
        VersionPairing.pairUnmatched(matching, &old, &new, &changedItems)
        changedItems.sort()
        changedSections = matching.newSections.compactMap { section in
            guard let was = section.old?.section.members else { return nil }
            return section.section.members.edit(from: was).isEmpty ? nil : Int32(section.position)
        }
        (self.old, self.new, self.changedItems) = (old, new, changedItems)
    }

    /// Pairs the items that the walk did not pair, and adds the numbers of new ones that differ to
    /// `changed`.
    private static func pairUnmatched(
        _ matching: SnapshotMatching,
        _ old: inout Side,
        _ new: inout Side,
        _ changed: inout [Int32]
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
