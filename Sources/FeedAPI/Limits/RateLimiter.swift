import HTTPTypes
import Synchronization

/// Refuses requests beyond the operator's limits for each client.
///
/// Each counted request takes a lock for a short time; without limits there is no limiter.
final class RateLimiter: Sendable {
    /// The quota of a client that has sent a counted request.
    struct Quota: Sendable {
        fileprivate let policy: Policy
        fileprivate let client: ClientID
        fileprivate let clock: @Sendable () -> Duration
        let isPublish: Bool

        /// Adds RateLimit-Policy and RateLimit, with the quota and the number of requests that
        /// remain now (draft-ietf-httpapi-ratelimit-headers-10 §3, §4).
        func add(to fields: inout HTTPFields) {
            let (name, limit) = (policy.name, policy.limit)
            let level = policy.level(of: client, at: clock())
            let window = Int(limit.window / .seconds(1))
            let reset = RateLimiter.seconds(level.reset)
            fields[.rateLimitPolicy] = "\"\(name)\";q=\(limit.quota);w=\(window)"
            fields[.rateLimit] = "\"\(name)\";r=\(level.remaining);t=\(reset)"
        }
    }

    private let policies: [RateLimit.Name: Policy]
    private let clock: @Sendable () -> Duration

    /// Makes a limiter for the operator's limits; `nil` if nothing is limited.
    ///
    /// - Parameter clock: Returns the time of a monotonic clock.
    init?(_ limits: [RateLimit.Name: RateLimit], clock: @escaping @Sendable () -> Duration) {
        guard !limits.isEmpty else { return nil }
        self.clock = clock
        policies = Dictionary(uniqueKeysWithValues: limits.map { ($0, Policy($0.rawValue, $1)) })
    }

    /// Counts a request, and returns the client's quota; `nil` if the request is not limited.
    ///
    /// - Throws: `429` if the client's bucket is empty.
    func count(_ client: ClientID, isPublish: Bool) throws(Problem) -> Quota? {
        let name: RateLimit.Name
        switch client {
        case .key: name = isPublish ? .publishesByKey : .readsByKey
        case .address: name = isPublish ? .publishesByAddress : .readsByAddress
        case .local: return nil
        }
        guard let policy = policies[name] else { return nil }
        let quota = Quota(policy: policy, client: client, clock: clock, isPublish: isPublish)
        let wait = policy.take(client, at: clock())
        if wait == .zero { return quota }
        policy.refused.add(1, ordering: .relaxed)
        throw RateLimiter.problem(quota, wait)
    }

    /// Returns the client of a key: all tokens of one user are one client, and so are all keys of
    /// one owner.
    static func client(_ key: AccessKey) -> ClientID {
        var hasher = Hasher()
        if let token = key.token {
            hasher.combine(token.signer.kid)
            hasher.combine(key.user)
        } else {
            hasher.combine(key.ownDigest)
        }
        return .key(UInt64(bitPattern: Int64(hasher.finalize())))
    }

    /// Makes the `429` for a client whose next request is accepted after a time.
    private static func problem(_ quota: Quota, _ time: Duration) -> Problem {
        let policy = quota.policy
        let window = Int(policy.limit.window / .seconds(1))
        var problem = Problem(
            .quotaExceeded,
            .tooManyRequests,
            "more than \(policy.limit.quota) requests in \(window) s (\(policy.name))"
        )
        problem.policies = [policy.name]
        let wait = seconds(time)
        // The random part spreads the retries of refused clients.
        problem.fields[.retryAfter] = String(wait + Int.random(in: 0...max(1, wait / 4)))
        quota.add(to: &problem.fields)
        return problem
    }

    fileprivate static func seconds(_ time: Duration) -> Int {
        Int((time / .seconds(1)).rounded(.up))
    }

    /// The number of refused requests for each limit.
    var refusedCounts: [(policy: String, count: Int)] {
        RateLimit.Name.allCases.compactMap { name in
            policies[name].map { (name.rawValue, $0.refused.load(ordering: .relaxed)) }
        }
    }
}

extension RateLimiter {
    /// A limit with the token buckets of its clients; any thread may call it.
    ///
    /// A bucket has room for the quota, and fills up within the window. For each bucket one number
    /// is stored, the time at which it will be full (the generic cell rate algorithm, ITU-T I.371).
    /// A full bucket is not stored.
    final class Policy: Sendable {
        let name: String
        let limit: RateLimit
        let refused = Atomic(0)
        /// The most clients that are remembered, about 100 bytes each.
        private let countLimit: Int
        /// The times at which the clients' buckets will be full.
        let fullTimes = Mutex<[ClientID: Duration]>([:])

        init(_ name: String, _ limit: RateLimit, countLimit: Int = 65_536) {
            self.name = name
            self.limit = limit
            self.countLimit = countLimit
        }

        /// Returns the level of a client's bucket: the number of requests that may follow at once,
        /// and the time until the bucket is full.
        func level(of client: ClientID, at now: Duration) -> (remaining: Int, reset: Duration) {
            let full = fullTimes.withLock { $0[client] } ?? now
            let used = max(full - now, .zero)
            let step = limit.window / limit.quota
            return (max(0, Int(((limit.window - used) / step).rounded(.down))), used)
        }

        /// Takes a token from a client's bucket, if it has one, and returns the time until one more
        /// request is accepted; zero: this request was accepted.
        func take(_ client: ClientID, at now: Duration) -> Duration {
            fullTimes.withLock { fullTimes in
                let step = limit.window / limit.quota
                let full = max(fullTimes[client] ?? now, now)
                // A step is rounded: the last request of the quota must fit.
                let excess = full + step - now - limit.window - .nanoseconds(1)
                guard excess <= .zero else { return excess }
                if fullTimes.count >= countLimit, fullTimes[client] == nil {
                    makeRoom(in: &fullTimes, at: now)
                }
                fullTimes[client] = full + step
                return .zero
            }
        }

        /// Removes full buckets; if that frees too little, also the half of the rest that is
        /// fullest.
        private func makeRoom(in fullTimes: inout [ClientID: Duration], at now: Duration) {
            fullTimes = fullTimes.filter { $0.value > now }
            guard fullTimes.count > countLimit / 2 else { return }
            let times = fullTimes.values.sorted()
            let median = times[times.count / 2]
            fullTimes = fullTimes.filter { $0.value > median }
        }
    }
}

/// A limit: at most `quota` requests in `window`.
package struct RateLimit: Sendable, Equatable {
    /// The names of the limits, in RateLimit-Policy and in the settings.
    ///
    /// A request with a known key counts for that key, and any other for its address.
    package enum Name: String, CaseIterable, Sendable {
        case readsByKey = "reads-by-key"
        case readsByAddress = "reads-by-address"
        case publishesByKey = "publishes-by-key"
        case publishesByAddress = "publishes-by-address"
    }

    package let quota: Int
    package let window: Duration

    /// The allowed quotas and windows.
    package static let quotas = 1...1_000_000_000
    package static let windows: ClosedRange<Duration> = .seconds(1)...(.seconds(86_400))

    /// Makes a limit; `nil` for a quota or a window outside ``quotas`` and ``windows``.
    package init?(quota: Int, window: Duration) {
        guard RateLimit.quotas.contains(quota), RateLimit.windows.contains(window) else {
            return nil
        }
        self.quota = quota
        self.window = window
    }
}
