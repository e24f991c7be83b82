import FeedModel

/// The changes of the items that stand in one section of a new version.
struct SectionChanges {
    private let matching: SnapshotMatching
    private let section: SnapshotMatching.NewSection

    init(_ matching: SnapshotMatching, _ section: SnapshotMatching.NewSection) {
        self.matching = matching
        self.section = section
    }

    /// Adds them at the end of the lists of `changes`.
    func add(to changes: inout Changes) {
        let id = section.section.id
        var moved: [Int] = []
        var reordered: [ListRun] = []
        let (unmatched, old) = (matching.newUnmatched, matching.oldUnmatched)
        for number in section.unmatched {
            let index = Int(unmatched.positions[number].index)
            let partner = Int(unmatched.partners[number])
            if partner < 0 {
                let item = unmatched.items[number]
                changes.insertedItems.append(
                    Changes.ItemInsertion(section: id, index: index, item: item)
                )
            } else if Int(old.positions[partner].section) == section.old?.position {
                let before = Int(old.positions[partner].index)
                reordered.append(ListRun(old: before, new: index, count: 1))
            } else {
                moved.append(index)
            }
        }
        addMoves(reordered, to: &moved)
        addMoves(moved, to: &changes)
        addUpdates(to: &changes)
    }

    /// Adds the items outside one longest part in the old order.
    ///
    /// - Parameters:
    ///   - reordered: The unmatched items that were in this section before, ascending.
    ///   - moved: Gets the positions of those that move.
    private func addMoves(_ reordered: [ListRun], to moved: inout [Int]) {
        guard !reordered.isEmpty else { return }
        var runs = reordered
        if !section.matcher.runs.isEmpty {
            runs += section.matcher.runs
            runs.sort { $0.new < $1.new }
        }
        for (run, stays) in zip(runs, runs.longestIncreasingSubsequence) where !stays {
            moved += run.new..<run.new + run.count
        }
    }

    private func addMoves(_ moved: [Int], to changes: inout Changes) {
        let items = section.section.items
        var leaf = (entries: ContiguousArray<TreeEntry<FeedItem>>(), start: 0)
        for index in moved.sorted() {
            if !leaf.entries.indices.contains(index - leaf.start) {
                leaf = items.leaf(around: index)
            }
            changes.movedItems.append(
                Changes.ItemMove(
                    section: section.section.id,
                    index: index,
                    id: leaf.entries[index - leaf.start].element.id
                )
            )
        }
    }

    /// Adds the items whose values differ, in the order of the section.
    private func addUpdates(to changes: inout Changes) {
        var pairs: [(new: Int, before: FeedItem, after: FeedItem)] = []
        for pair in section.matcher.changedPairs where !pair.isEqual {
            pairs.append((pair.new, pair.before, pair.after))
        }
        let (unmatched, old) = (matching.newUnmatched, matching.oldUnmatched)
        let (items, olds) = (unmatched.items.span, old.items.span)
        for number in section.unmatched {
            let partner = Int(unmatched.partners[number])
            guard partner >= 0, olds[partner] !== items[number] else { continue }
            let (before, after) = (olds[partner], items[number])
            guard before.json != after.json else { continue }
            pairs.append((Int(unmatched.positions[number].index), before, after))
        }
        pairs.sort { $0.new < $1.new }
        for pair in pairs {
            let edit = pair.after.edit(from: pair.before)
            changes.updatedItems.append(Changes.ItemUpdate(id: pair.after.id, edit: edit))
        }
    }
}
