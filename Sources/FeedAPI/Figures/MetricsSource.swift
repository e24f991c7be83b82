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
