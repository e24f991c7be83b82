/// Lets one request at a time go to each host, as often as the host allows, and none during a pause
/// that the host has asked for.
struct HostQueue {
    /// Resumes a fetch that has the host now; called by the one that releases it.
    typealias Turn = @Sendable () -> Void

    /// The record of when a host may be asked; times are seconds since 1970.
    private struct Allowance {
        var pausedUntil = 0
        /// The end of the time in which the host wants no request after its last answer.
        var restsUntil = 0
        /// The time of the host's last answer since its last refusal; 0: there was none.
        var answered = 0
        /// The number of refusals since the host last answered.
        var refusalCount = 0

        /// Returns whether the record still matters for future requests.
        func isKnown(_ now: Int) -> Bool {
            max(pausedUntil, restsUntil, answered) >= now - HostQueue.window
        }
    }

    /// The seconds for which an answer, or a pause that has ended, matters for the next refusal.
    private static let window = 3600
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
        let end = max(allowance.pausedUntil, allowance.restsUntil)
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
        (allowance.answered, allowance.refusalCount) = (now, 0)
        if rest > 0 { allowance.restsUntil = max(allowance.restsUntil, now + rest) }
        keep(allowance, of: host, now: now)
    }

    /// Takes note that a host has refused a request, and asked for a pause.
    ///
    /// If it refuses the first request after a pause, the next pause is twice as long.
    ///
    /// - Returns: Whether earlier requests have used up the host's limit, so that the refusal says
    ///   nothing about the source that was asked for.
    mutating func refused(_ host: String, for seconds: Int, now: Int) -> Bool {
        var allowance = allowances[host] ?? Allowance()
        let longer = seconds << min(allowance.refusalCount, 8)
        let pause = max(seconds, min(longer, HostQueue.pauseLimit))
        allowance.pausedUntil = max(allowance.pausedUntil, now + pause)
        allowance.refusalCount += 1
        let isOfHost = allowance.answered >= now - HostQueue.window
        allowance.answered = 0
        keep(allowance, of: host, now: now)
        return isOfHost
    }

    /// Stores a host's record; before the records take more memory, those that do not matter any
    /// more are removed: a source may redirect to another host each time.
    private mutating func keep(_ allowance: Allowance, of host: String, now: Int) {
        if allowances.count == allowances.capacity {
            allowances = allowances.filter { $0.value.isKnown(now) || busy.contains($0.key) }
        }
        allowances[host] = allowance
    }

    /// Moves all times back after the clock was put back.
    mutating func putBack(by seconds: Int) {
        allowances = allowances.mapValues { old in
            var allowance = old
            allowance.pausedUntil -= seconds
            allowance.restsUntil -= seconds
            allowance.answered -= seconds
            return allowance
        }
    }
}
