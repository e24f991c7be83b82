/// The part of a feed that a client sees: all of it, some sections, or the first items.
public struct FeedView: Sendable, Hashable {
    /// The ids of the sections in the view, whose order is always the feed's; `nil`: all sections.
    public var sections: Set<ExactString>? {
        get { selection?.ids }
        set { selection = newValue.map(SectionSelection.init) }
    }

    /// The most items in the view, counted from the feed's first; `nil`: no limit.
    public var limit: Int?

    private var selection: SectionSelection?

    /// Makes a view; without arguments, the whole feed.
    public init(sections: Set<ExactString>? = nil, limit: Int? = nil) {
        self.limit = limit
        selection = sections.map(SectionSelection.init)
    }

    /// Whether the view is the whole feed.
    public var isWhole: Bool { selection == nil && limit == nil }
}

/// A set of section ids that all copies of a view share, and whose hash is computed once: a view is
/// looked up in many feeds.
private final class SectionSelection: Sendable, Hashable {
    let ids: Set<ExactString>
    private let number: Int

    init(_ ids: Set<ExactString>) {
        self.ids = ids
        number = ids.hashValue
    }

    static func == (left: SectionSelection, right: SectionSelection) -> Bool {
        left === right || left.number == right.number && left.ids == right.ids
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(number)
    }
}
