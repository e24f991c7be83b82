import FeedModel

/// The search for sources that are due.
extension SourceTable {
    /// The state of the search for due sources.
    ///
    /// All sources are looked at once a second, and when one may have become due in between. When a
    /// fetch has ended, only the sources that wait for its host are looked at.
    struct Dues {
        /// Whether a source may have become due since all sources were looked at.
        var isStale = true
        /// The hosts whose request has ended since all sources were looked at.
        var freeHosts: Set<String> = []
        /// The time of the last look at all sources.
        fileprivate var time = 0
        /// The feeds that waited for busy hosts when all sources were looked at, by host, the last
        /// one first.
        fileprivate var waiting: [String: [FeedName]] = [:]
    }

    /// Returns the fetches that are to begin now, and marks them as begun.
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

    /// Returns the first fetch that waits for a host, if the host is free, and marks it as begun.
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
