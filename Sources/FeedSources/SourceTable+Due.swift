import FeedModel

/// Which sources are due.
extension SourceTable {
    /// What is known of them: all are looked at once a second, and where one of them may have
    /// become due in between; where a fetch has ended, only those that wait for its host.
    struct Dues {
        /// Whether one may have become due since all were looked at.
        var isStale = true
        /// Hosts whose request has ended since.
        var freeHosts: Set<String> = []
        /// When all were looked at.
        fileprivate var time = 0
        /// Those that waited for busy hosts then, the last one first.
        fileprivate var waiting: [String: [FeedName]] = [:]
    }

    /// Those that are to be fetched now, which begin.
    mutating func due(now: Int) -> [Task] {
        guard !isStopped else { return [] }
        note(now: now)
        if dues.isStale || dues.time != now { return allDue(now) }
        let hosts = dues.freeHosts
        dues.freeHosts = []
        return hosts.compactMap { nextDue(at: $0, now) }
    }

    private mutating func allDue(_ now: Int) -> [Task] {
        dues = Dues(isStale: false, time: now)
        var due: [(feed: FeedName, next: Int)] = []
        for (feed, entry) in entries {
            if let next = entry.next, next <= now, isDue(entry, now) { due.append((feed, next)) }
        }
        var tasks: [Task] = []
        for (feed, _) in due.sorted(by: { ($0.next, $0.feed) < ($1.next, $1.feed) }) {
            guard let entry = entries[feed] else { continue }
            if let earliest = hosts.earliest(entry.host) {
                if earliest <= now { tasks.append(begin(feed, entry, now)) }
            } else {
                dues.waiting[entry.host, default: []].append(feed)
            }
        }
        for host in dues.waiting.keys { dues.waiting[host]?.reverse() }
        return tasks
    }

    /// The first that waits for a host that is free.
    private mutating func nextDue(at host: String, _ now: Int) -> Task? {
        while let feed = dues.waiting[host]?.popLast() {
            guard let entry = entries[feed], entry.host == host, isDue(entry, now) else { continue }
            guard let earliest = hosts.earliest(host), earliest <= now else {
                dues.waiting[host]?.append(feed)
                return nil
            }
            return begin(feed, entry, now)
        }
        return nil
    }

    /// Whether a source, or the host that it redirects to, has asked for a pause.
    private func isPaused(_ entry: Entry, _ now: Int) -> Bool {
        if entry.state.pausedUntil > now { return true }
        return entry.finalHost.map { hosts.allowed($0) > now } ?? false
    }

    private func isDue(_ entry: Entry, _ now: Int) -> Bool {
        guard !entry.isRunning, isFetching || !entry.waiting.isEmpty else { return false }
        return (entry.next ?? .max) <= now && !isPaused(entry, now)
    }
}
