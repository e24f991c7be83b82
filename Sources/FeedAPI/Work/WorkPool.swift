import Dispatch
import FeedModel
import HTTPServer
import HTTPWire
import Platform
import Synchronization

/// Runs work on a few threads, in the order of a ``FairQueue``, and refuses work beyond its limits.
///
/// A thread starts when there is work for it, and ends after it had none for a while.
final class WorkPool: Sendable {
    /// The limits for waiting work.
    struct Limits: Sendable {
        /// The most pieces of work, including those that run.
        var count: Int
        /// The most bytes of memory of this work; a single piece is always accepted.
        var byteCount = Int.max
        /// The longest time for which a piece of work may wait.
        var age: Duration
    }

    private struct State {
        var waiting = FairQueue()
        var threadCount = 0
        var runningCount = 0
        var runningByteCount = 0
        var isSweepDue = false
        var isClosed = false

        func isOver(_ limits: Limits, with byteCount: Int) -> Bool {
            let count = waiting.count + runningCount
            let sum = waiting.byteCount + runningByteCount + byteCount
            return count >= limits.count || (count > 0 && sum > limits.byteCount)
        }
    }

    private let threadLimit: Int
    private let niceness: CInt
    private let limits: Limits
    private let clock: @Sendable () -> Duration
    private let refused: @Sendable () -> Void
    private let state = Mutex(State())
    private let arrivals = DispatchSemaphore(value: 0)

    private static let idleTime = DispatchTimeInterval.seconds(2)
    /// The processor time in nanoseconds after which a thread, at its end, returns freed memory to
    /// the system.
    ///
    /// Making the document of a large feed allocates many small blocks, which the allocator would
    /// retain after they are freed. Returning them to the system takes some milliseconds.
    private static let returnTime = 500_000_000
    /// The interval of the search for work that has waited too long.
    private static let sweepTime = DispatchTimeInterval.milliseconds(250)
    private static let sweepQueue = DispatchQueue(label: "freshet.work.sweep")
    /// The time of waiting after which the client of a piece of work counts as gone if it has
    /// half-closed the connection.
    private static let halfClosedTime = Duration.milliseconds(100)

    /// Makes a pool without threads.
    ///
    /// - Parameters:
    ///   - threads: The most threads.
    ///   - niceness: The niceness of the threads (setpriority(2)).
    ///   - clock: A monotonic clock.
    ///   - refused: Called for each piece that was refused while its result was wanted.
    init(
        threads: Int,
        niceness: CInt,
        limits: Limits,
        clock: @escaping @Sendable () -> Duration,
        refused: @escaping @Sendable () -> Void
    ) {
        threadLimit = threads
        self.niceness = niceness
        self.limits = limits
        self.clock = clock
        self.refused = refused
    }
}

extension WorkPool {
    /// The current time of the pool's clock, for ``QueuedWork/time``.
    var now: Duration { clock() }

    /// The numbers of pieces that wait and that run.
    var load: (waiting: Int, running: Int) {
        state.withLock { ($0.waiting.count, $0.runningCount) }
    }

    /// Returns whether work of a client would be accepted at the moment.
    func admits(_ client: ClientID) -> Bool {
        state.withLock { state in
            if state.isClosed { return false }
            guard state.isOver(limits, with: 0) else { return true }
            return state.waiting.canMakeRoom(for: client)
        }
    }

    /// Adds work to the queue, or refuses it, and returns whether it was accepted; either its `run`
    /// or its `refuse` is called, once.
    ///
    /// Beyond the limits, the newest work of the client that uses the pool most (by its processor
    /// time and its waiting work) is refused to make room.
    @discardableResult
    func submit(_ work: QueuedWork) -> Bool {
        var evicted: [QueuedWork] = []
        var (sweeps, startsThread) = (false, false)
        let isTaken = state.withLock { state in
            if state.isClosed { return false }
            while state.isOver(limits, with: work.byteCount) {
                guard let last = state.waiting.popLast(for: work.client) else { return false }
                evicted.append(last)
            }
            state.waiting.append(work)
            sweeps = !state.isSweepDue
            state.isSweepDue = true
            let idle = state.threadCount - state.runningCount
            startsThread = idle < state.waiting.count && state.threadCount < threadLimit
            if startsThread { state.threadCount += 1 }
            return true
        }
        for work in evicted { refuse(work) }
        guard isTaken else {
            refuse(work)
            return false
        }
        if sweeps { sweepSoon() }
        arrivals.signal()
        if startsThread, !WorkerThread.start(niceness: niceness, { self.work() }) {
            // The other threads do the work; without any, it is refused when it has waited too
            // long.
            state.withLock { $0.threadCount -= 1 }
        }
        return true
    }

    /// Refuses work, and counts it unless its result is not wanted any more.
    private func refuse(_ work: QueuedWork) {
        if work.isWanted(false) { refused() }
        work.refuse()
    }

    /// Runs work until none has come for ``idleTime``; the body of each thread.
    private func work() {
        while true {
            if arrivals.wait(timeout: .now() + WorkPool.idleTime) == .timedOut {
                let isOver = state.withLock { state in
                    if state.waiting.isEmpty { state.threadCount -= 1 }
                    return state.waiting.isEmpty
                }
                if isOver {
                    if WorkerThread.processorTime > WorkPool.returnTime {
                        MemorySize.returnUnused()
                    }
                    return
                }
                continue
            }
            runNext()
        }
    }

    private func runNext() {
        let now = clock()
        let next = state.withLock { state in
            let next = state.waiting.popNext()
            if let next {
                state.runningCount += 1
                state.runningByteCount += next.byteCount
            }
            return next
        }
        guard let next else { return }
        let start = WorkerThread.processorTime
        let waited = now - next.time
        if waited > limits.age {
            refuse(next)
        } else {
            next.runIfWanted(waited > WorkPool.halfClosedTime)
        }
        let used = WorkerThread.processorTime - start
        state.withLock { state in
            state.runningCount -= 1
            state.runningByteCount -= next.byteCount
            state.waiting.charge(used, to: next.client)
            if state.runningCount == 0 { state.waiting.restart() }
        }
    }

    /// Refuses all waiting and all future work.
    func close() {
        let now = clock()
        let waiting = state.withLock { state in
            state.isClosed = true
            return state.waiting.popStale(before: now + .seconds(1))
        }
        for work in waiting { refuse(work) }
    }

    private func sweepSoon() {
        WorkPool.sweepQueue.asyncAfter(deadline: .now() + WorkPool.sweepTime) { [weak self] in
            self?.sweep()
        }
    }

    /// Refuses the work that has waited too long.
    func sweep() {
        let now = clock()
        let (stale, isEmpty) = state.withLock { state in
            let stale = state.waiting.popStale(before: now - limits.age)
            state.isSweepDue = !state.waiting.isEmpty
            return (stale, state.waiting.isEmpty)
        }
        for work in stale { refuse(work) }
        if !isEmpty { sweepSoon() }
    }
}

/// A piece of work, with the closure for a refusal.
struct QueuedWork: Sendable {
    /// The client that the work is charged to.
    let client: ClientID
    /// The time at which the work was added.
    let time: Duration
    /// The bytes of memory that the work takes while it waits and runs.
    var byteCount = 0
    /// Returns whether the result is still wanted; the argument says whether a client that has
    /// half-closed the connection counts as gone, because the work has waited long.
    var isWanted: @Sendable (Bool) -> Bool = { _ in true }
    var run: @Sendable () -> Void
    /// Called instead of `run` if the work is refused.
    var refuse: @Sendable () -> Void
    /// Called instead of `run` if the result is not wanted any more; `nil`: `refuse` is called.
    var drop: (@Sendable () -> Void)?

    /// Runs the work, or drops it; for the argument see ``isWanted``.
    func runIfWanted(_ presumesLeft: Bool) {
        if isWanted(presumesLeft) { run() } else { (drop ?? refuse)() }
    }
}

/// The size of work: small work takes milliseconds, and large work may take longer.
package enum WorkSize: Sendable {
    case small
    case large

    /// Estimates the size of work.
    ///
    /// - Parameter byteCount: The number of bytes to read and write; a byte to compress counts
    ///   twenty times, because it takes about that much longer.
    package init(byteCount: Int) {
        self = byteCount <= WorkSize.limit ? .small : .large
    }

    /// The most bytes of small work.
    static let limit = 4 << 20
}

/// The pools of threads for all work of more than microseconds.
///
/// Publishes and reads have separate threads, and so have small and large work: small work never
/// waits behind another client's large work. Threads for large work, and for work for which no
/// client waits, have a lower priority.
final class WorkScheduler: Sendable {
    private let smallReads: WorkPool
    private let largeReads: WorkPool
    private let smallPublishes: WorkPool
    private let largePublishes: WorkPool
    private let smallBackground: WorkPool
    private let largeBackground: WorkPool
    let refusals: Refusals

    /// The niceness of threads for large reads and background work (setpriority(2)): beside a busy
    /// thread of niceness 0 they get a tenth of the processor time.
    ///
    /// Large publishes have half of this niceness.
    private static let niceness: CInt = 10
    /// The limits of work for which no client waits: hardly any is ever refused.
    private static let background = WorkPool.Limits(count: .max, age: .seconds(86_400))

    /// Makes pools for the cores that the process may use.
    init(_ configuration: APIConfiguration, cores: Int = MachineCores.count) {
        let refusals = Refusals(configuration)
        self.refusals = refusals
        let makePool = {
            (
                threads: Int,
                niceness: CInt,
                limits: WorkPool.Limits,
                refused: Refusals.Kind?
            ) in
            WorkPool(
                threads: threads,
                niceness: niceness,
                limits: limits,
                clock: configuration.clock,
                refused: { if let refused { refusals.note(refused) } }
            )
        }
        let (some, half, niceness) = (max(2, cores / 2), max(1, cores / 2), WorkScheduler.niceness)
        let (reads, publishes) = (configuration.waitingReads, configuration.waitingPublishes)
        smallReads = makePool(some, 0, reads, .reads)
        largeReads = makePool(cores, niceness, reads, .reads)
        smallPublishes = makePool(some, 0, publishes, .publishes)
        largePublishes = makePool(half, niceness / 2, publishes, .publishes)
        smallBackground = makePool(half, niceness, WorkScheduler.background, nil)
        largeBackground = makePool(half, niceness, WorkScheduler.background, nil)
    }

    /// Returns the pool for reads of a size.
    func reads(_ size: WorkSize) -> WorkPool {
        size == .small ? smallReads : largeReads
    }

    /// Refuses large work and background work that have not begun, so that a server which stops
    /// does not keep its clients waiting.
    func endLargeWork() {
        largeReads.close()
        largePublishes.close()
        smallBackground.close()
        largeBackground.close()
    }

    /// Returns the pool for work of a size that no client waits for, such as reading the document
    /// of a source.
    func background(_ size: WorkSize) -> WorkPool {
        size == .small ? smallBackground : largeBackground
    }

    /// Returns the pool for publishes of a size.
    func publishes(_ size: WorkSize) -> WorkPool {
        size == .small ? smallPublishes : largePublishes
    }
}
