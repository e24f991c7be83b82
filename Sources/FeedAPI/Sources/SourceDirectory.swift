package import FeedModel
package import FeedStore

/// The feeds that have a source, as the routes see them.
package protocol SourceDirectory: Sendable {
    /// Whether a feed has a source, and so takes no publishes.
    func isSourced(_ feed: FeedName) -> Bool

    /// Has a feed's source fetched now; requests at the same time share it.
    ///
    /// - Parameters:
    ///   - feed: The feed.
    ///   - mayRemoveAny: Whether the feed's guard does not count.
    ///   - completion: Gets what became of it.
    func refresh(
        _ feed: FeedName,
        mayRemoveAny: Bool,
        completion: @escaping @Sendable (SourceRefresh) -> Void
    )

    /// Returns the state of a feed's source; `nil`: it has none.
    func report(on feed: FeedName) -> SourceReport?

    /// Returns the states of the first sources after a feed's name, in the order of their feeds'
    /// names.
    ///
    /// - Parameters:
    ///   - name: The UTF-8 of a name or of anything else.
    ///   - prefix: How the names begin.
    ///   - limit: The most sources to find.
    ///   - onlyFailing: Whether those that could be read at their last try are left out.
    func page(
        after name: [UInt8],
        prefix: [UInt8],
        limit: Int,
        onlyFailing: Bool
    ) -> [(feed: FeedName, report: SourceReport)]

    /// How many sources there are, and how many of them could not be read at their last try.
    var counts: (all: Int, failing: Int) { get }

    /// Whether a hub pushes to an address.
    func isSubscriber(_ id: String) -> Bool

    /// Whether a hub was asked for what it asks about.
    func verifyPush(_ id: String, _ question: SourceHubQuestion) -> Bool

    /// Takes a push from a hub.
    ///
    /// - Returns: Whether its signature is right; otherwise it is ignored (W3C WebSub §7.1).
    @discardableResult
    func receivePush(_ id: String, _ body: [UInt8], signature: String?) -> Bool
}

/// Without hubs.
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

/// The result of a refresh.
package enum SourceRefresh: Sendable {
    case published(Publication)
    /// The source says that it is the same.
    case unchanged
    /// The source has asked for a pause, for so many seconds more.
    case paused(seconds: Int)
    /// The feed's guard refused to remove so many items.
    case guarded(RemovalGuard.Trip)
    /// In words.
    case failed(String)
}
