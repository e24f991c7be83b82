/// Where the figures of a server come from.
package protocol MetricsSource: AnyObject, Sendable {
    /// Gathers all figures as of now.
    ///
    /// - Parameter completion: Called once, on any thread.
    func collect(_ completion: @escaping @Sendable ([MetricFamily]) -> Void)
}
