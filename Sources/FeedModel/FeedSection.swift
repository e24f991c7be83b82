/// A section of a feed: an id, members of its own (`title`, `index` …) and a list of items.
public struct FeedSection: Sendable {
    /// As an item's id; unique among the feed's sections.
    public internal(set) var id: ExactString

    /// All but `id`, `count` and `items`.
    public var members: Members

    /// The rows in order.
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
