package import FeedModel
package import FeedStore

/// What the routes are told of the feeds that have a source.
package protocol SourceDirectory: Sendable {
    /// Whether a feed has a source, and so takes no publishes.
    func isSourced(_ feed: FeedName) -> Bool

    /// Has a feed's source fetched now; requests at the same time share it.
    func refresh(_ feed: FeedName, completion: @escaping @Sendable (SourceRefresh) -> Void)

    /// What there is to say of a feed's source; `nil`: it has none.
    func report(on feed: FeedName) -> SourceReport?

    /// What there is to say of the first sources after a feed's name, by the names of their feeds.
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
}

/// What became of a refresh.
package enum SourceRefresh: Sendable {
    case published(Publication)
    /// The source says that it is the same.
    case unchanged
    /// The source has asked for a pause, for so many seconds more.
    case paused(seconds: Int)
    /// In words.
    case failed(String)
}

/// What those who may write a feed see of its source.
package struct SourceReport: Sendable {
    package let location: String
    /// Seconds since 1970 when it was last read; 0: never.
    package let succeeded: Int
    package let error: String?
    package let failureCount: Int
    /// When it is tried next.
    package let next: Int?

    package init(
        location: String,
        succeeded: Int,
        error: String?,
        failureCount: Int,
        next: Int?
    ) {
        self.location = location
        self.succeeded = succeeded
        self.error = error
        self.failureCount = failureCount
        self.next = next
    }
}
