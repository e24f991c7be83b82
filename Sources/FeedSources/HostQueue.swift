/// One request at a time to each host, and none while it asked for a pause.
struct HostQueue {
    /// What a fetch does when it has the host.
    typealias Turn = @Sendable () -> Void

    private var busy: Set<String> = []
    private var pausedUntil: [String: Int] = [:]
    /// Those that were redirected to a busy host, in their order.
    private var waiting: [String: [Turn]] = [:]

    /// When a host is to be asked at the earliest; `nil`: not before the request under way ends.
    func earliest(_ host: String) -> Int? { busy.contains(host) ? nil : pause(of: host) }

    /// When the pause ends that a host has asked for last; 0 where it has not.
    func pause(of host: String) -> Int { pausedUntil[host] ?? 0 }

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

    mutating func pause(_ host: String, until time: Int, now: Int) {
        pausedUntil = pausedUntil.filter { $0.value > now }
        pausedUntil[host] = max(time, pausedUntil[host] ?? 0)
    }

    /// The clock was put back.
    mutating func putBack(by seconds: Int) {
        pausedUntil = pausedUntil.mapValues { $0 - seconds }
    }
}
