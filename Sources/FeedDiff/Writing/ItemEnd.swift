import FeedModel

/// Where the first items of a list of sections end.
struct ItemEnd: Sendable, Equatable {
    /// How many items are before it.
    let count: Int
    /// The section that it is in: those before are shown with all their items, those behind with
    /// none.
    let section: Int
    /// How many items of ``section`` are before it.
    let index: Int

    /// The end of the first items; of all where there is no limit.
    init(of list: SectionList, limit: Int?) {
        let count = max(0, limit ?? .max)
        guard let end = list.position(ofItem: count) else {
            (self.count, section, index) = (list.itemCount, list.count, 0)
            return
        }
        (self.count, section, index) = (count, end.section, end.index)
    }

    /// Whether an item at a position is before it.
    func isBehind(_ position: ItemPosition) -> Bool {
        position < ItemPosition(section: section, index: index)
    }

    /// What of a section at a position is before it.
    func part(of items: ItemList, at position: Int) -> ItemList {
        if position < section || items.isEmpty { return items }
        return position == section && index > 0 ? items.prefix(list: index) : ItemList()
    }
}
