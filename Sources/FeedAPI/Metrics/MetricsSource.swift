package import HTTPServer

/// Gathers the metrics and the state of all parts of a server.
package protocol MetricsSource: AnyObject, Sendable {
    /// Gathers the current metrics.
    ///
    /// - Parameter completion: Called once, on any thread.
    func collect(_ completion: @escaping @Sendable ([MetricFamily]) -> Void)

    /// Gathers the state of the parts that the API does not know.
    ///
    /// - Parameter completion: Called once, on any thread.
    func status(_ completion: @escaping @Sendable (ServerStatus) -> Void)

    /// Counts the connections that wait for each of some topics.
    ///
    /// - Parameter completion: Called once, on any thread.
    func readers(of topics: [Topic], _ completion: @escaping @Sendable ([Int]) -> Void)
}

/// The state of the parts of a server that the API does not know.
package struct ServerStatus: Sendable {
    package var version: String
    /// The approximate time when the process started, in seconds since 1970.
    package var started: Int
    /// The resident memory of the process, in bytes; `nil` if the system does not tell.
    package var residentByteCount: Int?
    package var descriptorCount: Int?
    package var descriptorLimit: Int?
    /// The reports of the event loops.
    package var loops: [LoopReport] = []
    /// The journal that keeps feeds: the reason why it takes no publishes at the moment, and the
    /// free space on the disk of the data folder in bytes.
    package var journal: (trouble: String?, freeByteCount: Int?)?
    /// The mirror, which follows another server, with the number of feeds that are known to differ
    /// from the origin's.
    package var mirror: (isFollowing: Bool, behindFeedCount: Int)?

    package init(version: String, started: Int) {
        self.version = version
        self.started = started
    }
}
