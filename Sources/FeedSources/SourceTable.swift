import FeedAPI
import FeedFormats
import FeedModel
import FeedStore
import HTTPClient

/// The sources with their states, and the fetches that are under way.
struct SourceTable {
    typealias Waiter = @Sendable (SourceService.Outcome) -> Void

    /// An attempt to read a source.
    struct Attempt: Sendable {
        let settings: SourceSettings
        var state: SourceState
        /// The host that is being asked, even if the settings have changed meanwhile; empty for a
        /// file.
        var host: String
        /// The feed's version when the document was asked for; `nil`: there was none.
        var replaced: Token?
        /// The seconds after this request in which the host wants no other request.
        var rest = 0
        /// The number of the attempt: a source that is removed and comes back has attempts of its
        /// own.
        var number = 0
    }

    /// The result of asking for a refresh.
    enum Refresh {
        /// The caller is to begin this attempt.
        case begin(Attempt)
        /// The refresh waits for a fetch of the source, or another request to its host, to end.
        case waits
        case refused(SourceFailure)
    }

    /// A source, with its state and the refreshes that wait for it.
    struct Entry {
        var settings: SourceSettings
        var state: SourceState
        /// The time of the next attempt; `nil`: not before a refresh is asked for.
        var next: Int?
        var isRunning = false
        /// The number of the last attempt; 0: there was none.
        var number = 0
        var waiting: [Waiter] = []
        /// Whether a waiting refresh ignores the feed's guard against removals.
        var mayRemoveAny = false
        /// Whether a push has come since the last fetch began.
        var hasPush = false
        /// The time at which the last fetch began that a push caused, in seconds since 1970; 0:
        /// never.
        var pushFetched = 0
        /// Whether a request for the source's push subscription was begun and is not sent yet.
        var isToSubscribe = false
        /// The time from which the journal has the begun subscription request, in seconds since
        /// 1970; `nil`: it does not have it.
        var subscribingKept: Int?
        /// The host where the last attempt ended, if it is another one than the source's own.
        var finalHost: String?
        /// The host of the source's address, which no settings change; empty for a file.
        let host: String

        init(_ settings: SourceSettings, first: Int) {
            self.settings = settings
            state = SourceState(address: settings.location.text)
            next = first
            if case .web(let url) = settings.location {
                host = URLHost.host(of: url)
            } else {
                host = ""
            }
        }
    }

    var entries: [FeedName: Entry] = [:]
    private var tryCount = 0
    /// The names of the feeds in ``entries``, in order.
    private var names: [FeedName] = []
    /// The stored states of sources that the table does not have, by feed: each source begins with
    /// its own if the next ``take(_:now:random:)`` adds it.
    private var known: [String: SourceState]
    /// The states that the journal has, by feed.
    private var kept: [String: SourceState]
    var hosts = HostQueue()
    private(set) var isStopped = false
    /// Whether several servers share the feeds; one of them fetches.
    let isShared: Bool
    /// Whether sources are fetched when they are due, not only when a refresh is asked for.
    var isFetching: Bool
    /// Whether states have changed since they were last taken to be written to the journal, or that
    /// write has failed.
    var needsWrite = false
    /// Whether a state has changed that must be written at once.
    var isWriteUrgent = false
    /// Whether a write of states to the journal is under way.
    private var isKeeping = false
    /// The time at which a write of states last began, in seconds since 1970; 0: not known.
    private var lastKept = 0
    /// The time that ``note(now:)`` was last called with.
    private var latest = 0
    /// The start of the addresses of callbacks; `nil`: nothing can be pushed.
    var callbackBase: String?
    /// The feeds by the ids of their subscriptions.
    var subscribers: [String: FeedName] = [:]
    /// The feeds whose hubs are being asked.
    var asking: Set<FeedName> = []
    /// The subscriptions that are not wanted any more, by their ids.
    var endings: [String: PushEnding] = [:]

    init(
        known: [String: SourceState],
        kept: [String: SourceState] = [:],
        isShared: Bool = false,
        _ callbackBase: String? = nil
    ) {
        self.known = known
        self.kept = kept
        self.isShared = isShared
        isFetching = !isShared
        self.callbackBase = callbackBase
    }

    /// Returns whether an attempt is for the source that its feed has now.
    private func isSource(_ attempt: Attempt) -> Bool {
        guard let entry = entries[attempt.settings.feed] else { return false }
        return entry.state.address == attempt.state.address && entry.number == attempt.number
    }

    /// Returns whether an attempt is to go on.
    func isWanted(_ attempt: Attempt) -> Bool { !isStopped && isSource(attempt) }

    /// Returns whether a refresh that waits for an attempt ignores the feed's guard against
    /// removals.
    func mayRemoveAny(_ attempt: Attempt) -> Bool {
        entries[attempt.settings.feed]?.mayRemoveAny ?? false
    }

    /// The number of sources, and the number of those that could not be read at their last attempt.
    var counts: (all: Int, failing: Int) {
        (entries.count, entries.values.count { $0.state.failureCount > 0 })
    }

    /// The number of sources that could not be read at their last attempt, by reason.
    var failing: [SourceFailure.Reason: Int] {
        let reasons = entries.values.compactMap { entry in
            entry.state.reason.flatMap(SourceFailure.Reason.init(rawValue:))
        }
        return Dictionary(reasons.map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// Returns the reports on the first feeds after a name.
    func page(
        after name: [UInt8],
        prefix: [UInt8],
        limit: Int,
        onlyFailing: Bool
    ) -> [(feed: FeedName, report: SourceReport)] {
        var found: [(feed: FeedName, report: SourceReport)] = []
        for feed in names where found.count < limit {
            let bytes = feed.rawValue.utf8
            guard name.lexicographicallyPrecedes(bytes), bytes.starts(with: prefix),
                let report = report(on: feed), !onlyFailing || report.failureCount > 0
            else { continue }
            found.append((feed, report))
        }
        return found
    }

    func report(on feed: FeedName) -> SourceReport? {
        guard let entry = entries[feed] else { return nil }
        return SourceReport(
            location: entry.settings.location.shown,
            succeeded: entry.state.succeeded,
            error: entry.state.error,
            reason: entry.state.reason,
            failureCount: entry.state.failureCount,
            notes: entry.state.notes ?? [],
            next: entry.next.map { max($0, pause(of: entry)) },
            push: entry.state.push.map { push in
                SourceReport.Push(
                    hub: WebAddress.shown(push.hub),
                    until: push.leaseEnd,
                    last: push.pushed,
                    missedCount: push.missedCount,
                    error: push.error
                )
            }
        )
    }

    /// Replaces the sources; the first tries of new ones are spread over up to a minute.
    ///
    /// - Returns: The waiters for sources that were removed.
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
            let spread = min(source.everySeconds ?? 60, 60)
            let first = now + Int(random() * Double(sources.count > 10 ? spread : 1))
            var entry = Entry(source, first: first)
            if let running = entries[source.feed] { entry.waiting = running.waiting }
            if let old = known[source.feed.rawValue] { begin(&entry, with: old, now: now) }
            taken[source.feed] = entry
        }
        let dropped = entries.filter { taken[$0.key] == nil }.values.flatMap(\.waiting)
        for (feed, entry) in entries where taken[feed]?.state.address != entry.state.address {
            endPush(of: entry)
        }
        entries = taken
        // A source that comes back later begins anew: its stored state is of long ago.
        known = [:]
        names = taken.keys.sorted()
        subscribers = [:]
        for feed in entries.keys { renewSubscription(of: feed) }
        return dropped
    }

    /// Sets an entry to a stored state, if the state is of the same source.
    private mutating func begin(_ entry: inout Entry, with old: SourceState, now: Int) {
        guard old.address == entry.state.address else { return }
        entry.state = old.checked(now: now, every: entry.settings.everySeconds)
        entry.next = max(entry.next ?? now, entry.state.nextTry)
        if entry.state.pausedUntil > now, !entry.host.isEmpty {
            hosts.pause(entry.host, until: entry.state.pausedUntil)
        }
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
        guard !entry.isRunning, hosts.earliest(entry.host) != nil else { return .waits }
        return .begin(begin(feed, entry, now))
    }

    mutating func begin(_ feed: FeedName, _ entry: Entry, _ now: Int) -> Attempt {
        tryCount += 1
        entries[feed]?.isRunning = true
        entries[feed]?.number = tryCount
        if entry.hasPush { entries[feed]?.pushFetched = now }
        entries[feed]?.hasPush = false
        // Files have no host.
        if !entry.host.isEmpty { hosts.begin(entry.host) }
        return Attempt(
            settings: entry.settings,
            state: entry.state,
            host: entry.host,
            number: tryCount
        )
    }

    /// Ends an attempt that has no outcome: the service is stopped, or the source is removed.
    mutating func abandon(_ attempt: Attempt) {
        leave(attempt.host)
        guard isSource(attempt) else { return }
        entries[attempt.settings.feed]?.isRunning = false
    }

    /// Ends an attempt, records its outcome, and sets the time of the next attempt.
    ///
    /// - Returns: The waiters for the attempt, and whether the outcome is news: another error than
    ///   before, or none any more.
    mutating func end(
        _ attempt: Attempt,
        _ state: SourceState,
        _ outcome: SourceService.Outcome,
        now: Int,
        random: Double
    ) -> (waiting: [Waiter], isNews: Bool) {
        needsWrite = true
        let feed = attempt.settings.feed
        leave(attempt.host)
        // Another source may have the feed's name by now, with a try of its own.
        guard isSource(attempt), var entry = entries[feed] else { return ([], false) }
        let oldError = entry.state.error
        let waiting = entry.waiting
        entry.waiting = []
        entry.mayRemoveAny = false
        entry.isRunning = false
        entry.finalHost = attempt.host == entry.host ? nil : attempt.host
        let isHostRefusal = note(outcome, of: attempt, now: now)
        entry.note(outcome, state, now: now, isHostRefusal: isHostRefusal)
        // A pause of its host does not cost a source its turn.
        let next =
            isHostRefusal
            ? entry.next ?? now : entry.nextTry(after: outcome, now: now, random: random)
        // Settings that have changed meanwhile count at once.
        entry.next = entry.settings == attempt.settings ? next : max(now, state.pausedUntil)
        if entry.hasPush { entry.next = nextAfterPush(entry, now) }
        entry.state.nextTry = entry.next ?? 0
        entries[feed] = entry
        renewSubscription(of: feed)
        return (waiting, oldError != entry.state.error)
    }

    /// Returns whether states are to be written to the journal now: every ten seconds at most,
    /// except for a request to a hub, which other servers must know of.
    mutating func beginWrite(now: Int) -> Bool {
        guard needsWrite, isFetching, !isKeeping, isWriteUrgent || now - lastKept >= 10 else {
            return false
        }
        (isWriteUrgent, lastKept) = (false, now)
        return true
    }

    /// Returns the states that the journal lacks, by feed, with `nil` for each source that is gone
    /// but still in the journal.
    ///
    /// The result is `nil` if another server keeps the states.
    mutating func takeChanges() -> [String: SourceState?]? {
        guard isFetching else { return nil }
        (needsWrite, isKeeping) = (false, true)
        var changes: [String: SourceState?] = [:]
        for (feed, entry) in entries where kept[feed.rawValue] != entry.state {
            changes[feed.rawValue] = entry.state
        }
        for name in kept.keys where FeedName(name).map({ entries[$0] == nil }) ?? true {
            changes[name] = .some(nil)
        }
        return changes
    }

    /// Records the states that the journal has now; `nil`: it could not take them, and they are to
    /// be written again.
    mutating func endKeeping(_ changes: [String: SourceState?]?, now: Int) {
        isKeeping = false
        guard let changes else {
            needsWrite = true
            return
        }
        for (name, state) in changes { noteKept(state, of: name, now: now) }
    }

    private mutating func noteKept(_ state: SourceState?, of name: String, now: Int) {
        kept[name] = state
        if let push = state?.push, let feed = FeedName(name), let entry = entries[feed],
            entry.isToSubscribe, entry.state.push?.isSameRequest(as: push) == true
        {
            entries[feed]?.subscribingKept = entry.subscribingKept ?? now
        }
    }

    /// Begins to fetch in the place of another server, from the states that it has stored.
    mutating func lead(_ states: [String: SourceState], now: Int) {
        kept = [:]
        adopt(states, now: now)
        isFetching = true
        for feed in entries.keys { renewSubscription(of: feed) }
        needsWrite = true
    }

    /// Takes over states that another server has stored.
    mutating func adopt(_ states: [String: SourceState], now: Int) {
        for (name, state) in states {
            guard let feed = FeedName(name), var entry = entries[feed] else {
                known[name] = state
                continue
            }
            if let push = entry.state.push { subscribers[push.id] = nil }
            if entry.isRunning {
                entry.state.push = state.push
            } else {
                entry.next = now
                begin(&entry, with: state, now: now)
            }
            entry.isToSubscribe = false
            entries[feed] = entry
            if let push = entry.state.push { subscribers[push.id] = feed }
            noteKept(state, of: name, now: now)
        }
    }

    /// Ends the table's work, and returns all waiters.
    mutating func stop() -> [Waiter] {
        isStopped = true
        let waiting = entries.values.flatMap(\.waiting)
        for feed in entries.keys { entries[feed]?.waiting = [] }
        return waiting
    }
}

/// Searches for sources that are due.
extension SourceTable {
    /// Returns the fetches that are to begin now, the one that is due for longest first, and marks
    /// them as begun.
    mutating func due(now: Int) -> [Attempt] {
        guard !isStopped else { return [] }
        note(now: now)
        var due: [(next: Int, feed: FeedName)] = []
        // This is called after each fetch: entries that wait for their time or host are not copied.
        for index in entries.indices {
            guard let next = entries.values[index].next, next <= now,
                let earliest = hosts.earliest(entries.values[index].host), earliest <= now
            else { continue }
            let (feed, entry) = entries[index]
            if isDue(entry, now) { due.append((next, feed)) }
        }
        var attempts: [Attempt] = []
        for (_, feed) in due.sorted(by: <) {
            // An attempt before may have begun at the host.
            guard let entry = entries[feed], hosts.earliest(entry.host) != nil else { continue }
            attempts.append(begin(feed, entry, now))
        }
        return attempts
    }

    /// Returns whether a source, or the host that it redirects to, has asked for a pause.
    private func isPaused(_ entry: Entry, _ now: Int) -> Bool {
        if entry.state.pausedUntil > now { return true }
        return entry.finalHost.map { hosts.allowed($0) > now } ?? false
    }

    private func isDue(_ entry: Entry, _ now: Int) -> Bool {
        guard !entry.isRunning, isFetching || !entry.waiting.isEmpty else { return false }
        return (entry.next ?? .max) <= now && !isPaused(entry, now)
    }
}

/// Hosts that sources redirect to.
extension SourceTable {
    /// Moves a fetch to the host that it was redirected to, and releases the host before.
    ///
    /// - Parameter turn: If the host is busy, this is called when it is the fetch's turn, in the
    ///   call that releases the host.
    /// - Returns: Whether the fetch has the host now.
    mutating func move(
        _ attempt: inout Attempt,
        to host: String,
        or turn: @escaping HostQueue.Turn
    ) -> Bool {
        if host == attempt.host { return true }
        leave(attempt.host)
        if !attempt.host.isEmpty { hosts.answered(attempt.host, rest: attempt.rest, now: latest) }
        attempt.rest = 0
        attempt.host = host
        return hosts.begin(host, or: turn)
    }

    /// Releases a host.
    mutating func leave(_ host: String) {
        // Files have no host.
        guard !host.isEmpty else { return }
        hosts.end(host)
    }

    /// Records what the outcome of an attempt says about the host where it ended.
    ///
    /// - Returns: Whether the host refuses all requests for a while, and not only those for the
    ///   source.
    mutating func note(
        _ outcome: SourceService.Outcome,
        of attempt: Attempt,
        now: Int
    ) -> Bool {
        guard !attempt.host.isEmpty else { return false }
        switch outcome {
        case .failure(.paused(_, let seconds)):
            // A request that was redirected to a paused host was not sent.
            if hosts.pause(of: attempt.host) > now { return true }
            return hosts.refused(attempt.host, for: seconds, now: now)
        case .failure(.transport): break
        case .success, .failure: hosts.answered(attempt.host, rest: attempt.rest, now: now)
        }
        return false
    }

    /// Returns the end of the pauses that keep a source from being asked.
    func pause(of entry: Entry) -> Int {
        let end = max(entry.state.pausedUntil, hosts.pause(of: entry.host))
        return max(end, entry.finalHost.map { hosts.pause(of: $0) } ?? 0)
    }
}

/// Changes a source's entry after an attempt.
extension SourceTable.Entry {
    /// Takes the state of a source after an attempt, and the outcome; the entry keeps its own
    /// subscription.
    ///
    /// - Parameter isHostRefusal: Whether the source did not fail itself, but its host wants no
    ///   requests for a while.
    mutating func note(
        _ outcome: SourceService.Outcome,
        _ new: SourceState,
        now: Int,
        isHostRefusal: Bool
    ) {
        let (push, before) = (state.push, state.succeeded)
        state = new
        state.push = push
        switch outcome {
        case .success(let publication):
            if publication?.isChanged == true { state.push?.miss(since: before, now: now) }
            (state.error, state.reason) = (nil, nil)
            state.failureCount = 0
            state.pauseCount = nil
            state.succeeded = now
        case .failure(let failure):
            (state.error, state.reason) = (failure.description, failure.reason.rawValue)
            state.failureCount += 1
            if isHostRefusal { state.pauseCount = (state.pauseCount ?? 0) + 1 }
        }
    }

    /// Returns the time of the next attempt by the schedule; `nil`: not before a refresh is asked
    /// for.
    func nextTry(after outcome: SourceService.Outcome, now: Int, random: Double) -> Int? {
        var isGone = false
        if case .failure(.status(410, _)) = outcome { isGone = true }
        return SourceSchedule.next(
            state,
            every: settings.everySeconds.map { max(1, $0) },
            now: now,
            random: random,
            isGone: isGone
        )
    }
}

/// Corrections after the clock was put back, as on a machine that started with a wrong time.
///
/// Without them, tries would wait until the clock has reached their old times.
extension SourceTable {
    /// The seconds that a clock may be put back without a correction.
    static let clockTolerance = 10

    /// Takes note of the time, and corrects all times if the clock was put back since the last
    /// note.
    private mutating func note(now: Int) {
        let difference = latest - now
        if difference == 0 { return }
        latest = now
        guard difference > SourceTable.clockTolerance else { return }
        for (feed, old) in entries {
            var entry = old
            entry.state.putBack(by: difference, to: now)
            entry.next = entry.next.map { $0 - difference }
            entry.pushFetched = min(entry.pushFetched, now)
            entries[feed] = entry
        }
        hosts.putBack(by: difference)
        // The clock cannot be compared with the time of the last write any more.
        lastKept = 0
    }
}

extension SourceState {
    /// Returns the state for use after a restart, corrected if the clock was put back since; all
    /// times are in seconds, and `every` is the operator's interval, if there is one.
    func checked(now: Int, every: Int?) -> SourceState {
        // This is longer than any wait.
        let longest = 4 * max(SourceSchedule.failureCeiling, every ?? 0)
        let difference = max(succeeded - now, nextTry - now - longest)
        guard difference > SourceTable.clockTolerance else { return self }
        var state = self
        state.putBack(by: difference, to: now)
        return state
    }

    /// Makes future times so many seconds earlier, and past times no later than now.
    fileprivate mutating func putBack(by seconds: Int, to now: Int) {
        nextTry = max(0, nextTry - seconds)
        pausedUntil = max(0, pausedUntil - seconds)
        validatorsSince = min(validatorsSince, now)
        movedSince = min(movedSince, now)
        goneSince = min(goneSince, now)
        succeeded = min(succeeded, now)
        changed = min(changed, now)
        newest = min(newest, now)
        push?.putBack(by: seconds, to: now)
    }
}

extension SourceSettings {
    /// The seconds between fetches; `nil`: as the publisher asks.
    fileprivate var everySeconds: Int? { every.map { Int($0.components.seconds) } }
}

extension SourceSettings.Location {
    /// The address, or the file's path.
    package var text: String {
        switch self {
        case .web(let url): url
        case .file(let path): path
        }
    }
}
