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
    /// The resident memory of the process, in bytes; `nil` if the system does not report it.
    package var residentByteCount: Int?
    /// The number of open file descriptors; `nil` if the system does not report it.
    package var descriptorCount: Int?
    /// The most descriptors that the process may open; `nil` if the system does not report it.
    package var descriptorLimit: Int?
    /// The reports of the event loops.
    package var loops: [LoopReport] = []
    /// The state of the journal, which stores feeds durably; `nil` without a journal.
    ///
    /// `trouble` is the reason why the journal takes no publishes at the moment; `freeByteCount` is
    /// the free space on the disk of the data folder.
    package var journal: (trouble: String?, freeByteCount: Int?)?
    /// The state of the mirror, which follows another server; `nil` if this server is no mirror.
    ///
    /// `behindFeedCount` is the number of feeds that are known to differ from the other server's.
    package var mirror: (isFollowing: Bool, behindFeedCount: Int)?

    package init(version: String, started: Int) {
        self.version = version
        self.started = started
    }
}
