/// Lets one request at a time go to each host, as often as the host allows, and none during a pause
/// that the host has asked for.
///
/// The rate that a host allows is learnt from its refusals: from the time after which it wants to
/// be asked again, and from the number of requests that it has answered before.
struct HostQueue {
    /// Resumes a fetch that has the host now; called by the one that releases it.
    typealias Turn = @Sendable () -> Void

    /// The record of how often a host may be asked; times are seconds since 1970.
    private struct Allowance {
        var pausedUntil = 0
        /// The end of the minimum interval after the host's last request.
        var spacedUntil = 0
        /// The times of the requests that the host has answered since its last refusal; at most
        /// ``timeLimit``.
        var answered: [Int] = []
        /// The number of refusals since the host last answered.
        var refusalCount = 0
        /// The minimum interval between two requests in seconds, and the time until which it
        /// applies.
        var spacing = 0
        var spacingEnd = 0

        /// Returns whether the record still matters for future requests.
        func isKnown(_ now: Int) -> Bool {
            pausedUntil >= now || spacedUntil >= now || spacingEnd > now
                || answered.last.map { $0 >= now - HostQueue.window } ?? false
        }
    }

    /// The seconds for which an answered request counts towards the host's limit.
    private static let window = 3600
    private static let timeLimit = 128
    /// The seconds for which a learnt interval applies: hosts change their limits.
    private static let spacingTime = 86_400
    /// The longest pause that doubling makes of a shorter one, in seconds.
    private static let pauseLimit = 4 * 3600

    private var busy: Set<String> = []
    private var allowances: [String: Allowance] = [:]
    /// The requests that were redirected to a busy host, by host, in their order.
    private var waiting: [String: [Turn]] = [:]

    /// Returns the earliest time for a request to a host; `nil`: not before the request under way
    /// ends.
    ///
    /// The time is the second after the end of a pause: only then has the whole pause passed for
    /// certain.
    func earliest(_ host: String) -> Int? {
        busy.contains(host) ? nil : allowed(host)
    }

    /// Returns when a host allows the next request, whether or not a request is under way.
    func allowed(_ host: String) -> Int {
        guard let allowance = allowances[host] else { return 0 }
        let end = max(allowance.pausedUntil, allowance.spacedUntil)
        return end == 0 ? 0 : end + 1
    }

    /// Returns the end of the last pause that a host has asked for; 0: there was none.
    func pause(of host: String) -> Int { allowances[host]?.pausedUntil ?? 0 }

    mutating func begin(_ host: String) { busy.insert(host) }

    /// Takes a host for a fetch that was redirected there.
    ///
    /// - Parameter turn: If the host is busy, ``end(_:)`` calls this when it is the fetch's turn.
    /// - Returns: Whether the fetch has the host now.
    mutating func begin(_ host: String, or turn: @escaping Turn) -> Bool {
        if busy.insert(host).inserted { return true }
        waiting[host, default: []].append(turn)
        return false
    }

    /// Releases a host, or gives it to the fetch that has waited for it longest.
    mutating func end(_ host: String) {
        guard let turn = waiting[host]?.first else {
            busy.remove(host)
            return
        }
        waiting[host]?.removeFirst()
        if waiting[host]?.isEmpty == true { waiting[host] = nil }
        turn()
    }

    /// Restores a host's pause from a stored state.
    mutating func pause(_ host: String, until time: Int) {
        allowances[host, default: Allowance()].pausedUntil = max(time, pause(of: host))
    }

    /// Takes note that a host has answered a request, and wants no other for `rest` seconds.
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
    /// - Returns: Whether earlier requests have used up the host's limit, so that the refusal says
    ///   nothing about the source that was asked for.
    mutating func refused(_ host: String, for seconds: Int, now: Int) -> Bool {
        allowances = allowances.filter { $0.value.isKnown(now) || busy.contains($0.key) }
        var allowance = allowances[host] ?? Allowance()
        let longer = seconds << min(allowance.refusalCount, 8)
        let pause = max(seconds, min(longer, HostQueue.pauseLimit))
        allowance.pausedUntil = max(allowance.pausedUntil, now + pause)
        allowance.refusalCount += 1
        // The host may allow one request in a period, or two, and so on; each gives another
        // interval, and the shortest is taken.
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

    /// Moves all times back after the clock was put back.
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
