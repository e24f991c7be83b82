/// How long to wait after failures: exponentially longer, at random from nothing up to that ("full
/// jitter"), so that clients that failed together do not come back together.
struct Backoff {
    let first: Duration
    let longest: Duration
    private(set) var failures = 0

    init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// Notes a failure.
    ///
    /// - Parameters:
    ///   - retryAfter: What the server asked for, which is waited for instead, and up to a quarter
    ///     more; nothing at all counts as not said.
    ///   - random: From 0 up to 1.
    /// - Returns: How long to wait.
    mutating func delay(retryAfter: Duration?, random: Double) -> Duration {
        let bound = min(longest, first * (1 << min(failures, 20)))
        failures += 1
        // A time that everybody is told is not when everybody should come.
        if let retryAfter, retryAfter > .zero { return retryAfter * (1 + random / 4) }
        return bound * random
    }

    /// Notes that it works again.
    mutating func reset() {
        failures = 0
    }
}
