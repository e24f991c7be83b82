import Dispatch
import FeedModel
import HTTPServer
import HTTPWire
import Synchronization

/// Runs work on a few threads of its own, the fairest first, and refuses what is too much.
///
/// A thread begins when there is work for it and ends when there was none for a while.
final class WorkPool: Sendable {
    /// How much may wait, and for how long.
    struct Limits: Sendable {
        /// Pieces of work, those that run among them.
        var count: Int
        /// Bytes that they hold, the first piece not counted.
        var byteCount = Int.max
        /// For how long a piece of work may wait for its turn.
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
    /// A thread that took more processor time than this, in nanoseconds, gives back to the system
    /// at its end what was freed: documents of large feeds are many small pieces, which the
    /// allocator would keep. That takes some milliseconds itself.
    private static let returnTime = 500_000_000
    /// How often what has waited for too long is looked for.
    private static let sweepTime = DispatchTimeInterval.milliseconds(250)
    private static let sweepQueue = DispatchQueue(label: "freshet.work.sweep")
    /// After which a client that has closed its side counts as gone.
    private static let halfClosedTime = Duration.milliseconds(100)

    /// - Parameters:
    ///   - threads: The most that run at a time.
    ///   - niceness: How far they stand back for other threads (setpriority(2)).
    ///   - limits: How much may wait.
    ///   - clock: A time that only grows.
    ///   - refused: Is told of each piece that was refused.
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
    /// The time by which pieces of work say when they came.
    var now: Duration { clock() }

    /// Pieces of work that wait, and that run.
    var load: (waiting: Int, running: Int) {
        state.withLock { ($0.waiting.count, $0.runningCount) }
    }

    /// Whether work of `flow` would be taken at the moment.
    func admits(_ flow: WorkFlow) -> Bool {
        let now = clock()
        return state.withLock { state in
            if state.isClosed { return false }
            guard state.isOver(limits, with: 0) else { return true }
            return state.waiting.canMakeRoom(for: flow, at: now)
        }
    }

    /// Has work done when its turn comes, or refuses it: one of its closures is called, once.
    ///
    /// If there is too much of it, the newest work of those who had most makes room; it is refused.
    ///
    /// - Returns: Whether it waits for its turn; `false`: it was refused.
    @discardableResult
    func submit(_ work: QueuedWork) -> Bool {
        let now = clock()
        let (isTaken, evicted, sweeps) = state.withLock { state in
            var evicted: [QueuedWork] = []
            if state.isClosed { return (false, evicted, false) }
            while state.isOver(limits, with: work.byteCount) {
                guard let last = state.waiting.popLast(for: work.flow, at: now) else {
                    return (false, evicted, false)
                }
                evicted.append(last)
            }
            state.waiting.append(work)
            let sweeps = !state.isSweepDue
            state.isSweepDue = true
            return (true, evicted, sweeps)
        }
        for work in evicted { refuse(work) }
        guard isTaken else {
            refuse(work)
            return false
        }
        if sweeps { sweepSoon() }
        arrivals.signal()
        startThread()
        return true
    }

    private func refuse(_ work: QueuedWork) {
        refused()
        work.refuse()
    }

    /// Starts one more thread if all are busy and there may be more.
    private func startThread() {
        let isNeeded = state.withLock { state in
            let idle = state.threadCount - state.runningCount
            guard idle < state.waiting.count, state.threadCount < threadLimit else { return false }
            state.threadCount += 1
            return true
        }
        guard isNeeded, !WorkerThread.start(niceness: niceness, { self.work() }) else { return }
        // Those that run go on with what waits; without any, it is refused in time.
        state.withLock { $0.threadCount -= 1 }
    }

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
            let next = state.waiting.popNext(at: now)
            if let next {
                state.runningCount += 1
                state.runningByteCount += next.byteCount
            }
            return next
        }
        guard let next else { return }
        let start = WorkerThread.processorTime
        if now - next.time > limits.age || !next.isWanted(now - next.time > WorkPool.halfClosedTime)
        {
            refuse(next)
        } else {
            next.run()
        }
        let used = WorkerThread.processorTime - start
        state.withLock { state in
            state.runningCount -= 1
            state.runningByteCount -= next.byteCount
            state.waiting.charge(used, to: next.flow, at: now)
        }
    }

    /// Refuses what waits, and what is still to come.
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

    /// Refuses what has waited for too long.
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

/// A piece of work, and what becomes of it.
struct QueuedWork: Sendable {
    let flow: WorkFlow
    /// When it came.
    let time: Duration
    /// Bytes that it holds while it waits and runs.
    var byteCount = 0
    /// Whether somebody still waits for it; the argument: whether it has waited for long enough
    /// that one who has closed its side of the connection counts as gone.
    var isWanted: @Sendable (Bool) -> Bool = { _ in true }
    let run: @Sendable () -> Void
    /// Called in the place of `run`.
    let refuse: @Sendable () -> Void
}

/// Work that counts as one's: of one client, about one feed.
struct WorkFlow: Hashable, Sendable {
    /// `nil` for the server's own work, which counts by its feed alone.
    let client: ClientID?
    /// `nil` for what is about several feeds.
    let feed: FeedName?

    /// The accounts whose use counts against it.
    var accounts: [UsageLedger.Account] {
        (client.map { [.client($0)] } ?? []) + (feed.map { [.feed($0)] } ?? [])
    }
}

/// Whether work takes milliseconds, or may take longer.
package enum WorkSize: Sendable {
    case small
    case large

    /// - Parameter byteCount: Bytes that are read and written; those that are compressed count
    ///   twenty times, about what that takes longer.
    package init(byteCount: Int) {
        self = byteCount <= WorkSize.limit ? .small : .large
    }

    /// The highest cost of small work.
    static let limit = 4 << 20
}

/// The purpose of work.
enum WorkKind: Sendable {
    case read
    case publish
}

/// Where everything is computed that takes more than microseconds.
///
/// Publishes have threads of their own, apart from reads, and small work has threads apart from
/// large, so small work never waits behind another client's large work. Threads for large work
/// stand back for all others, and so do those for work that no client waits for.
final class WorkScheduler: Sendable {
    private let smallReads: WorkPool
    private let largeReads: WorkPool
    private let smallPublishes: WorkPool
    private let largePublishes: WorkPool
    private let smallBackground: WorkPool
    private let largeBackground: WorkPool
    let refusals: Refusals

    /// How far threads for large work stand back (setpriority(2)): a tenth of the processor time
    /// that one without niceness has, when both want all.
    private static let niceness: CInt = 10
    /// The limits of work that no client waits for: all of it is done in the end.
    private static let background = WorkPool.Limits(count: .max, age: .seconds(86_400))

    /// - Parameters:
    ///   - configuration: Its limits, its clock, and the report of refusals.
    ///   - cores: How many cores there are.
    init(_ configuration: APIConfiguration, cores: Int = MachineCores.count) {
        let refusals = Refusals(configuration)
        self.refusals = refusals
        let makePool = { (threads: Int, niceness: CInt, limits: WorkPool.Limits, kind: WorkKind) in
            WorkPool(
                threads: threads,
                niceness: niceness,
                limits: limits,
                clock: configuration.clock,
                refused: { refusals.note(kind) }
            )
        }
        smallReads = makePool(max(2, cores / 2), 0, configuration.waitingReads, .read)
        largeReads = makePool(cores, WorkScheduler.niceness, configuration.waitingReads, .read)
        let publishes = configuration.waitingPublishes
        smallPublishes = makePool(max(2, cores / 2), 0, publishes, .publish)
        largePublishes = makePool(
            max(1, cores / 2),
            WorkScheduler.niceness / 2,
            publishes,
            .publish
        )
        let makeBackground = {
            WorkPool(
                threads: max(1, cores / 2),
                niceness: WorkScheduler.niceness,
                limits: WorkScheduler.background,
                clock: configuration.clock,
                refused: {}
            )
        }
        smallBackground = makeBackground()
        largeBackground = makeBackground()
    }

    /// Returns the pool for reads of a size.
    func reads(_ size: WorkSize) -> WorkPool {
        size == .small ? smallReads : largeReads
    }

    /// Refuses large work and background work that have not begun: when the server stops, its
    /// clients are not kept waiting.
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
