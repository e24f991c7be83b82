/// So many requests in so long a time.
package struct RateLimit: Sendable, Equatable {
    package let quota: Int
    package let window: Duration

    /// The most requests that can be asked for, and the longest time.
    package static let quotas = 1...1_000_000_000
    package static let windows: ClosedRange<Duration> = .seconds(1)...(.seconds(86_400))

    /// - Returns: `nil` for a quota or a window that is out of bounds.
    package init?(quota: Int, window: Duration) {
        guard RateLimit.quotas.contains(quota), RateLimit.windows.contains(window) else {
            return nil
        }
        self.quota = quota
        self.window = window
    }
}

/// The numbers of requests that one client may send; `nil`: not limited.
///
/// A request with a key that the server knows counts for that key; any other for its address.
package struct RateLimits: Sendable, Equatable {
    package var readsByKey: RateLimit?
    package var readsByAddress: RateLimit?
    package var publishesByKey: RateLimit?
    package var publishesByAddress: RateLimit?

    /// No limits.
    package init() {}

    /// Whether anything is limited.
    var isEmpty: Bool { self == RateLimits() }

    /// The names under which clients hear of them, and the limits.
    var policies: [(name: String, limit: RateLimit?)] {
        [
            ("reads-by-key", readsByKey), ("reads-by-address", readsByAddress),
            ("publishes-by-key", publishesByKey), ("publishes-by-address", publishesByAddress),
        ]
    }
}
