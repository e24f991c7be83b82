/// Computes the delay before the next attempt after each failure: its bound doubles, and a random
/// part of the bound is taken, so that clients that failed together do not retry together.
package struct Backoff: Sendable {
    /// The bound of the delay after the first failure.
    private let first: Duration
    /// The largest bound.
    private let longest: Duration
    /// The number of failures since the last success.
    package private(set) var failures = 0

    package init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// Counts one more failure, and returns the delay before the next attempt.
    ///
    /// - Parameters:
    ///   - retryAfter: The delay that the server asks for (`Retry-After`), which replaces the
    ///     computed one and is lengthened by up to a quarter; zero counts as none.
    ///   - random: A random number from 0 up to 1, by which the bound is multiplied ("full
    ///     jitter").
    package mutating func delay(retryAfter: Duration? = nil, random: Double) -> Duration {
        let bound = min(longest, first * (1 << min(failures, 20)))
        failures += 1
        // The server may tell all clients the same delay, so a random part is added.
        if let retryAfter, retryAfter > .zero { return retryAfter * (1 + random / 4) }
        return bound * random
    }

    /// Sets the number of failures to 0, after a success.
    package mutating func reset() {
        failures = 0
    }
}
