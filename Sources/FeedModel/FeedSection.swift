/// A section of a feed: an id, its own members (`title`, `index` …) and a list of items.
public struct FeedSection: Sendable {
    /// The id, in the form of an item's id; unique among the feed's sections.
    public internal(set) var id: ExactString

    /// The members except `id`, `count` and `items`.
    public var members: Members

    /// The items in order.
    public var items: ItemList

    /// Makes a section.
    public init(
        id: ExactString,
        members: Members = Members(),
        items: some Sequence<FeedItem> = ItemList()
    ) {
        self.id = id
        self.members = members
        self.items = ItemList(items)
    }
}
