/// One request at a time to each host, as often as it allows, and none while it asked for a pause.
///
/// How often a host allows requests is learnt from its refusals: from when it wants to be asked
/// again, and how many requests it has answered before.
struct HostQueue {
    /// What a fetch does when it has the host.
    typealias Turn = @Sendable () -> Void

    /// What is known of how often a host may be asked; times are seconds since 1970.
    private struct Allowance {
        var pausedUntil = 0
        /// When the time from its last request to the next one ends.
        var spacedUntil = 0
        /// Requests that it has answered since it last refused one, at most ``timeLimit``.
        var answered: [Int] = []
        /// Refusals since it last answered.
        var refusalCount = 0
        /// Seconds from one request to the next, and until when that is believed.
        var spacing = 0
        var spacingEnd = 0

        /// Whether it says anything about requests to come.
        func isKnown(_ now: Int) -> Bool {
            pausedUntil >= now || spacedUntil >= now || spacingEnd > now
                || answered.last.map { $0 >= now - HostQueue.window } ?? false
        }
    }

    /// Older requests say nothing of what a host allows now, in seconds.
    private static let window = 3600
    private static let timeLimit = 128
    /// For how long a spacing is kept, in seconds: hosts change their limits.
    private static let spacingTime = 86_400
    /// The longest pause that is made of shorter ones, in seconds.
    private static let pauseLimit = 4 * 3600

    private var busy: Set<String> = []
    private var allowances: [String: Allowance] = [:]
    /// Those that were redirected to a busy host, in their order.
    private var waiting: [String: [Turn]] = [:]

    /// When a host is to be asked at the earliest; `nil`: not before the request under way ends.
    ///
    /// So many seconds have passed for certain in the second after them.
    func earliest(_ host: String) -> Int? {
        busy.contains(host) ? nil : allowed(host)
    }

    /// When a host allows the next request, whether or not one is under way.
    func allowed(_ host: String) -> Int {
        guard let allowance = allowances[host] else { return 0 }
        let end = max(allowance.pausedUntil, allowance.spacedUntil)
        return end == 0 ? 0 : end + 1
    }

    /// When the pause ends that a host has asked for last; 0 where it has not.
    func pause(of host: String) -> Int { allowances[host]?.pausedUntil ?? 0 }

    mutating func begin(_ host: String) { busy.insert(host) }

    /// Takes a host for a fetch that was redirected there.
    ///
    /// - Parameter turn: What ``end(_:)`` returns when it is its turn, if the host is busy.
    /// - Returns: Whether it has the host.
    mutating func begin(_ host: String, or turn: @escaping Turn) -> Bool {
        if busy.insert(host).inserted { return true }
        waiting[host, default: []].append(turn)
        return false
    }

    /// Gives a host back.
    ///
    /// - Returns: What has it next; `nil`: nothing waited.
    mutating func end(_ host: String) -> Turn? {
        guard let next = waiting[host]?.first else {
            busy.remove(host)
            return nil
        }
        waiting[host]?.removeFirst()
        if waiting[host]?.isEmpty == true { waiting[host] = nil }
        return next
    }

    /// Takes over a pause that is known from before.
    mutating func pause(_ host: String, until time: Int) {
        allowances[host, default: Allowance()].pausedUntil = max(time, pause(of: host))
    }

    /// Takes note that a host has answered a request.
    ///
    /// - Parameter rest: For how many seconds it wants no other one.
    mutating func answered(_ host: String, rest: Int, now: Int) {
        var allowance = allowances[host] ?? Allowance()
        allowance.refusalCount = 0
        allowance.answered.removeAll { $0 < now - HostQueue.window }
        if allowance.answered.count == HostQueue.timeLimit { allowance.answered.removeFirst() }
        allowance.answered.append(now)
        let spacing = allowance.spacingEnd > now ? allowance.spacing : 0
        let wait = max(rest, spacing)
        if wait > 0 { allowance.spacedUntil = max(allowance.spacedUntil, now + wait) }
        allowances[host] = allowance
    }

    /// Takes note that a host has refused a request, and asked for a pause.
    ///
    /// If it refuses the first request after a pause, the next pause is twice as long.
    ///
    /// - Returns: Whether requests before have used up what it allows: it refuses no source in
    ///   particular.
    mutating func refused(_ host: String, for seconds: Int, now: Int) -> Bool {
        allowances = allowances.filter { $0.value.isKnown(now) || busy.contains($0.key) }
        var allowance = allowances[host] ?? Allowance()
        let longer = seconds << min(allowance.refusalCount, 8)
        let pause = max(seconds, min(longer, HostQueue.pauseLimit))
        allowance.pausedUntil = max(allowance.pausedUntil, now + pause)
        allowance.refusalCount += 1
        // A limit is one of requests in a time: of the last request, the last two, and so on.
        let recent = allowance.answered.filter { $0 >= now - HostQueue.window }.reversed()
        let spacings = zip(recent, 1...).map { (now + pause - $0 + $1 - 1) / $1 }
        if let spacing = spacings.min() {
            allowance.spacing = spacing
            allowance.spacingEnd = now + HostQueue.spacingTime
        }
        allowance.answered = []
        allowances[host] = allowance
        return !spacings.isEmpty
    }

    /// The clock was put back.
    mutating func putBack(by seconds: Int) {
        allowances = allowances.mapValues { old in
            var allowance = old
            allowance.pausedUntil -= seconds
            allowance.spacedUntil -= seconds
            allowance.spacingEnd -= seconds
            allowance.answered = allowance.answered.map { $0 - seconds }
            return allowance
        }
    }
}
