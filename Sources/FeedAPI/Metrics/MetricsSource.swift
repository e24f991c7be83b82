package import HTTPServer

/// Where the figures of a server come from.
package protocol MetricsSource: AnyObject, Sendable {
    /// Gathers all figures as of now.
    ///
    /// - Parameter completion: Called once, on any thread.
    func collect(_ completion: @escaping @Sendable ([MetricFamily]) -> Void)

    /// Says what the routes do not know of the server.
    ///
    /// - Parameter completion: Called once, on any thread.
    func status(_ completion: @escaping @Sendable (ServerStatus) -> Void)

    /// Says how many connections wait for each of some topics.
    ///
    /// - Parameter completion: Called once, on any thread.
    func readers(of topics: [Topic], _ completion: @escaping @Sendable ([Int]) -> Void)
}

/// The state of the parts of a server that the routes do not know.
package struct ServerStatus: Sendable {
    /// The state of the journal that keeps feeds.
    package struct Journal: Sendable {
        /// Why publishes cannot be kept at the moment; `nil`: they can.
        package var trouble: String?
        /// Room on the disk of the data folder, in bytes.
        package var freeByteCount: Int?

        package init(trouble: String?, freeByteCount: Int?) {
            self.trouble = trouble
            self.freeByteCount = freeByteCount
        }
    }

    /// The state of the mirror, which follows another server.
    package struct Mirror: Sendable {
        package var isFollowing: Bool
        /// Feeds that are known to differ from the origin's.
        package var behindFeedCount: Int

        package init(isFollowing: Bool, behindFeedCount: Int) {
            self.isFollowing = isFollowing
            self.behindFeedCount = behindFeedCount
        }
    }

    package var version: String
    /// About when the process began, in seconds since 1970.
    package var started: Int
    /// Memory of the process, in bytes; `nil` where the system does not tell.
    package var residentByteCount: Int?
    package var descriptorCount: Int?
    package var descriptorLimit: Int?
    /// The reports of the event loops.
    package var loops: [LoopReport] = []
    package var journal: Journal?
    package var mirror: Mirror?

    package init(version: String, started: Int) {
        self.version = version
        self.started = started
    }
}
