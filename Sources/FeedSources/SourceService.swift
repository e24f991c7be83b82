import Dispatch
import FeedFormats
package import FeedModel
package import FeedStore
package import HTTPClient
import Synchronization

/// Fetches the sources of feeds, and publishes their content.
///
/// Any thread may call it. It ends with ``stop()``.
package final class SourceService: Sendable {
    /// Publishes a source's content.
    package typealias Publish =
        @Sendable (
            FeedName, SourceContent, RemovalGuard.Allowance,
            @escaping @Sendable (Result<Publication, SourceFailure>) -> Void
        ) -> Void

    /// Returns the token of a feed's current version; `nil`: the feed does not exist.
    package typealias Current = @Sendable (FeedName) -> String?

    /// The result of a try.
    package typealias Outcome = Result<Publication?, SourceFailure>

    /// Called after each try, with the feed, the outcome, whether the outcome is news, and the
    /// oddities of the document if they are new.
    package typealias Report =
        @Sendable (FeedName, Outcome, _ isNews: Bool, _ notes: [String]) -> Void

    let state: Mutex<SourceTable>
    /// The thread for short work, such as taking responses.
    let worker = SourceWorker()
    /// The thread that reads documents.
    let reader = SourceWorker()
    let client: HTTPClient
    let publish: Publish
    let current: Current
    let report: Report
    let wall: @Sendable () -> Int
    let pushes = PushCounters()
    /// The journal that keeps the states; `nil`: none does.
    private let journal: (any Journal)?
    /// The damages of the kept states, in words.
    package let damage: [String]
    private let queue = DispatchQueue(label: "sources")

    /// Makes the service; nothing is fetched before ``start()``.
    ///
    /// - Parameters:
    ///   - sources: The sources, at most one for each feed.
    ///   - journal: The journal that keeps the states of the sources; `nil`: none. Of several
    ///     servers that share it, one fetches and keeps states at a time (``take(_:)``).
    ///   - recovered: What the journal has kept.
    ///   - client: The settings of the client, except for the addresses that it allows.
    ///   - callbackBase: The start of the addresses that hubs push to; `nil`: nothing can be
    ///     pushed.
    ///   - wall: Returns the current time, in seconds since 1970.
    /// - Throws: ``HTTPClientError/unavailable``.
    package init(
        _ sources: [SourceSettings],
        journal: (any Journal)? = nil,
        recovered: RecoveredState = RecoveredState(),
        client settings: HTTPClient.Settings = HTTPClient.Settings(),
        callbackBase: String? = nil,
        wall: @escaping @Sendable () -> Int,
        report: @escaping Report = { _, _, _, _ in },
        current: @escaping Current,
        publish: @escaping Publish
    ) throws(HTTPClientError) {
        var settings = settings
        settings.allows = { _, address in address.isPublic }
        client = try HTTPClient(settings)
        self.wall = wall
        self.publish = publish
        self.current = current
        self.report = report
        self.journal = journal
        let known = KnownSources(recovered)
        damage = known.damage
        let isShared = journal is any SharedJournal
        state = Mutex(
            SourceTable(known: known.all, kept: known.kept, isShared: isShared, callbackBase)
        )
        take(sources)
        if recovered.oldSources != nil { keep() }
    }

    /// Takes note of what concerns the leader of several servers: sources are fetched when they are
    /// due by the leader alone, and by others when a refresh is asked for.
    package func take(_ event: LeadershipEvent) {
        let now = wall()
        switch event {
        case .began(let records):
            state.withLock { $0.lead(KnownSources(records).kept, now: now) }
            tick()
        case .ended: state.withLock { $0.isFetching = false }
        case .kept(let records):
            state.withLock { $0.adopt(KnownSources(records).kept, now: now) }
        case .told(let words): take(words)
        }
    }

    /// Begins to fetch.
    package func start() {
        queue.async { [weak self] in self?.run() }
    }

    /// Begins due work every second, until the service is stopped.
    private func run() {
        guard !state.withLock(\.isStopped) else { return }
        tick()
        queue.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in self?.run() }
    }

    /// Stops fetching, fails all waiting refreshes, and writes the states of the sources.
    package func stop() {
        let waiting = state.withLock { $0.stop() }
        for waiter in waiting { waiter(.failure(.stopped)) }
        keep()
    }

    /// Replaces the sources; the states of sources that stay are kept.
    package func take(_ sources: [SourceSettings]) {
        let now = wall()
        let dropped = state.withLock { $0.take(sources, now: now, random: { .random(in: 0..<1) }) }
        for waiter in dropped { waiter(.failure(.removed)) }
    }

    /// Sets the start of the addresses that hubs push to; `nil`: nothing can be pushed.
    package func setCallbackBase(_ base: String?) {
        state.withLock { $0.setCallbackBase(base) }
    }

    /// Whether a feed has a source.
    package func isSourced(_ feed: FeedName) -> Bool { state.withLock { $0.has(feed) } }

    /// Returns the status of a feed's source; `nil`: the feed has none.
    package func status(of feed: FeedName) -> SourceStatus? {
        state.withLock { $0.status(of: feed) }
    }

    /// The statuses of all feeds that have a source.
    package var statuses: [(feed: FeedName, status: SourceStatus)] {
        state.withLock(\.statuses)
    }

    /// Returns the statuses of the first feeds with a source after a feed's name.
    ///
    /// - Parameters:
    ///   - name: The UTF-8 of a name, or any other bytes.
    ///   - prefix: The bytes that the names begin with.
    ///   - limit: The most statuses.
    ///   - onlyFailing: Whether sources that could be read at their last try are left out.
    package func page(
        after name: [UInt8],
        prefix: [UInt8],
        limit: Int,
        onlyFailing: Bool
    ) -> [(feed: FeedName, status: SourceStatus)] {
        state.withLock {
            $0.page(after: name, prefix: prefix, limit: limit, onlyFailing: onlyFailing)
        }
    }

    /// The number of sources, and the number of those that could not be read at their last try.
    package var counts: (all: Int, failing: Int) { state.withLock(\.counts) }

    /// The number of sources that could not be read at their last try, by reason.
    package var failing: [SourceFailure.Reason: Int] { state.withLock(\.failing) }

    /// Fetches a feed's source now; refreshes at the same time share one fetch.
    ///
    /// - Parameters:
    ///   - feed: The feed.
    ///   - mayRemoveAny: Whether the feed's guard against removals is ignored.
    ///   - completion: Gets the outcome; ``SourceFailure/paused(_:seconds:)`` at once while the
    ///     source has asked for a pause.
    package func refresh(
        _ feed: FeedName,
        mayRemoveAny: Bool = false,
        completion: @escaping @Sendable (Outcome) -> Void
    ) {
        let now = wall()
        let refresh = state.withLock {
            $0.refresh(feed, mayRemoveAny: mayRemoveAny, now: now, completion)
        }
        switch refresh {
        case .begin(let task): begin(task)
        case .waits: break
        case .refused(let failure): completion(.failure(failure))
        }
    }

    /// Begins the fetches and requests to hubs that are due, and has changed states written.
    func tick() {
        let now = wall()
        for task in state.withLock({ $0.due(now: now) }) { begin(task) }
        subscribe(now: now)
        if state.withLock({ $0.takeNews(now: now) }) {
            worker.submit { [weak self] in self?.keep() }
        }
    }

    /// Has the journal keep the states that have changed.
    private func keep() {
        guard let journal, let changes = state.withLock({ $0.takeChanges() }) else { return }
        journal.keep(changes.mapValues { $0.map(SourceRecord.bytes) ?? [] }) { [self] areKept in
            let now = wall()
            state.withLock { $0.endKeeping(areKept ? changes : [:], now: now) }
        }
    }

    /// Tells the leader, if that is another server.
    func tellLeader(_ words: String) {
        guard !state.withLock(\.isFetching) else { return }
        (journal as? any SharedJournal)?.tellLeader(words)
    }

    /// Records the outcome of a try, and reports it.
    func end(_ task: SourceTable.Task, _ new: SourceState, _ outcome: Outcome) {
        let now = wall()
        let random = Double.random(in: 0..<1)
        let (waiting, isNews) = state.withLock { table in
            table.end(task, new, outcome, now: now, random: random)
        }
        giveTurns()
        let notes = new.notes == task.state.notes ? [] : new.notes ?? []
        report(task.settings.feed, outcome, isNews, notes)
        for waiter in waiting { waiter(outcome) }
        tick()
    }
}
