/// The delays after failures: exponentially longer, and shorter at random, so that clients that
/// failed together do not come back together.
package struct Backoff: Sendable {
    private let first: Duration
    private let longest: Duration
    package private(set) var failures = 0

    package init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// Notes a failure.
    ///
    /// - Parameters:
    ///   - retryAfter: The server's own delay, which is waited for instead, and up to a quarter
    ///     more; zero counts as none.
    ///   - random: The part of the delay to wait for: from 0 up to 1 is "full jitter".
    /// - Returns: The delay.
    package mutating func delay(retryAfter: Duration? = nil, random: Double) -> Duration {
        let bound = min(longest, first * (1 << min(failures, 20)))
        failures += 1
        // A time that everybody is told is not when everybody should come.
        if let retryAfter, retryAfter > .zero { return retryAfter * (1 + random / 4) }
        return bound * random
    }

    /// Notes that it works again.
    package mutating func reset() {
        failures = 0
    }
}
