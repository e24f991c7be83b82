package import FeedAPI
package import FeedModel
package import FeedStore
import Synchronization

/// Makes derived feeds, and updates them when the feeds that they are made of change.
///
/// Any thread may call it. It ends with ``stop()``.
package final class DerivationService: Sendable {
    /// Called when a feed cannot be published, and with `nil` when it can be again.
    package typealias Report = @Sendable (FeedName, _ failure: String?) -> Void

    private struct State {
        var tasks: [FeedName: DerivationTask] = [:]
        var isRunning = false
    }

    private let state = Mutex(State())
    private let store: FeedStore
    private let report: Report
    /// The API, which publishes the feeds and has the threads that make them; `nil`: not set yet.
    private let api = Mutex<FeedAPI?>(nil)
    private let executor = QueueExecutor(label: "derivations")

    /// The time from a failed publish to the next try.
    private static let pause = Duration.seconds(2)

    /// Makes the service; nothing is published before ``publish(with:)`` and ``start()``.
    package init(
        _ derivations: [Derivation],
        _ store: FeedStore,
        report: @escaping Report = { _, _ in }
    ) {
        self.store = store
        self.report = report
        take(derivations)
        store.observe { [weak self] feed in self?.changed(feed) }
    }

    /// Sets the API through which the feeds are published.
    package func publish(with api: FeedAPI) { self.api.withLock { $0 = api } }

    /// Starts making all feeds, also again after ``stop()``.
    package func start() {
        let tasks = state.withLock { state in
            state.isRunning = true
            for task in state.tasks.values { task.startAnew() }
            return state.tasks.values.filter { $0.begin() }
        }
        for task in tasks { begin(task) }
    }

    /// Stops making feeds.
    package func stop() { state.withLock { $0.isRunning = false } }

    /// Replaces the derivations; feeds whose derivation stays as it was are not made again.
    package func take(_ derivations: [Derivation]) {
        let derived = Set(derivations.map(\.feed))
        let tasks: [DerivationTask] = state.withLock { state in
            let others = derived.symmetricDifference(state.tasks.keys)
            var tasks: [FeedName: DerivationTask] = [:]
            for derivation in derivations {
                let old = state.tasks[derivation.feed]
                let isSame = old?.derivation == derivation && !derivation.hasPattern(for: others)
                tasks[derivation.feed] =
                    (isSame ? old : nil) ?? DerivationTask(derivation, derived: derived)
            }
            state.tasks = tasks
            return state.isRunning ? tasks.values.filter { $0.begin() } : []
        }
        for task in tasks { begin(task) }
    }

    /// Returns why a derived feed cannot be published, in words; `nil`: it can, there is no such
    /// feed, or the service is stopped.
    package func failure(of feed: FeedName) -> String? {
        state.withLock { $0.isRunning ? $0.tasks[feed] : nil }?.failure
    }

    /// The number of derived feeds that cannot be published.
    package var failureCount: Int {
        let tasks = state.withLock { $0.isRunning ? Array($0.tasks.values) : [] }
        return tasks.count { $0.failure != nil }
    }

    /// Starts the tasks of the derived feeds that take items from a changed feed.
    private func changed(_ feed: FeedName) {
        let tasks: [DerivationTask] = state.withLock { state in
            guard state.isRunning else { return [] }
            return state.tasks.values.filter {
                $0.derivation.index(of: feed, isDerived: state.tasks[feed] != nil) != nil
            }
        }
        for task in tasks where task.note(feed) { begin(task) }
    }

    private func isCurrent(_ task: DerivationTask) -> Bool {
        state.withLock { $0.isRunning && $0.tasks[task.derivation.feed] === task }
    }

    private func begin(_ task: DerivationTask) {
        Task(executorPreference: executor) { await self.run(task) }
    }

    /// Makes and publishes a derived feed until nothing has changed meanwhile; runs once at a time
    /// for each feed.
    private func run(_ task: DerivationTask) async {
        let feed = task.derivation.feed
        while true {
            guard isCurrent(task) else {
                task.abandon()
                // The service may have been started again meanwhile.
                guard isCurrent(task), task.begin() else { return }
                continue
            }
            do throws(SourceRefusal) {
                if try await make(task) { report(feed, nil) }
                guard task.goesOn() else { return }
            } catch {
                guard isCurrent(task) else { continue }
                if task.failed(error.description) { report(feed, error.description) }
                try? await Task.sleep(for: DerivationService.pause)
            }
        }
    }

    /// Applies the changes of the sources, publishes the result, and returns whether the publish
    /// before had failed.
    private func make(_ task: DerivationTask) async throws(SourceRefusal) -> Bool {
        guard let api = api.withLock(\.self) else { throw .failed("the server is starting") }
        let feed = task.derivation.feed
        // A derived feed follows the feeds that it is made of, which have guards of their own. When
        // its turn comes, it may have another derivation, by which it was made already, or none.
        let publication = try await api.publishSource(
            to: feed,
            task.size(store),
            allowance: .any,
            mayReplace: { _ in self.isCurrent(task) },
            make: { [store] _ in task.next(store) }
        )
        return task.succeeded(publication.current.snapshot)
    }
}
