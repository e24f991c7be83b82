import DequeModule
import FeedModel
import Synchronization

/// Runs publishes: those of one feed in order, those of different feeds side by side.
///
/// Only the first of a feed's queue is among the work that threads choose from.
final class FeedQueues: Sendable {
    private struct Entry {
        let work: QueuedWork
        let size: WorkSize
    }

    private struct State {
        /// The work that waits behind the running work, for each feed that has any.
        var waiting: [FeedName: Deque<Entry>] = [:]
        var count = 0
        var byteCount = 0
    }

    private let scheduler: WorkScheduler
    private let limits: WorkPool.Limits
    private let state = Mutex(State())

    /// - Parameters:
    ///   - scheduler: The scheduler, which has the threads.
    ///   - limits: How much may wait in all; a feed may have a quarter of it.
    init(_ scheduler: WorkScheduler, limits: WorkPool.Limits) {
        self.scheduler = scheduler
        self.limits = limits
    }

    /// Runs `work` after everything that was submitted for its feed before, or refuses it.
    ///
    /// - Parameters:
    ///   - feed: The feed that it changes.
    ///   - size: Which threads it runs on.
    ///   - work: One of its closures is called, once.
    func submit(_ feed: FeedName, _ size: WorkSize, _ work: QueuedWork) {
        let entry = Entry(work: work, size: size)
        let (isFirst, isRefused) = state.withLock { state -> (Bool, Bool) in
            guard let queue = state.waiting[feed] else {
                state.waiting[feed] = Deque()
                return (true, false)
            }
            guard queue.count < max(1, limits.count / 4), state.count < limits.count,
                state.byteCount == 0 || state.byteCount + work.byteCount <= limits.byteCount
            else { return (false, true) }
            state.waiting[feed]?.append(entry)
            state.count += 1
            state.byteCount += work.byteCount
            return (false, false)
        }
        if isRefused {
            scheduler.refusals.note(.publish)
            work.refuse()
        }
        if isFirst { start(feed, entry) }
    }

    private func start(_ feed: FeedName, _ entry: Entry) {
        let work = entry.work
        scheduler.publishes(entry.size).submit(
            QueuedWork(
                flow: work.flow,
                time: work.time,
                byteCount: work.byteCount,
                isWanted: work.isWanted,
                run: {
                    work.run()
                    self.startNext(feed)
                },
                refuse: {
                    work.refuse()
                    self.startNext(feed)
                }
            )
        )
    }

    private func startNext(_ feed: FeedName) {
        let next = state.withLock { state in
            guard let next = state.waiting[feed]?.popFirst() else {
                state.waiting[feed] = nil
                return nil as Entry?
            }
            state.count -= 1
            state.byteCount -= next.work.byteCount
            return next
        }
        if let next { start(feed, next) }
    }
}

/// Counts what publishes hold that the journal has not decided yet, and those that wait for one
/// with the same Idempotency-Key.
///
/// They take no thread and are in no queue, so a disk that stands still would gather them, also
/// those whose clients have given up, until there is no memory left.
final class UndecidedPublishes: Sendable {
    private let byteCount = Atomic(0)
    private let byteLimit: Int

    /// The bytes that a publish holds beside its body and the version made of that.
    private static let leastByteCount = 4 << 10

    /// - Parameter byteLimit: The bytes that they hold when no more are taken.
    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// Counts one more, unless there is too much of them.
    ///
    /// - Parameter content: The bytes of its body.
    /// - Returns: Whether it was counted; then it is to be ended.
    func begin(_ content: Int) -> Bool {
        let own = UndecidedPublishes.byteCount(content)
        let others = byteCount.add(own, ordering: .relaxed).oldValue
        // A large one is not refused for ever where there are always some small ones.
        guard others >= byteLimit else { return true }
        byteCount.subtract(own, ordering: .relaxed)
        return false
    }

    /// Counts one less.
    func end(_ content: Int) {
        byteCount.subtract(UndecidedPublishes.byteCount(content), ordering: .relaxed)
    }

    /// The body, and the version that is made of it.
    private static func byteCount(_ content: Int) -> Int { leastByteCount + 2 * content }
}
