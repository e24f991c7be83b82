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
        var moved: [Int] = []
        for unmatched in matching.newUnmatched[section.unmatched] {
            let index = Int(unmatched.position.index)
            if unmatched.partner < 0 {
                changes.insertedItems.append(
                    Changes.ItemInsertion(
                        section: section.section.id,
                        index: index,
                        item: unmatched.item
                    )
                )
            } else if !isReordered(unmatched) {
                moved.append(index)
            }
        }
        addReordered(to: &moved)
        for index in moved.sorted() {
            changes.movedItems.append(
                Changes.ItemMove(
                    section: section.section.id,
                    index: index,
                    id: section.section.items[index].id
                )
            )
        }
        addUpdates(to: &changes)
    }

    /// The partner of an unmatched item.
    private func partner(of unmatched: SnapshotMatching.Unmatched) -> SnapshotMatching.Unmatched? {
        unmatched.partner < 0 ? nil : matching.oldUnmatched[Int(unmatched.partner)]
    }

    /// Whether an item was in this section before, so that it may have to move within it.
    private func isReordered(_ unmatched: SnapshotMatching.Unmatched) -> Bool {
        guard let old = section.old, let partner = partner(of: unmatched) else { return false }
        return Int(partner.position.section) == old.position
    }

    /// Adds the items outside one longest part in the old order.
    private func addReordered(to moved: inout [Int]) {
        let reordered = matching.newUnmatched[section.unmatched].filter(isReordered)
        guard !reordered.isEmpty else { return }
        var runs = section.matcher.runs
        for unmatched in reordered {
            guard let partner = partner(of: unmatched) else { continue }
            runs.append(
                ListRun(
                    old: Int(partner.position.index),
                    new: Int(unmatched.position.index),
                    count: 1
                )
            )
        }
        runs.sort { $0.new < $1.new }
        for (run, stays) in zip(runs, runs.longestIncreasingSubsequence) where !stays {
            moved += run.new..<run.new + run.count
        }
    }

    /// Adds the items whose values differ, in the order of the section.
    private func addUpdates(to changes: inout Changes) {
        var pairs: [(new: Int, before: FeedItem, after: FeedItem)] = []
        for pair in section.matcher.changedPairs where !pair.isEqual {
            pairs.append((pair.new, pair.before, pair.after))
        }
        for unmatched in matching.newUnmatched[section.unmatched] {
            guard let partner = partner(of: unmatched), partner.item !== unmatched.item,
                partner.item.json != unmatched.item.json
            else { continue }
            pairs.append((Int(unmatched.position.index), partner.item, unmatched.item))
        }
        pairs.sort { $0.new < $1.new }
        for pair in pairs {
            let edit = pair.after.members.edit(from: pair.before.members)
            changes.updatedItems.append(Changes.ItemUpdate(id: pair.after.id, edit: edit))
        }
    }
}
