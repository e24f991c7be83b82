import FeedFormats
import FeedModel
import FeedStore
import HTTPClient

/// The sources with what is known of each, and which are being fetched.
struct SourceTable {
    typealias Waiter = @Sendable (SourceService.Outcome) -> Void

    /// A try that is to begin.
    struct Task: Sendable {
        let settings: SourceSettings
        var state: SourceState
        /// Where it is being asked, whatever becomes of the settings meanwhile; empty for a file.
        var host: String
        /// For how many seconds that host wants no other request after this one.
        var rest = 0
    }

    enum Refresh {
        case begin(Task)
        /// One is under way, or another request to the host.
        case waits
        case refused(SourceFailure)
    }

    struct Entry {
        var settings: SourceSettings
        var state: SourceState
        /// `nil`: not before somebody asks for it.
        var next: Int?
        var isRunning = false
        var waiting: [Waiter] = []
        /// Whether one who waits has said that the feed's guard does not count.
        var mayRemoveAny = false
        /// Whether something was pushed since the last fetch began, and when that was that a push
        /// caused.
        var hasPush = false
        var pushFetched = 0
        /// Where its last try ended, if that is another host than its own.
        var finalHost: String?

        var host: String {
            if case .web(let url) = settings.location { return URLHost.host(of: url) }
            return ""
        }
    }

    var entries: [FeedName: Entry] = [:]
    /// Their names, in order.
    private var names: [FeedName] = []
    private var known: [String: SourceState]
    var hosts = HostQueue()
    /// What waited for hosts that are free now.
    var turns: [HostQueue.Turn] = []
    private(set) var isStopped = false
    /// Whether what is due is fetched, not only what is asked for.
    var isFetching = true { didSet { dues.isStale = true } }
    /// What is known of those that are due.
    var dues = Dues()
    /// When the file was written; `nil`: there is something to write.
    var hasNews = false
    private var lastKept = 0
    /// The time that was noted last.
    var latest = 0
    /// What addresses of callbacks begin with; `nil`: nothing can be pushed.
    var callbackBase: String?
    /// The feeds by the ids of their subscriptions.
    var subscribers: [String: FeedName] = [:]
    /// Those whose hubs are being asked.
    var asking: Set<FeedName> = []
    /// Subscriptions that nobody wants any more, by their ids.
    var endings: [String: PushEnding] = [:]

    init(known: [String: SourceState], _ callbackBase: String? = nil) {
        self.known = known
        self.callbackBase = callbackBase
    }

    /// What is to be kept, by feed.
    var states: [String: SourceState] {
        Dictionary(entries.map { ($0.key.rawValue, $0.value.state) }) { first, _ in first }
    }

    func has(_ feed: FeedName) -> Bool { entries[feed] != nil }

    /// Whether a try is of the source that its feed has now.
    func isSource(_ task: Task) -> Bool {
        entries[task.settings.feed]?.state.address == task.state.address
    }

    /// Whether somebody who waits for a try has said that the feed's guard does not count.
    func mayRemoveAny(_ task: Task) -> Bool {
        entries[task.settings.feed]?.mayRemoveAny ?? false
    }

    var statuses: [(feed: FeedName, status: SourceStatus)] {
        names.compactMap { feed in status(of: feed).map { (feed, $0) } }
    }

    /// How many there are, and how many of them could not be read at their last try.
    var counts: (all: Int, failing: Int) {
        (entries.count, entries.values.count { $0.state.failureCount > 0 })
    }

    /// How many could not be read at their last try, by what was wrong.
    var failing: [SourceFailure.Reason: Int] {
        let reasons = entries.values.compactMap { entry in
            entry.state.reason.flatMap(SourceFailure.Reason.init(rawValue:))
        }
        return Dictionary(reasons.map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// The first of them after a name.
    func page(
        after name: [UInt8],
        prefix: [UInt8],
        limit: Int,
        onlyFailing: Bool
    ) -> [(feed: FeedName, status: SourceStatus)] {
        var found: [(feed: FeedName, status: SourceStatus)] = []
        for feed in names where found.count < limit {
            let bytes = feed.rawValue.utf8
            guard name.lexicographicallyPrecedes(bytes), bytes.starts(with: prefix),
                let status = status(of: feed), !onlyFailing || status.failureCount > 0
            else { continue }
            found.append((feed, status))
        }
        return found
    }

    func status(of feed: FeedName) -> SourceStatus? {
        guard let entry = entries[feed] else { return nil }
        return SourceStatus(
            location: entry.settings.location.shown,
            succeeded: entry.state.succeeded,
            error: entry.state.error,
            reason: entry.state.reason,
            failureCount: entry.state.failureCount,
            notes: entry.state.notes ?? [],
            next: entry.next.map { max($0, pause(of: entry)) },
            push: entry.state.push
        )
    }

    /// Takes over other sources; those that are new are spread over their first minute.
    ///
    /// - Returns: Who waits for those that are there no more.
    @discardableResult
    mutating func take(_ sources: [SourceSettings], now: Int, random: () -> Double) -> [Waiter] {
        var taken: [FeedName: Entry] = [:]
        for source in sources {
            let address = source.location.text
            if var entry = entries[source.feed], entry.state.address == address {
                if entry.settings != source { entry.next = max(now, entry.state.pausedUntil) }
                entry.settings = source
                taken[source.feed] = entry
                continue
            }
            let old = known[source.feed.rawValue].flatMap { $0.address == address ? $0 : nil }
            let every = source.every.map { Int($0.components.seconds) }
            let state = old?.checked(now: now, every: every) ?? SourceState(address: address)
            let spread = min(every ?? 60, 60)
            let first = now + Int(random() * Double(sources.count > 10 ? spread : 1))
            var entry = Entry(settings: source, state: state, next: max(first, state.nextTry))
            if let running = entries[source.feed] { entry.waiting = running.waiting }
            if state.pausedUntil > now, !entry.host.isEmpty {
                hosts.pause(entry.host, until: state.pausedUntil)
            }
            taken[source.feed] = entry
        }
        let dropped = entries.filter { taken[$0.key] == nil }.values.flatMap(\.waiting)
        for (feed, entry) in entries where taken[feed]?.state.address != entry.state.address {
            endPush(of: entry)
        }
        entries = taken
        dues.isStale = true
        names = taken.keys.sorted()
        subscribers = [:]
        for feed in entries.keys { renewSubscription(of: feed) }
        return dropped
    }

    mutating func refresh(
        _ feed: FeedName,
        mayRemoveAny: Bool = false,
        now: Int,
        _ waiter: @escaping Waiter
    ) -> Refresh {
        guard !isStopped, var entry = entries[feed] else { return .refused(.stopped) }
        let pause = pause(of: entry)
        if pause > now, !entry.isRunning { return .refused(.paused(503, seconds: pause - now)) }
        entry.waiting.append(waiter)
        if mayRemoveAny { entry.mayRemoveAny = true }
        if !entry.isRunning { entry.next = now }
        entries[feed] = entry
        dues.isStale = true
        guard !entry.isRunning, hosts.earliest(entry.host) != nil else { return .waits }
        return .begin(begin(feed, entry, now))
    }

    mutating func begin(_ feed: FeedName, _ entry: Entry, _ now: Int) -> Task {
        entries[feed]?.isRunning = true
        if entry.hasPush { entries[feed]?.pushFetched = now }
        entries[feed]?.hasPush = false
        // Files are of no host.
        if !entry.host.isEmpty { hosts.begin(entry.host) }
        return Task(settings: entry.settings, state: entry.state, host: entry.host)
    }

    /// - Returns: Who waits for it, and whether it is news: another error than before, or none.
    mutating func end(
        _ task: Task,
        _ state: SourceState,
        _ outcome: SourceService.Outcome,
        now: Int,
        random: Double
    ) -> (waiting: [Waiter], isNews: Bool) {
        hasNews = true
        let feed = task.settings.feed
        leave(task.host)
        // Another source may have the feed's name by now, and another try of its own.
        guard isSource(task), var entry = entries[feed] else { return ([], false) }
        let oldError = entry.state.error
        let waiting = entry.waiting
        entry.waiting = []
        entry.mayRemoveAny = false
        entry.isRunning = false
        entry.finalHost = task.host == entry.host ? nil : task.host
        let isHosts = note(outcome, of: task, now: now)
        entry.note(outcome, state, now: now, isHosts: isHosts)
        // A pause of its host does not cost a source its turn.
        let next =
            isHosts
            ? entry.next ?? now : entry.nextTry(after: outcome, now: now, random: random)
        // What was said meanwhile counts at once.
        entry.next = entry.settings == task.settings ? next : max(now, state.pausedUntil)
        if entry.hasPush { entry.next = nextAfterPush(entry, now) }
        entry.state.nextTry = entry.next ?? 0
        entries[feed] = entry
        if let next = entry.next, next <= now { dues.isStale = true }
        renewSubscription(of: feed)
        return (waiting, oldError != entry.state.error)
    }

    /// Whether what is known is to be kept now: every ten seconds at most.
    mutating func takeNews(now: Int) -> Bool {
        guard hasNews, now - lastKept >= 10 else { return false }
        (hasNews, lastKept) = (false, now)
        return true
    }

    /// Has what is known kept with the next look: when that was last is not known any more.
    mutating func forgetWhenKept() { lastKept = 0 }

    /// - Returns: Everybody who waits.
    mutating func stop() -> [Waiter] {
        isStopped = true
        let waiting = entries.values.flatMap(\.waiting)
        for feed in entries.keys { entries[feed]?.waiting = [] }
        return waiting
    }
}

extension SourceSettings.Location {
    /// The address, or the path.
    package var text: String {
        switch self {
        case .web(let url): url
        case .file(let path): path
        }
    }
}
