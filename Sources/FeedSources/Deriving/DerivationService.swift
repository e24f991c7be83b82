import Dispatch
package import FeedModel
package import FeedStore
import Synchronization

/// Makes derived feeds, and keeps them up as the feeds change that they are made of.
///
/// Any thread may call it. It ends with ``stop()``.
package final class DerivationService: Sendable {
    /// Publishes a derived feed's next content; the completion gets the publication, or why it
    /// cannot be published, in words.
    package typealias Publish =
        @Sendable (
            FeedName, Snapshot, @escaping @Sendable (Publication?, _ failure: String) -> Void
        ) -> Void

    /// Told when a feed cannot be published, and with `nil` when it can be again.
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

    /// How long it waits after a publish that failed.
    private static let pause = DispatchTimeInterval.seconds(2)

    /// Makes it; nothing is published before ``start()``.
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

    /// Begins to make all feeds, again after ``stop()``.
    package func start() {
        let tasks = state.withLock { state in
            state.isRunning = true
            for task in state.tasks.values { task.startAnew() }
            return state.tasks.values.filter { $0.begin() }
        }
        for task in tasks { submit(task) }
    }

    /// Makes no more.
    package func stop() { state.withLock { $0.isRunning = false } }

    /// Takes over other derivations.
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

    /// Why a derived feed cannot be published, in words; `nil`: it can, or there is none.
    package func failure(of feed: FeedName) -> String? {
        state.withLock { $0.isRunning ? $0.tasks[feed] : nil }?.failure
    }

    /// How many derived feeds cannot be published.
    package var failureCount: Int {
        let tasks = state.withLock { $0.isRunning ? Array($0.tasks.values) : [] }
        return tasks.count { $0.failure != nil }
    }

    /// Takes note that a feed has changed.
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

    /// Takes in what changed, and publishes what comes of it; once at a time for each feed.
    private func run(_ task: DerivationTask) {
        let feed = task.derivation.feed
        guard isCurrent(task) else {
            task.abandon()
            // It may have been started again meanwhile.
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
