public import FeedModel

/// An update of a feed by the server.
public struct FeedEvent: Sendable {
    /// The feed.
    public let feed: Feed

    /// The effect on the feed's content.
    public let change: FeedChange

    /// The number of changes.
    public let counts: RefreshCounts

    /// The copy after the update.
    public let copy: FeedCopy

    /// The document that the server sent.
    public let document: ServedDocument

    /// Whether the feed was fetched again because a document did not fit.
    var isRecovery = false

    /// Whether the server did not know the epoch of the version that was held.
    var isOfAnotherEpoch: Bool {
        if case .replaced(reason: "epoch") = change { true } else { false }
    }
}
