public import FeedModel

/// The copy and the state of a feed at one moment.
public struct FeedUpdate: Sendable {
    /// The copy that is held.
    public let copy: FeedCopy

    /// How it stands with the server.
    public let state: Feed.State

    /// The age of that copy.
    public let freshness: FeedFreshness

    /// The last problem; `nil` since requests worked again.
    public let problem: FeedServiceError?

    /// The ids of items that came above the reader's place, are still there, and were not reached
    /// since.
    public internal(set) var unseenAbove: Set<ExactString> = []

    /// The number of items in ``unseenAbove``.
    public var newAbove: Int { unseenAbove.count }

    /// How it stands with the rows after those that are held.
    public internal(set) var loadMoreState = Feed.LoadMoreState.idle

    /// Whether the copy on disk was read by then.
    var isLoaded = true

    /// The updates of the feed until then: one that is read late may be of before another.
    var number = 0
}
