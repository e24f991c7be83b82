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
        var ids = Set(removedItems)
        ids.formUnion(updatedItems.lazy.map(\.id))
        for section in old.sections {
            for item in section.items {
                // Most publishes touch a few items only: stop at the last.
                guard !ids.isEmpty else { return weight }
                if ids.remove(item.id) != nil { weight += item.json.bytes.count }
            }
        }
        return weight
    }

    /// The items of removed sections that did not move to another.
    private func itemsGoneWithSections(of old: Snapshot) -> [Item] {
        guard !removedSections.isEmpty else { return [] }
        let removed = Set(removedSections)
        let moved = Set(movedItems.lazy.map(\.id))
        var gone: [Item] = []
        for section in old.sections where removed.contains(section.id) {
            gone += section.items.lazy.filter { !moved.contains($0.id) }
        }
        return gone
    }
}
