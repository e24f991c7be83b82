package import FeedModel
package import FeedStore

/// The feeds that have a source, as the routes see them.
package protocol SourceDirectory: Sendable {
    /// Returns whether a feed has a source, and so accepts no publishes.
    func isSourced(_ feed: FeedName) -> Bool

    /// Has a feed's source fetched now; simultaneous requests share one fetch.
    ///
    /// - Parameters:
    ///   - feed: The feed.
    ///   - mayRemoveAny: Whether the feed's guard is ignored.
    ///   - completion: Receives the result; without a publication, the source has no new content.
    func refresh(
        _ feed: FeedName,
        mayRemoveAny: Bool,
        completion: @escaping @Sendable (Result<Publication?, SourceRefusal>) -> Void
    )

    /// Returns the state of a feed's source; `nil`: it has none.
    func report(on feed: FeedName) -> SourceReport?

    /// Returns the states of sources, in the order of their feeds' names.
    ///
    /// - Parameters:
    ///   - name: The UTF-8 text after which the names begin, which need not be a feed's name.
    ///   - prefix: The prefix of the names.
    ///   - limit: The most sources to return.
    ///   - onlyFailing: Whether to return only sources whose last fetch failed.
    func page(
        after name: [UInt8],
        prefix: [UInt8],
        limit: Int,
        onlyFailing: Bool
    ) -> [(feed: FeedName, report: SourceReport)]

    /// The number of sources, and the number of those whose last fetch failed.
    var counts: (all: Int, failing: Int) { get }

    /// Returns whether an id is that of a subscription to a hub.
    func isSubscriber(_ id: String) -> Bool

    /// Returns whether a hub's question is about a subscription that the server has asked for.
    func verifyPush(_ id: String, _ question: SourceHubQuestion) -> Bool

    /// Receives a push from a hub.
    ///
    /// - Returns: Whether the signature is right; otherwise the push is ignored (W3C WebSub §7.1).
    @discardableResult
    func receivePush(_ id: String, _ body: [UInt8], signature: String?) -> Bool
}

/// The default of a directory without hubs.
extension SourceDirectory {
    package func isSubscriber(_ id: String) -> Bool { false }
    package func verifyPush(_ id: String, _ question: SourceHubQuestion) -> Bool { false }
    package func receivePush(_ id: String, _ body: [UInt8], signature: String?) -> Bool { false }
}

/// The question that a hub asks of a subscriber (W3C WebSub §5.3).
package struct SourceHubQuestion: Codable, Sendable {
    package var mode: String
    package var topic: String
    package var leaseSeconds: Int?
    package var reason: String?

    package init(mode: String, topic: String, leaseSeconds: Int? = nil, reason: String? = nil) {
        self.mode = mode
        self.topic = topic
        self.leaseSeconds = leaseSeconds
        self.reason = reason
    }
}
