/// What part of a feed a client sees: all of it, some sections, or the first items.
public struct FeedView: Sendable {
    /// The sections to keep, in the feed's order whatever the order here; `nil`: all.
    public var sections: Set<ExactString>? {
        get { selection?.ids }
        set { selection = newValue.map(SectionSelection.init) }
    }

    /// The number of items to keep, from the first; `nil`: all.
    public var limit: Int?

    private var selection: SectionSelection?

    /// Makes a view; without arguments, the whole feed.
    public init(sections: Set<ExactString>? = nil, limit: Int? = nil) {
        self.limit = limit
        selection = sections.map(SectionSelection.init)
    }

    /// Whether it shows all of a feed.
    public var isWhole: Bool { selection == nil && limit == nil }
}

extension FeedView: Hashable {
    /// The same limit and the same sections.
    public static func == (left: FeedView, right: FeedView) -> Bool {
        left.limit == right.limit && left.selection == right.selection
    }

    /// Hashes the limit, and the sections by a number that is made once for all copies of a view.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(limit)
        hasher.combine(selection)
    }
}

/// Sections' ids, shared by all copies of a view and hashed once: one view is looked for in many
/// feeds.
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
