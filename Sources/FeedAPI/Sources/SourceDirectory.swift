package import FeedModel
package import FeedStore

/// The sources from which the server fetches the content of some feeds, as the API uses them.
package protocol SourceDirectory: Sendable {
    /// Returns whether a feed has a source, and so accepts no publishes.
    func isSourced(_ feed: FeedName) -> Bool

    /// Fetches a feed's source now; simultaneous calls share one fetch.
    ///
    /// - Parameters:
    ///   - mayRemoveAny: Whether the feed's ``RemovalGuard`` is ignored.
    ///   - completion: Receives the result; `nil` if the source has no new content.
    func refresh(
        _ feed: FeedName,
        mayRemoveAny: Bool,
        completion: @escaping @Sendable (Result<Publication?, SourceRefusal>) -> Void
    )

    /// Returns the state of a feed's source; `nil` if the feed has none.
    func report(on feed: FeedName) -> SourceReport?

    /// Returns the states of sources, in the order of their feeds' names.
    ///
    /// - Parameters:
    ///   - name: The UTF-8 text after which the names begin; it need not be a feed's name.
    ///   - onlyFailing: Whether to return only sources whose last fetch failed.
    func page(
        after name: [UInt8],
        prefix: [UInt8],
        limit: Int,
        onlyFailing: Bool
    ) -> [(feed: FeedName, report: SourceReport)]

    /// The number of sources, and the number of those whose last fetch failed.
    var counts: (all: Int, failing: Int) { get }

    /// Returns whether the last segment of a path `/websub/{id}` names a subscription to a hub (W3C
    /// WebSub).
    func isSubscriber(_ id: String) -> Bool

    /// Returns whether a hub's question is about a subscription that this server has asked for.
    func verifyPush(_ id: String, _ question: SourceHubQuestion) -> Bool

    /// Receives a push from a hub.
    ///
    /// - Parameters:
    ///   - id: The id of the subscription.
    ///   - signature: The value of X-Hub-Signature; `nil` without the field.
    /// - Returns: Whether the signature is right; otherwise the push is ignored (W3C WebSub §7.1).
    @discardableResult
    func receivePush(_ id: String, _ body: [UInt8], signature: String?) -> Bool
}

/// The question by which a hub verifies a subscriber's intent (W3C WebSub §5.3).
package struct SourceHubQuestion: Codable, Sendable {
    /// The value of `hub.mode`: `subscribe`, `unsubscribe` or `denied`.
    package var mode: String
    /// The address of the source.
    package var topic: String
    /// The time for which the hub will push, in seconds; `nil` if the hub does not state it.
    package var leaseSeconds: Int?
    /// The reason why the hub denies a subscription, if it states one; at most 200 characters.
    package var reason: String?

    package init(mode: String, topic: String, leaseSeconds: Int? = nil, reason: String? = nil) {
        self.mode = mode
        self.topic = topic
        self.leaseSeconds = leaseSeconds
        self.reason = reason
    }
}
