import FeedModel

/// The changes of the items in one section of a new version.
struct SectionChanges {
    /// The indices in the section of inserted items, ascending.
    private(set) var inserted: [Int] = []
    /// The old positions of moved items, with their indices in the section, which ascend.
    private(set) var moved: [(old: ItemPosition, index: Int)] = []
    /// The items whose values differ, in the order of the section.
    private(set) var updated: [PlacedChanges.Pair<ItemPosition>] = []

    private let matching: SnapshotMatching
    private let section: SnapshotMatching.NewSection

    init(_ matching: SnapshotMatching, _ section: SnapshotMatching.NewSection) {
        self.matching = matching
        self.section = section
        var reordered: [ListRun] = []
        let (unmatched, old) = (matching.newUnmatched, matching.oldUnmatched)
        for number in section.unmatched {
            let index = Int(unmatched.positions[number].index)
            let partner = Int(unmatched.partners[number])
            if partner < 0 {
                inserted.append(index)
            } else if Int(old.positions[partner].section) == section.old?.position {
                let before = Int(old.positions[partner].index)
                reordered.append(ListRun(old: before, new: index, count: 1))
            } else {
                moved.append((old.positions[partner], index))
            }
        }
        addMoves(reordered)
        addUpdates()
    }

    /// Adds the items outside one longest subsequence in the old order.
    ///
    /// - Parameter reordered: The unmatched items that were in this section before, ascending.
    private mutating func addMoves(_ reordered: [ListRun]) {
        guard let before = section.old?.position, !reordered.isEmpty else { return }
        var runs = reordered
        if !section.matcher.runs.isEmpty {
            runs += section.matcher.runs
            runs.sort { $0.new < $1.new }
        }
        let isAlone = moved.isEmpty
        for (run, stays) in zip(runs, runs.longestIncreasingSubsequence) where !stays {
            for offset in 0..<run.count {
                let old = ItemPosition(section: before, index: run.old + offset)
                moved.append((old, run.new + offset))
            }
        }
        if !isAlone { moved.sort { $0.index < $1.index } }
    }

    private mutating func addUpdates() {
        let before = section.old?.position ?? 0
        for pair in section.matcher.changedPairs where !pair.isEqual {
            addUpdate(from: ItemPosition(section: before, index: pair.old), to: pair.new)
        }
        let isAlone = updated.isEmpty
        let (unmatched, old) = (matching.newUnmatched, matching.oldUnmatched)
        let (items, olds) = (unmatched.items.span, old.items.span)
        for number in section.unmatched {
            let partner = Int(unmatched.partners[number])
            guard partner >= 0, olds[partner] !== items[number],
                olds[partner].json != items[number].json
            else { continue }
            addUpdate(from: old.positions[partner], to: Int(unmatched.positions[number].index))
        }
        if !isAlone { updated.sort { $0.new < $1.new } }
    }

    private mutating func addUpdate(from old: ItemPosition, to index: Int) {
        let new = ItemPosition(section: section.position, index: index)
        updated.append(PlacedChanges.Pair(old: old, new: new))
    }
}
