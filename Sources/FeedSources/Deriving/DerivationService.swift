import Dispatch
package import FeedModel
package import FeedStore
import Synchronization

/// Makes derived feeds, and updates them when the feeds that they are made of change.
///
/// Any thread may call it. It ends with ``stop()``.
package final class DerivationService: Sendable {
    /// Publishes a derived feed's next content; the completion gets the publication, or the reason
    /// of the failure in words.
    package typealias Publish =
        @Sendable (
            FeedName, Snapshot, @escaping @Sendable (Publication?, _ failure: String) -> Void
        ) -> Void

    /// Called when a feed cannot be published, and with `nil` when it can be again.
    package typealias Report = @Sendable (FeedName, _ failure: String?) -> Void

    private struct State {
        var derivations: [Derivation] = []
        var derived: Set<FeedName> = []
        var tasks: [FeedName: DerivationTask] = [:]
        var isRunning = false
    }

    private let state = Mutex(State())
    private let store: FeedStore
    private let workers = DerivationWorkers()
    private let publish: Publish
    private let report: Report
    private let queue = DispatchQueue(label: "derivations")

    /// The time from a failed publish to the next try.
    private static let pause = DispatchTimeInterval.seconds(2)

    /// Makes the service; nothing is published before ``start()``.
    package init(
        _ derivations: [Derivation],
        _ store: FeedStore,
        report: @escaping Report = { _, _ in },
        publish: @escaping Publish
    ) {
        self.store = store
        self.publish = publish
        self.report = report
        take(derivations)
        store.observe { [weak self] feed in self?.changed(feed) }
    }

    /// Starts making all feeds, also again after ``stop()``.
    package func start() {
        let tasks = state.withLock { state in
            state.isRunning = true
            for task in state.tasks.values { task.startAnew() }
            return state.tasks.values.filter { $0.begin() }
        }
        for task in tasks { submit(task) }
    }

    /// Stops making feeds.
    package func stop() { state.withLock { $0.isRunning = false } }

    /// Replaces the derivations; feeds whose derivation stays as it was are not made again.
    package func take(_ derivations: [Derivation]) {
        let derived = Set(derivations.map(\.feed))
        workers.keep(derived)
        let tasks: [DerivationTask] = state.withLock { state in
            let others = derived.symmetricDifference(state.derived)
            var tasks: [FeedName: DerivationTask] = [:]
            for derivation in derivations {
                let old = state.tasks[derivation.feed]
                let isSame = old?.derivation == derivation && !derivation.hasPattern(for: others)
                tasks[derivation.feed] =
                    (isSame ? old : nil) ?? DerivationTask(derivation, derived: derived)
            }
            (state.derivations, state.derived, state.tasks) = (derivations, derived, tasks)
            return state.isRunning ? tasks.values.filter { $0.begin() } : []
        }
        for task in tasks { submit(task) }
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

    /// Submits the derived feeds that are made of a feed that has changed.
    private func changed(_ feed: FeedName) {
        let tasks: [DerivationTask] = state.withLock { state in
            guard state.isRunning, !state.derivations.isEmpty else { return [] }
            return state.derivations.compactMap { derivation in
                derivation.place(of: feed, derived: state.derived) == nil
                    ? nil : state.tasks[derivation.feed]
            }
        }
        for task in tasks where task.note(feed) { submit(task) }
    }

    private func isCurrent(_ task: DerivationTask) -> Bool {
        state.withLock { $0.isRunning && $0.tasks[task.derivation.feed] === task }
    }

    private func submit(_ task: DerivationTask) {
        workers.submit(for: task.derivation.feed) { [weak self] in self?.run(task) }
    }

    /// Applies the changes of the sources, and publishes the result; runs once at a time for each
    /// feed.
    private func run(_ task: DerivationTask) {
        let feed = task.derivation.feed
        guard isCurrent(task) else {
            task.abandon()
            // The service may have been started again meanwhile.
            if isCurrent(task), task.begin() { submit(task) }
            return
        }
        publish(feed, task.next(store)) { [weak self] publication, failure in
            guard let self else { return }
            workers.submit(for: feed) { [self] in
                if let publication {
                    if task.succeeded(publication.current.snapshot) { report(feed, nil) }
                    if task.goesOn() { submit(task) }
                    return
                }
                if task.failed(failure) { report(feed, failure) }
                queue.asyncAfter(deadline: .now() + DerivationService.pause) { [weak self] in
                    self?.submit(task)
                }
            }
        }
    }
}
