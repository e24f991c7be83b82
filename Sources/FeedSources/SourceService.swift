import Dispatch
import FeedFormats
package import FeedModel
package import FeedStore
package import HTTPClient
import Synchronization

/// Fetches the sources of feeds, and publishes what they hold.
///
/// Any thread may call it. It ends with ``stop()``.
package final class SourceService: Sendable {
    /// Publishes what a source holds.
    package typealias Publish =
        @Sendable (
            FeedName, SourceContent, RemovalGuard.Allowance,
            @escaping @Sendable (Result<Publication, SourceFailure>) -> Void
        ) -> Void

    /// The token of a feed's version; `nil`: it is not there.
    package typealias Current = @Sendable (FeedName) -> String?

    /// What became of a try.
    package typealias Outcome = Result<Publication?, SourceFailure>

    /// Told of each try that ended: the feed, what came of it, whether that is news, and what is odd
    /// about the document and was not before.
    package typealias Report =
        @Sendable (FeedName, Outcome, _ isNews: Bool, _ notes: [String]) -> Void

    let state: Mutex<SourceTable>
    /// Takes what comes, which takes no time.
    let worker = SourceWorker()
    /// Reads documents.
    let reader = SourceWorker()
    let client: HTTPClient
    let publish: Publish
    let current: Current
    let report: Report
    let wall: @Sendable () -> Int
    let pushes = PushCounters()
    private let file: SourceStateFile?
    /// Words about what of the kept states could not be used.
    package let damage: [String]
    private let queue = DispatchQueue(label: "sources")

    /// Makes it; nothing is fetched before ``start()``.
    ///
    /// - Parameters:
    ///   - sources: One for each feed at most.
    ///   - path: The file that keeps what is known of them; `nil`: none.
    ///   - client: How requests are sent, but for which addresses are allowed.
    ///   - callbackBase: What the addresses begin with that hubs push to; `nil`: nothing can be
    ///     pushed.
    ///   - wall: Seconds since 1970.
    /// - Throws: ``HTTPClientError/unavailable``.
    package init(
        _ sources: [SourceSettings],
        path: String?,
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
        file = path.map(SourceStateFile.init)
        let known = file?.read()
        damage = known?.damage ?? []
        state = Mutex(SourceTable(known: known?.states ?? [:], callbackBase))
        take(sources)
    }

    /// Fetches what is due, or only what is asked for: of several servers that share feeds, one
    /// fetches.
    package func setFetching(_ isFetching: Bool) {
        state.withLock { $0.isFetching = isFetching }
    }

    /// Begins to fetch.
    package func start() {
        queue.async { [weak self] in self?.run() }
    }

    /// Looks every second for what is due, until it is stopped.
    private func run() {
        guard !state.withLock(\.isStopped) else { return }
        tick()
        queue.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in self?.run() }
    }

    /// Ends all requests, and keeps what is known.
    package func stop() {
        let waiting = state.withLock { $0.stop() }
        for waiter in waiting { waiter(.failure(.stopped)) }
        keep()
    }

    /// Takes over other sources; what is known of those that stay is kept.
    package func take(_ sources: [SourceSettings]) {
        let now = wall()
        let dropped = state.withLock { $0.take(sources, now: now, random: { .random(in: 0..<1) }) }
        for waiter in dropped { waiter(.failure(.removed)) }
    }

    /// Takes over what the addresses begin with that hubs push to; `nil`: nothing can be pushed.
    package func setCallbackBase(_ base: String?) {
        state.withLock { $0.setCallbackBase(base) }
    }

    /// Whether a feed has a source.
    package func isSourced(_ feed: FeedName) -> Bool { state.withLock { $0.has(feed) } }

    /// What there is to say of a feed's source; `nil`: it has none.
    package func status(of feed: FeedName) -> SourceStatus? {
        state.withLock { $0.status(of: feed) }
    }

    /// The same of all feeds that have one.
    package var statuses: [(feed: FeedName, status: SourceStatus)] {
        state.withLock(\.statuses)
    }

    /// The same of the first of them after a feed's name.
    ///
    /// - Parameters:
    ///   - name: The UTF-8 of a name or of anything else.
    ///   - prefix: How the names begin.
    ///   - limit: The most to find.
    ///   - onlyFailing: Whether those that could be read at their last try are left out.
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

    /// How many sources there are, and how many of them could not be read at their last try.
    package var counts: (all: Int, failing: Int) { state.withLock(\.counts) }

    /// How many could not be read at their last try, by what was wrong.
    package var failing: [SourceFailure.Reason: Int] { state.withLock(\.failing) }

    /// Fetches a feed's source now; requests at the same time share one.
    ///
    /// - Parameters:
    ///   - feed: The feed.
    ///   - mayRemoveAny: Whether the feed's guard does not count.
    ///   - completion: Gets what became of it; ``SourceFailure/paused(_:seconds:)`` at once while
    ///     the source has asked for a pause.
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

    /// Begins what is due.
    func tick() {
        let now = wall()
        for task in state.withLock({ $0.due(now: now) }) { begin(task) }
        subscribe(now: now)
        if state.withLock({ $0.takeNews(now: now) }) {
            worker.submit { [weak self] in self?.keep() }
        }
    }

    private func keep() {
        guard let file else { return }
        _ = file.write(state.withLock { $0.states })
    }

    /// Takes note of what became of a try.
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
