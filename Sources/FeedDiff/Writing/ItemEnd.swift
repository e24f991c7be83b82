import FeedModel

/// The position at which the first items of a list of sections end.
struct ItemEnd: Sendable, Equatable {
    /// The number of items before the end.
    let count: Int
    /// The section that contains the end: sections before it are shown with all items, sections
    /// after it with none.
    let section: Int
    /// The number of items of ``section`` before the end.
    let index: Int

    /// Makes the end of the first `limit` items; of all items without a limit.
    init(of list: SectionList, limit: Int?) {
        let count = max(0, limit ?? .max)
        guard let end = list.position(ofItem: count) else {
            (self.count, section, index) = (list.itemCount, list.count, 0)
            return
        }
        (self.count, section, index) = (count, end.section, end.index)
    }

    /// Returns whether the end is behind the item at a position.
    func isBehind(_ position: ItemPosition) -> Bool {
        position < ItemPosition(section: section, index: index)
    }

    /// Returns the items of a section at a position that are before the end.
    func part(of items: ItemList, at position: Int) -> ItemList {
        if position < section || items.isEmpty { return items }
        return position == section && index > 0 ? items.prefix(list: index) : ItemList()
    }
}
