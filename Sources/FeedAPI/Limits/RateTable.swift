/// The token buckets of many clients, by one limit.
///
/// A bucket has room for the quota, and fills up within the window. Of each it keeps one number,
/// the time at which it will be full (the generic cell rate algorithm, ITU-T I.371). A full bucket
/// need not be kept.
struct RateTable: Sendable {
    /// The level of a client's bucket.
    struct Level: Sendable, Equatable {
        /// Requests that may come at once.
        let remaining: Int
        /// The time after which the bucket is full again.
        let reset: Duration
        /// The time after which there is room for one more request; zero: this one was let in.
        let wait: Duration
    }

    private let limit: RateLimit
    /// How many clients are remembered.
    private let countLimit: Int
    private var fullTimes: [ClientID: Duration] = [:]

    init(_ limit: RateLimit, countLimit: Int) {
        self.limit = limit
        self.countLimit = countLimit
    }

    /// How many clients are remembered.
    var count: Int { fullTimes.count }

    /// Takes one from a client's bucket, if there is one.
    mutating func take(_ client: ClientID, at now: Duration) -> Level {
        let step = limit.window / limit.quota
        let full = max(fullTimes[client] ?? now, now)
        // A step is rounded: the last request of the quota must fit.
        let excess = full + step - now - limit.window - .nanoseconds(1)
        guard excess <= .zero else {
            return Level(remaining: 0, reset: full - now, wait: excess)
        }
        if fullTimes.count >= countLimit, fullTimes[client] == nil { makeRoom(at: now) }
        fullTimes[client] = full + step
        let used = full + step - now
        let remaining = Int(((limit.window - used) / step).rounded(.down))
        return Level(remaining: max(0, remaining), reset: used, wait: .zero)
    }

    /// Forgets buckets that are full; if those are few, the half that lacks least.
    private mutating func makeRoom(at now: Duration) {
        fullTimes = fullTimes.filter { $0.value > now }
        guard fullTimes.count > countLimit / 2 else { return }
        let times = fullTimes.values.sorted()
        let median = times[times.count / 2]
        fullTimes = fullTimes.filter { $0.value > median }
    }
}
