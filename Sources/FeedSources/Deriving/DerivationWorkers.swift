import Dispatch
import FeedModel
import HTTPServer
import Synchronization

/// Runs the work for derived feeds on two threads of low priority.
///
/// The feed that has used least processor time has its turn first: each piece of work starts at the
/// virtual time when the work before it for its feed ended, and the earliest start is next (Goyal,
/// Vin and Cheng, “Start-time fair queueing”, 1996). The first thread runs only work of feeds whose
/// work was quick of late, so that a small feed does not wait for a large one.
final class DerivationWorkers: Sendable {
    private struct Work: Sendable {
        let feed: FeedName
        /// The start of the work, in nanoseconds of virtual time.
        let start: Int
        let isQuick: Bool
        let run: @Sendable () -> Void
    }

    private struct Usage {
        /// The virtual time up to which the feed has used the threads.
        var end = 0
        /// The nanoseconds that the feed's work took of late.
        var recent: Int
    }

    private final class State: Sendable {
        struct Value {
            var waiting: [Work] = []
            var usages: [FeedName: Usage] = [:]
            /// The virtual time: the start of the work that was begun last.
            var time = 0
        }

        let value = Mutex(Value())
        let isEnded = Atomic(false)
        /// The semaphores that wake the threads; the first one wakes the thread for quick work.
        let arrivals = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    }

    private let state = State()

    /// The longest time of quick work, in nanoseconds.
    private static let quickLimit = 20_000_000

    init() {
        for isForQuick in [true, false] {
            let (state, arrival) = (state, state.arrivals[isForQuick ? 0 : 1])
            _ = WorkerThread.start(niceness: 10) {
                while true {
                    arrival.wait()
                    if state.isEnded.load(ordering: .acquiring) { return }
                    DerivationWorkers.runNext(state, isForQuick: isForQuick)
                }
            }
        }
    }

    deinit {
        state.isEnded.store(true, ordering: .releasing)
        for arrival in state.arrivals { arrival.signal() }
    }

    /// Submits work for a feed; at most one piece of a feed's work may wait or run at a time.
    func submit(for feed: FeedName, _ run: @escaping @Sendable () -> Void) {
        let isQuick = state.value.withLock { value in
            let usage = value.usages[feed]
            // The first work of a feed may take any time.
            let isQuick = usage.map { $0.recent <= DerivationWorkers.quickLimit } ?? false
            let start = max(usage?.end ?? 0, value.time)
            value.waiting.append(Work(feed: feed, start: start, isQuick: isQuick, run: run))
            return isQuick
        }
        state.arrivals[1].signal()
        if isQuick { state.arrivals[0].signal() }
    }

    /// Forgets the usage of all feeds but these.
    func keep(_ feeds: Set<FeedName>) {
        state.value.withLock { $0.usages = $0.usages.filter { feeds.contains($0.key) } }
    }

    private static func runNext(_ state: State, isForQuick: Bool) {
        let work = state.value.withLock { value -> Work? in
            let places = value.waiting.indices.filter { !isForQuick || value.waiting[$0].isQuick }
            guard let next = places.min(by: { value.waiting[$0].start < value.waiting[$1].start })
            else { return nil }
            value.time = max(value.time, value.waiting[next].start)
            return value.waiting.remove(at: next)
        }
        // The other thread may have taken the work.
        guard let work else { return }
        let begun = WorkerThread.processorTime
        work.run()
        let used = WorkerThread.processorTime - begun
        state.value.withLock { value in
            let before = value.usages[work.feed]?.recent ?? 0
            value.usages[work.feed] = Usage(end: work.start + used, recent: max(used, before / 2))
        }
    }
}
