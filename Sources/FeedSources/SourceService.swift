import Dispatch
package import FeedAPI
package import FeedModel
package import FeedStore
package import HTTPClient
import Platform
import Synchronization

/// Fetches the sources of feeds, and publishes their content.
///
/// Any thread may call it. A fetch that is under way is a task (``fetch(_:)``); a source that waits
/// for its time takes no more than its entry in the table. The service ends with ``stop()``.
package final class SourceService: Sendable {
    /// The result of an attempt.
    package typealias Outcome = Result<Publication?, SourceFailure>

    /// Called after each attempt, with the feed, the outcome, whether its error differs from the
    /// last attempt's, and the document's deviations from its format if they are new.
    package typealias Report =
        @Sendable (FeedName, Outcome, _ isNews: Bool, _ notes: [String]) -> Void

    /// A task that is under way, with the attempt that it is for; `nil`: it is for no source.
    private struct Work {
        let attempt: SourceTable.Attempt?
        let task: Task<Void, Never>
    }

    let table: Mutex<SourceTable>
    let client: HTTPClient
    let store: FeedStore
    /// The API, which publishes fetched content and has the threads that read documents; `nil`
    /// before ``publish(with:)`` and after ``stop()``.
    let api = Mutex<FeedAPI?>(nil)
    let report: Report
    let wall: @Sendable () -> Int
    /// The numbers of pushes since the start, and of those that were ignored.
    let receivedPushCount = Atomic(0)
    let ignoredPushCount = Atomic(0)
    private let work = Mutex<[Int: Work]>([:])
    private let lastID = Atomic(0)
    /// The journal, which stores the states of the sources; `nil`: they are only in memory.
    private let journal: (any Journal)?
    /// The descriptions of stored states that were damaged, for the operator.
    package let damage: [String]
    /// Calls ``run()`` every second.
    private let queue = DispatchQueue(label: "sources")
    private let executor = QueueExecutor(label: "fetches")

    /// Makes the service; nothing is fetched before ``publish(with:)``, and nothing by the clock
    /// before ``start()``.
    ///
    /// - Parameters:
    ///   - sources: The sources, at most one for each feed.
    ///   - journal: The journal, which stores the states of the sources; `nil`: none. Of several
    ///     servers that share it, one fetches and stores states at a time (``take(_:)``).
    ///   - client: The settings of the client, except for the addresses that it allows.
    ///   - callbackBase: The start of the addresses that hubs push to; `nil`: nothing can be
    ///     pushed.
    ///   - wall: Returns the current time, in seconds since 1970.
    /// - Throws: ``HTTPClientError/unavailable``.
    package init(
        _ sources: [SourceSettings],
        _ store: FeedStore,
        journal: (any Journal)? = nil,
        recovered: RecoveredState = RecoveredState(),
        client settings: HTTPClient.Settings = HTTPClient.Settings(),
        callbackBase: String? = nil,
        wall: @escaping @Sendable () -> Int,
        report: @escaping Report = { _, _, _, _ in }
    ) throws(HTTPClientError) {
        var settings = settings
        settings.allows = { _, address in address.isPublic }
        client = try HTTPClient(settings)
        self.store = store
        self.wall = wall
        self.report = report
        self.journal = journal
        let known = KnownSources(recovered)
        damage = known.damage
        let isShared = journal is any SharedJournal
        // The states of a file are all written to the journal.
        let kept = recovered.oldSources == nil ? known.states : [:]
        table = Mutex(
            SourceTable(known: known.states, kept: kept, isShared: isShared, callbackBase)
        )
        take(sources)
        if recovered.oldSources != nil { keep() }
    }

    /// Sets the API through which fetched content is published.
    package func publish(with api: FeedAPI) { self.api.withLock { $0 = api } }

    /// Begins to fetch sources when they are due.
    package func start() {
        queue.async { [weak self] in self?.run() }
    }

    /// Begins due work every second, until the service is stopped.
    private func run() {
        guard !table.withLock(\.isStopped) else { return }
        tick()
        queue.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in self?.run() }
    }

    /// Ends all fetches, fails all waiting refreshes, and writes the states of the sources.
    package func stop() {
        let waiting = table.withLock { $0.stop() }
        for waiter in waiting { waiter(.failure(.stopped)) }
        cancelUnwanted()
        keep()
        api.withLock { $0 = nil }
    }

    /// Handles a change of the leader among servers that share a journal, or a message from one of
    /// them.
    ///
    /// Only the leader fetches sources when they are due; other servers fetch a source when a
    /// refresh is asked for.
    package func take(_ event: LeadershipEvent) {
        let now = wall()
        switch event {
        case .began(let records):
            table.withLock { $0.lead(KnownSources(records).states, now: now) }
            tick()
        case .ended: table.withLock { $0.isFetching = false }
        case .kept(let records):
            table.withLock { $0.adopt(KnownSources(records).states, now: now) }
        case .told(let words): take(words)
        }
    }

    /// Replaces the sources; the states of sources that stay are kept, and the fetches of others
    /// end.
    package func take(_ sources: [SourceSettings]) {
        let now = wall()
        let dropped = table.withLock { $0.take(sources, now: now, random: { .random(in: 0..<1) }) }
        for waiter in dropped { waiter(.failure(.removed)) }
        cancelUnwanted()
    }

    /// Sets the start of the addresses that hubs push to; `nil`: nothing can be pushed.
    package func setCallbackBase(_ base: String?) {
        table.withLock { $0.setCallbackBase(base) }
    }

    /// The reports on all feeds that have a source.
    package var reports: [(feed: FeedName, report: SourceReport)] {
        page(after: [], prefix: [], limit: .max, onlyFailing: false)
    }

    /// The number of sources that could not be read at their last attempt, by reason.
    package var failing: [SourceFailure.Reason: Int] { table.withLock(\.failing) }
}

/// Tracks the tasks that are under way.
extension SourceService {
    /// Begins the fetches and requests to hubs that are due, and has changed states written.
    func tick() {
        let now = wall()
        for attempt in table.withLock({ $0.due(now: now) }) { begin(attempt) }
        subscribe(now: now)
        guard journal != nil, table.withLock({ $0.beginWrite(now: now) }) else { return }
        begin { service in
            // Writing the states of many sources takes a while.
            _ = await service.api.withLock(\.self)?.inBackground(.large) { service.keep() }
        }
    }

    /// Fetches a feed's source now; refreshes at the same time share one fetch.
    ///
    /// - Parameters:
    ///   - mayRemoveAny: Whether the feed's guard against removals is ignored.
    ///   - completion: Gets the outcome; ``SourceFailure/paused(_:seconds:)`` at once while the
    ///     source has asked for a pause.
    func fetchNow(
        _ feed: FeedName,
        mayRemoveAny: Bool,
        completion: @escaping @Sendable (Outcome) -> Void
    ) {
        let now = wall()
        let refresh = table.withLock {
            $0.refresh(feed, mayRemoveAny: mayRemoveAny, now: now, completion)
        }
        switch refresh {
        case .begin(let attempt): begin(attempt)
        case .waits: break
        case .refused(let failure): completion(.failure(failure))
        }
    }

    private func begin(_ attempt: SourceTable.Attempt) {
        begin(for: attempt) { await $0.fetch(attempt) }
    }

    /// Begins a task, which is cancelled when the service stops, or when the source that it is for
    /// is removed.
    func begin(
        for attempt: SourceTable.Attempt? = nil,
        _ body: @escaping @Sendable (SourceService) async -> Void
    ) {
        let id = lastID.add(1, ordering: .relaxed).newValue
        work.withLock { work in
            let task = Task(executorPreference: executor) {
                await body(self)
                self.work.withLock { $0[id] = nil }
            }
            work[id] = Work(attempt: attempt, task: task)
        }
    }

    /// Cancels the tasks whose sources are removed, or all when the service is stopped.
    ///
    /// A fetch that begins at the same moment looks at the table itself.
    private func cancelUnwanted() {
        let all = work.withLock { Array($0.values) }
        guard !all.isEmpty else { return }
        let unwanted = table.withLock { table in
            all.filter { work in
                work.attempt.map { !table.isWanted($0) } ?? table.isStopped
            }
        }
        for work in unwanted { work.task.cancel() }
    }

    /// The number of tasks that are under way.
    var taskCount: Int { work.withLock(\.count) }

    /// Writes the changed states to the journal.
    private func keep() {
        guard let journal, let changes = table.withLock({ $0.takeChanges() }) else { return }
        journal.keep(changes.mapValues { $0.map(SourceRecord.bytes) ?? [] }) { [self] areKept in
            let now = wall()
            table.withLock { $0.endKeeping(areKept ? changes : nil, now: now) }
        }
    }

    /// Sends a message to the leader, the one of several servers that fetches; does nothing if this
    /// server is the leader.
    func tellLeader(_ words: String) {
        guard !table.withLock(\.isFetching) else { return }
        (journal as? any SharedJournal)?.tellLeader(words)
    }
}

/// Refreshes and reports for the routes of FeedAPI.
extension SourceService: SourceDirectory {
    package func isSourced(_ feed: FeedName) -> Bool { table.withLock { $0.entries[feed] != nil } }

    package func refresh(
        _ feed: FeedName,
        mayRemoveAny: Bool,
        completion: @escaping @Sendable (Result<Publication?, SourceRefusal>) -> Void
    ) {
        fetchNow(feed, mayRemoveAny: mayRemoveAny) { outcome in
            completion(
                outcome.mapError { failure in
                    switch failure {
                    case .paused(_, let seconds): .paused(seconds: seconds)
                    case .refused(.guarded(let refusal)): .guarded(refusal)
                    default: .failed(failure.description)
                    }
                }
            )
        }
    }

    package func report(on feed: FeedName) -> SourceReport? {
        table.withLock { $0.report(on: feed) }
    }

    package func page(
        after name: [UInt8],
        prefix: [UInt8],
        limit: Int,
        onlyFailing: Bool
    ) -> [(feed: FeedName, report: SourceReport)] {
        table.withLock {
            $0.page(after: name, prefix: prefix, limit: limit, onlyFailing: onlyFailing)
        }
    }

    package var counts: (all: Int, failing: Int) { table.withLock(\.counts) }
}
