extension Changes {
    /// What they come to, with the items of sections that came or went.
    ///
    /// - Parameter old: What the changes start from.
    /// - Returns: The numbers that a publisher is told.
    package func counts(from old: Snapshot) -> ChangeCounts {
        var counts = ChangeCounts()
        counts.sections.inserted = insertedSections.count
        counts.sections.removed = removedSections.count
        counts.sections.moved = movedSections.count
        counts.sections.updated = updatedSections.count
        counts.items.inserted = insertedItems.count
        counts.items.removed = removedItems.count + itemsGoneWithSections(of: old).count
        counts.items.moved = movedItems.count
        counts.items.updated = updatedItems.count
        return counts
    }

    /// Bytes of the items that came, went or differ, for the history's limit.
    ///
    /// - Parameter old: What the changes start from; an item that differs counts as it was there.
    /// - Returns: The bytes of their JSON.
    package func weight(from old: Snapshot) -> Int {
        var weight = insertedItems.reduce(0) { $0 + $1.item.json.bytes.count }
        weight += itemsGoneWithSections(of: old).reduce(0) { $0 + $1.json.bytes.count }
        let old = old.indexed()
        for id in removedItems { weight += old.item(id)?.byteCount ?? 0 }
        for update in updatedItems { weight += old.item(update.id)?.byteCount ?? 0 }
        return weight
    }

    /// The items of removed sections that did not move to another.
    private func itemsGoneWithSections(of old: Snapshot) -> [Item] {
        guard !removedSections.isEmpty else { return [] }
        let moved = Set(movedItems.lazy.map(\.id))
        return removedSections.flatMap { id in
            let place = old.place(ofSection: id)
            return place.map { old.list[$0].items.filter { !moved.contains($0.id) } } ?? []
        }
    }
}
