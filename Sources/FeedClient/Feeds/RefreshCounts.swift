import FeedDiff
public import FeedModel

/// The result of a refresh in numbers.
public struct RefreshCounts: Sendable, Hashable {
    /// How many items came, went, changed their place and differ, with those of sections that came
    /// or went.
    public internal(set) var inserted = 0, removed = 0, moved = 0, updated = 0

    /// Whether all was taken anew, so that the numbers are not known.
    public internal(set) var isReplaced = false

    /// Whether the feed is gone.
    public internal(set) var isMissing = false

    /// Counts the changes in news.
    ///
    /// - Parameters:
    ///   - news: The news of the feed.
    ///   - old: The content that was held before.
    public init(_ news: FeedNews, from old: Snapshot = Snapshot()) {
        switch news {
        case .nothing: break
        case .gone: isMissing = true
        case .replaced: isReplaced = true
        case .changes(let changes):
            let counts = changes.counts(from: old).items
            inserted = counts.inserted
            removed = counts.removed
            moved = counts.moved
            updated = counts.updated
        }
    }

    /// Whether nothing is new.
    public var isUnchanged: Bool { self == RefreshCounts(.nothing) }
}
