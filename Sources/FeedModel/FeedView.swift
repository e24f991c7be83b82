/// What part of a feed a client sees: all of it, some sections, or the first items.
public struct FeedView: Sendable, Hashable {
    /// The sections to keep, in the feed's order whatever the order here; `nil`: all.
    public var sections: Set<ExactString>?

    /// The number of items to keep, from the first; `nil`: all.
    public var limit: Int?

    /// Makes a view; without arguments, the whole feed.
    public init(sections: Set<ExactString>? = nil, limit: Int? = nil) {
        self.sections = sections
        self.limit = limit
    }

    /// Whether it shows all of a feed.
    public var isWhole: Bool { sections == nil && limit == nil }
}
