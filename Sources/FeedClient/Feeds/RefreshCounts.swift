import FeedDiff
public import FeedModel

/// The number of changes that a refresh brought.
public struct RefreshCounts: Sendable, Hashable {
    /// The numbers of inserted, removed, moved and updated items, including those of inserted and
    /// removed sections.
    public internal(set) var inserted = 0, removed = 0, moved = 0, updated = 0

    /// Whether a snapshot replaced the content, so that the numbers are unknown.
    public internal(set) var isReplaced = false

    /// Whether the feed is gone.
    public internal(set) var isMissing = false

    /// Counts the changes of an update.
    ///
    /// - Parameters:
    ///   - change: The effect of the update on the content.
    ///   - old: The content before.
    public init(_ change: FeedChange, from old: Snapshot = Snapshot()) {
        switch change {
        case .unchanged: break
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

    /// Whether nothing has changed.
    public var isUnchanged: Bool { self == RefreshCounts(.unchanged) }
}
