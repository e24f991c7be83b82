package import FeedModel

extension Changes {
    /// Makes the fewest changes from one snapshot to another, both in the same view.
    ///
    /// The parts that both versions share are not compared, so the time grows with the differences,
    /// as after edits and after ``Snapshot/sharing(with:)``.
    package init(from old: ViewedSnapshot, to new: ViewedSnapshot) {
        self.init(PlacedChanges(from: old, to: new), from: old, to: new)
    }

    /// Makes the changes from their positions, with the ids and values of both snapshots.
    init(_ placed: PlacedChanges, from old: ViewedSnapshot, to new: ViewedSnapshot) {
        self.init()
        feed = placed.feed
        addSections(placed, from: old, to: new)
        addItems(placed, from: old, to: new)
    }

    private mutating func addSections(
        _ placed: PlacedChanges,
        from old: ViewedSnapshot,
        to new: ViewedSnapshot
    ) {
        var (before, after) = (ListReader(old.base.list), ListReader(new.base.list))
        removedSections = placed.removedSections.map { before.id(ofSection: $0) }
        insertedSections = placed.insertedSections.map { position in
            let section = after.section(at: position)
            return SectionInsertion(
                index: position,
                id: section.id,
                members: section.members,
                fullCount: new.fullCount(section.items, at: position)
            )
        }
        movedSections = placed.movedSections.map {
            SectionMove(index: $0.new, id: after.id(ofSection: $0.new))
        }
        updatedSections = placed.updatedSections.map { update in
            SectionUpdate(
                id: after.id(ofSection: update.position.new),
                edit: update.edit,
                fullCount: update.fullCount
            )
        }
    }

    private mutating func addItems(
        _ placed: PlacedChanges,
        from old: ViewedSnapshot,
        to new: ViewedSnapshot
    ) {
        var (before, after) = (ListReader(old.base.list), ListReader(new.base.list))
        removedItems = placed.removedItems.map { before.item(at: $0).id }
        insertedItems.reserveCapacity(placed.insertedItems.count)
        movedItems.reserveCapacity(placed.movedItems.count)
        for receiver in placed.receivers {
            let id = after.id(ofSection: receiver.new)
            for position in placed.insertedItems[receiver.insertedItems] {
                let (index, item) = (Int(position.index), after.item(at: position))
                insertedItems.append(ItemInsertion(section: id, index: index, item: item))
            }
            for pair in placed.movedItems[receiver.movedItems] {
                let (index, item) = (Int(pair.new.index), after.item(at: pair.new))
                movedItems.append(ItemMove(section: id, index: index, id: item.id))
            }
        }
        updatedItems = placed.updatedItems.map { pair in
            let item = after.item(at: pair.new)
            return ItemUpdate(id: item.id, edit: item.edit(from: before.item(at: pair.old)))
        }
    }
}
