package import FeedModel

extension Changes {
    /// Computes the fewest changes from one snapshot to another, both in the same view.
    ///
    /// Storage that both versions share is not compared, so the time depends only on the
    /// differences. Versions share storage after edits and after ``Snapshot/following(_:)``.
    package init(from old: ViewedSnapshot, to new: ViewedSnapshot) {
        self.init(SnapshotMatching(from: old, to: new))
    }

    /// Computes the fewest changes from one whole snapshot to another.
    package init(from old: Snapshot, to new: Snapshot) {
        self.init(from: ViewedSnapshot(snapshot: old), to: ViewedSnapshot(snapshot: new))
    }

    /// Makes the changes between two versions from their pairs of sections and items.
    init(_ matching: SnapshotMatching) {
        self.init()
        let placed = PlacedChanges(matching)
        var before = ListReader(matching.old.base.list)
        var after = ListReader(matching.new.base.list)
        feed = placed.feed
        addSections(placed, of: matching.new, &before, &after)
        addItems(placed, &before, &after)
    }

    private mutating func addSections(
        _ placed: PlacedChanges,
        of new: ViewedSnapshot,
        _ before: inout ListReader,
        _ after: inout ListReader
    ) {
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
        _ before: inout ListReader,
        _ after: inout ListReader
    ) {
        removedItems = placed.removedItems.map { before.item(at: $0).id }
        insertedItems = placed.insertedItems.map { position in
            let id = after.id(ofSection: Int(position.section))
            let item = after.item(at: position)
            return ItemInsertion(section: id, index: Int(position.index), item: item)
        }
        movedItems = placed.movedItems.map { pair in
            let id = after.id(ofSection: Int(pair.new.section))
            let item = after.item(at: pair.new)
            return ItemMove(section: id, index: Int(pair.new.index), id: item.id)
        }
        updatedItems = placed.updatedItems.map { pair in
            let item = after.item(at: pair.new)
            return ItemUpdate(id: item.id, edit: item.edit(from: before.item(at: pair.old)))
        }
    }
}

extension Changes {
    /// Returns the numbers of changed sections and items, including the items of inserted and
    /// removed sections.
    ///
    /// - Parameter old: The snapshot that the changes start from.
    /// - Returns: The numbers, as the response to a publish states them.
    package func counts(from old: Snapshot) -> ChangeCounts {
        var counts = ChangeCounts()
        counts.sections.inserted = insertedSections.count
        counts.sections.removed = removedSections.count
        counts.sections.moved = movedSections.count
        counts.sections.updated = updatedSections.count
        counts.items.inserted = insertedItems.count
        counts.items.removed = removedItems.count + goneWithSections(of: old).count
        counts.items.moved = movedItems.count
        counts.items.updated = updatedItems.count
        return counts
    }

    /// Returns the bytes of the items that were inserted, removed or updated, for the history's
    /// limit.
    ///
    /// - Parameter old: The snapshot that the changes start from; an updated item counts with its
    ///   size there.
    /// - Returns: The bytes of the items' JSON, and 96 for each object of a removed or updated one.
    package func weight(from old: Snapshot) -> Int {
        var weight = insertedItems.reduce(0) { $0 + $1.item.json.bytes.count }
        let gone = goneWithSections(of: old)
        weight += gone.byteCount + 96 * (gone.count + removedItems.count + updatedItems.count)
        let old = old.indexed()
        for id in removedItems { weight += old.item(id)?.byteCount ?? 0 }
        for update in updatedItems { weight += old.item(update.id)?.byteCount ?? 0 }
        return weight
    }

    /// Returns the number of items of removed sections that did not move to another section, and
    /// the bytes of their JSON.
    private func goneWithSections(of old: Snapshot) -> (count: Int, byteCount: Int) {
        guard !removedSections.isEmpty else { return (0, 0) }
        let old = old.indexed()
        let positions = Set(removedSections.compactMap(old.position(ofSection:)))
        var (count, byteCount) = (0, 0)
        for position in positions {
            count += old.list[position].items.count
            byteCount += old.list[position].items.byteCount
        }
        for move in movedItems {
            guard let position = old.position(ofItem: move.id),
                positions.contains(Int(position.section))
            else { continue }
            count -= 1
            byteCount -= old.list[position].byteCount
        }
        return (count, byteCount)
    }
}
