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
        for left in matching.newLeft[section.left] {
            let index = Int(left.place.index)
            if left.partner < 0 {
                changes.insertedItems.append(
                    Changes.ItemInsertion(
                        section: section.section.id,
                        index: index,
                        item: left.item
                    )
                )
            } else if !isReordered(left) {
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

    /// The partner of an item that the walks left over.
    private func partner(of left: SnapshotMatching.Left) -> SnapshotMatching.Left? {
        left.partner < 0 ? nil : matching.oldLeft[Int(left.partner)]
    }

    /// Whether an item was in this section before, so that it may have to move within it.
    private func isReordered(_ left: SnapshotMatching.Left) -> Bool {
        guard let old = section.old, let partner = partner(of: left) else { return false }
        return Int(partner.place.section) == old.place
    }

    /// Adds the items outside one longest part in the old order.
    private func addReordered(to moved: inout [Int]) {
        let reordered = matching.newLeft[section.left].filter(isReordered)
        guard !reordered.isEmpty else { return }
        var runs = section.walk.runs
        for left in reordered {
            guard let partner = partner(of: left) else { continue }
            runs.append(
                ListRun(
                    old: Int(partner.place.index),
                    new: Int(left.place.index),
                    count: 1
                )
            )
        }
        runs.sort { $0.new < $1.new }
        for (run, stays) in zip(runs, runs.staying) where !stays {
            moved += run.new..<run.new + run.count
        }
    }

    /// Adds the items whose values differ, in the order of the section.
    private func addUpdates(to changes: inout Changes) {
        var pairs: [(new: Int, before: FeedItem, after: FeedItem)] = []
        for renewal in section.walk.renewals where !renewal.isEqual {
            pairs.append((renewal.new, renewal.before, renewal.after))
        }
        for left in matching.newLeft[section.left] {
            guard let partner = partner(of: left), partner.item !== left.item,
                partner.item.json != left.item.json
            else { continue }
            pairs.append((Int(left.place.index), partner.item, left.item))
        }
        pairs.sort { $0.new < $1.new }
        for pair in pairs {
            let edit = pair.after.members.edit(from: pair.before.members)
            changes.updatedItems.append(Changes.ItemUpdate(id: pair.after.id, edit: edit))
        }
    }
}
