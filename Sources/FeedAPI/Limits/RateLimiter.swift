import HTTPServer
import HTTPTypes
import HTTPWire
import Synchronization

/// Refuses the requests of those who send too many, where the operator has said how many that is.
///
/// A short lock is held for each request that counts; without limits there is no limiter.
final class RateLimiter: Sendable {
    /// A limit, with the clients' buckets in several shards.
    private final class Policy: Sendable {
        let name: String
        let limit: RateLimit
        let shards: [Shard]
        let refused = Atomic(0)

        init(_ name: String, _ limit: RateLimit) {
            self.name = name
            self.limit = limit
            let table = RateTable(limit, countLimit: RateLimiter.clientLimit / shardCount)
            shards = (0..<shardCount).map { _ in Shard(table) }
        }
    }

    private final class Shard: Sendable {
        let table: Mutex<RateTable>

        init(_ table: RateTable) {
            self.table = Mutex(table)
        }
    }

    /// The level of a client's bucket, to be told to a client whose request was let in.
    struct Standing: Sendable {
        fileprivate let policy: Int
        fileprivate let level: RateTable.Level
    }

    let limits: RateLimits
    private let policies: [Policy?]
    private let clock: @Sendable () -> Duration

    /// How many clients each limit remembers, about 100 bytes each.
    static let clientLimit = 65_536
    private static let shardCount = 16

    /// - Returns: `nil` where nothing is limited.
    init?(_ limits: RateLimits, clock: @escaping @Sendable () -> Duration) {
        guard !limits.isEmpty else { return nil }
        self.limits = limits
        self.clock = clock
        policies = limits.policies.map { policy in policy.limit.map { Policy(policy.name, $0) } }
    }

    /// Counts a request.
    ///
    /// - Parameters:
    ///   - client: Whose it is.
    ///   - isPublish: Whether it publishes.
    /// - Returns: `nil` where it is not limited.
    /// - Throws: `429`.
    func count(_ client: ClientID, isPublish: Bool) throws(Problem) -> Standing? {
        let index: Int
        switch client {
        case .key: index = isPublish ? 2 : 0
        case .address: index = isPublish ? 3 : 1
        case .local: return nil
        }
        guard let policy = policies[index] else { return nil }
        let shard = policy.shards[Int(UInt(bitPattern: client.hashValue) % UInt(Self.shardCount))]
        let now = clock()
        let level = shard.table.withLock { $0.take(client, at: now) }
        if level.wait == .zero { return Standing(policy: index, level: level) }
        policy.refused.add(1, ordering: .relaxed)
        throw problem(policy, level)
    }

    /// Tells who sent a request, and counts it: for its key, or else for its address.
    ///
    /// The label has the key's name also when the request is refused.
    ///
    /// - Throws: `429`, or `401` for a key that is not known.
    func caller(
        _ head: RequestHead,
        from peer: PeerAddress?,
        _ access: Access,
        isPublish: Bool,
        _ label: inout RequestLabel
    ) throws(Problem) -> (Access.Caller, Standing?) {
        let caller: Access.Caller
        do throws(Problem) {
            caller = try access.caller(head, from: ClientID(.anyone, peer))
        } catch {
            // Guessing keys is limited, too.
            _ = try count(ClientID(.anyone, peer), isPublish: isPublish)
            throw error
        }
        if case .key(let key) = caller { label.user = key.name }
        let client = RateLimiter.client(caller) ?? ClientID(caller, peer)
        return (caller, try count(client, isPublish: isPublish))
    }

    /// All tokens of one user are one client, and so are all digests of a key.
    private static func client(_ caller: Access.Caller) -> ClientID? {
        guard case .key(let key) = caller else { return nil }
        var hasher = Hasher()
        hasher.combine(key.token?.signer.kid)
        hasher.combine(key.token == nil ? key.ownDigest : key.user)
        return .key(UInt64(bitPattern: Int64(hasher.finalize())))
    }

    private func problem(_ policy: Policy, _ level: RateTable.Level) -> Problem {
        let seconds = Int(policy.limit.window / .seconds(1))
        var problem = Problem(
            .quotaExceeded,
            .tooManyRequests,
            "more than \(policy.limit.quota) requests in \(seconds) s (\(policy.name))"
        )
        problem.policies = [policy.name]
        let wait = RateLimiter.seconds(level.wait)
        // Not all who were refused come back at the same moment.
        problem.fields[.retryAfter] = String(wait + Int.random(in: 0...max(1, wait / 4)))
        RateLimiter.add(policy, level, to: &problem.fields)
        return problem
    }

    /// Adds to an answer to one client what is left of its quota (draft-ietf-httpapi-ratelimit-
    /// headers-10 §3, §4).
    func add(_ standing: Standing, to fields: inout HTTPFields) {
        guard let policy = policies[standing.policy] else { return }
        RateLimiter.add(policy, standing.level, to: &fields)
    }

    private static func add(
        _ policy: Policy,
        _ level: RateTable.Level,
        to fields: inout HTTPFields
    ) {
        let (quota, window) = (policy.limit.quota, Int(policy.limit.window / .seconds(1)))
        fields[.rateLimitPolicy] = "\"\(policy.name)\";q=\(quota);w=\(window)"
        fields[.rateLimit] = "\"\(policy.name)\";r=\(level.remaining);t=\(seconds(level.reset))"
    }

    /// Rounded up.
    private static func seconds(_ time: Duration) -> Int {
        Int((time / .seconds(1)).rounded(.up))
    }

    /// How many requests were refused, by policy.
    var refusedCounts: [(policy: String, count: Int)] {
        policies.compactMap { policy in
            policy.map { ($0.name, $0.refused.load(ordering: .relaxed)) }
        }
    }
}

extension RoutedRequest {
    /// Whether it counts as a publish, where requests are limited.
    static func isPublish(_ route: Route, _ method: RequestHead.Method) -> Bool {
        if method.isRead || method == .query { return false }
        return !route.resource.changes.contains { $0.method == method && $0.isRead }
    }
}

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
