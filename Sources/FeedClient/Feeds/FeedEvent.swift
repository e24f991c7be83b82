public import FeedModel

/// Something new in a feed.
public struct FeedEvent: Sendable {
    /// The feed.
    public let feed: Feed

    /// What is new.
    public let news: FeedNews

    /// What is new in numbers.
    public let counts: RefreshCounts

    /// What the feed holds since then.
    public let copy: FeedCopy

    /// What the server sent.
    public let document: ServedDocument

    /// Whether something came before that did not fit.
    var isRecovery = false

    /// Whether the server knew nothing of the epoch that was held.
    var isOfAnotherEpoch: Bool {
        if case .replaced(reason: "epoch") = news { true } else { false }
    }
}
