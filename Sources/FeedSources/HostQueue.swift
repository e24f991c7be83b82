/// One request at a time to each host, and none while it asked for a pause.
struct HostQueue {
    private var busy: Set<String> = []
    private var pausedUntil: [String: Int] = [:]

    /// When a host is to be asked at the earliest; `nil`: not before the request under way ends.
    func earliest(_ host: String) -> Int? {
        busy.contains(host) ? nil : pausedUntil[host] ?? 0
    }

    mutating func begin(_ host: String) { busy.insert(host) }

    mutating func end(_ host: String) { busy.remove(host) }

    mutating func pause(_ host: String, until time: Int, now: Int) {
        pausedUntil = pausedUntil.filter { $0.value > now }
        pausedUntil[host] = max(time, pausedUntil[host] ?? 0)
    }
}
