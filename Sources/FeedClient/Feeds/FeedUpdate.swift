public import FeedModel

/// The copy and the state of a feed at one moment.
public struct FeedUpdate: Sendable {
    /// The content, with its version.
    public internal(set) var copy: FeedCopy

    /// The state of the connection to the server.
    public internal(set) var state = Feed.State.idle

    /// The origin and the age of the content.
    public internal(set) var freshness = FeedFreshness.neverLoaded

    /// The error of the last request; `nil` after a success.
    public internal(set) var problem: FeedServiceError?

    /// The ids of items that were inserted above the first visible row, still exist, and were not
    /// reached since; empty at the top of the list.
    public internal(set) var unseenAbove: Set<ExactString> = []

    /// The number of items in ``unseenAbove``.
    public var newAbove: Int { unseenAbove.count }

    /// The state of the last request for further rows.
    public internal(set) var loadMoreState = Feed.LoadMoreState.idle

    /// Whether the feed had been read from the cache, or there is no cache.
    var isLoaded = true

    /// The number of the update; an update that arrives after one with a higher number is outdated.
    var number = 0
}
