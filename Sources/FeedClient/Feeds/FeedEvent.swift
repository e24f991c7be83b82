public import FeedModel

/// Something new in a feed.
public struct FeedEvent: Sendable {
    /// The feed.
    public let feed: Feed

    /// The news of the feed.
    public let news: FeedNews

    /// The numbers of its changes.
    public let counts: RefreshCounts

    /// The copy that the feed holds since then.
    public let copy: FeedCopy

    /// The document that the server sent.
    public let document: ServedDocument

    /// Whether something came before that did not fit.
    var isRecovery = false

    /// Whether the server knew nothing of the epoch that was held.
    var isOfAnotherEpoch: Bool {
        if case .replaced(reason: "epoch") = news { true } else { false }
    }
}
