/// What a feed holds and how it stands, at one moment.
public struct FeedUpdate: Sendable {
    /// What is held.
    public let copy: FeedCopy

    /// How it stands with the server.
    public let state: Feed.State

    /// How old what is held is.
    public let freshness: FeedFreshness

    /// What was wrong last; `nil` since it worked again.
    public let problem: FeedServiceError?

    /// How many items came above the reader's place.
    public let newAbove: Int

    /// How it stands with the rows after those that are held.
    public internal(set) var loadMoreState = Feed.LoadMoreState.idle

    /// Whether what is kept on disk was read by then.
    var isLoaded = true

    /// The updates of the feed until then: one that is read late may be of before another.
    var number = 0
}
