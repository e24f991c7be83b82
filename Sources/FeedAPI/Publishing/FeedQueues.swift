import DequeModule
import FeedModel
import Synchronization

/// Runs the publishes of each feed in the order of their arrival, and those of different feeds in
/// parallel.
///
/// Only the first publish of each feed is in a ``WorkPool``, where a thread takes it; the others
/// wait here. The memory of undecided publishes (``beginUndecided(_:)``) is limited, too.
final class FeedQueues: Sendable {
    private struct State {
        /// The publishes behind the first one of their feed; a feed without publishes has no
        /// entry.
        var waiting: [FeedName: Deque<(work: QueuedWork, size: WorkSize)>] = [:]
        /// The number of all publishes in ``waiting``.
        var count = 0
        /// The bytes of memory of all publishes in ``waiting``.
        var byteCount = 0
    }

    private let scheduler: WorkScheduler
    private let limits: WorkPool.Limits
    private let state = Mutex(State())
    /// The approximate bytes of memory of undecided publishes.
    private let undecidedByteCount = Atomic(0)

    /// The approximate bytes of memory of an undecided publish besides its body and the version
    /// made of it.
    private static let leastByteCount = 4 << 10

    /// Makes empty queues.
    ///
    /// - Parameter limits: The limits for all waiting publishes; one feed may have a quarter of
    ///   their number. The limit of bytes also holds for all undecided publishes.
    init(_ scheduler: WorkScheduler, limits: WorkPool.Limits) {
        self.scheduler = scheduler
        self.limits = limits
    }

    /// Runs `work` after everything that was submitted for its feed before, or refuses it; either
    /// its `run` or its `refuse` is called, once.
    func submit(_ feed: FeedName, _ size: WorkSize, _ work: QueuedWork) {
        let (isFirst, isRefused) = state.withLock { state -> (Bool, Bool) in
            guard let queue = state.waiting[feed] else {
                state.waiting[feed] = Deque()
                return (true, false)
            }
            guard queue.count < max(1, limits.count / 4), state.count < limits.count,
                state.byteCount == 0 || state.byteCount + work.byteCount <= limits.byteCount
            else { return (false, true) }
            state.waiting[feed]?.append((work, size))
            state.count += 1
            state.byteCount += work.byteCount
            return (false, false)
        }
        if isRefused {
            scheduler.refusals.note(.publishes)
            work.refuse()
        }
        if isFirst { start(feed, work, size) }
    }

    private func start(_ feed: FeedName, _ work: QueuedWork, _ size: WorkSize) {
        var first = work
        first.run = {
            work.run()
            self.startNext(feed)
        }
        first.refuse = {
            work.refuse()
            self.startNext(feed)
        }
        scheduler.publishes(size).submit(first)
    }

    private func startNext(_ feed: FeedName) {
        let next = state.withLock { state -> (work: QueuedWork, size: WorkSize)? in
            guard let next = state.waiting[feed]?.popFirst() else {
                state.waiting[feed] = nil
                return nil
            }
            state.count -= 1
            state.byteCount -= next.work.byteCount
            return next
        }
        if let next { start(feed, next.work, next.size) }
    }
}

/// Limits the memory of undecided publishes: they wait for the journal's decision, or for another
/// publish with the same Idempotency-Key.
///
/// These publishes are in no queue and take no thread. Without a limit, their number would grow
/// while a disk hangs until memory runs out, even when their clients have given up.
extension FeedQueues {
    /// Counts an undecided publish, unless the limit is reached.
    ///
    /// - Parameter content: The number of bytes of its body.
    /// - Returns: Whether the publish was counted; the caller must then call ``endUndecided(_:)``.
    func beginUndecided(_ content: Int) -> Bool {
        let own = FeedQueues.undecidedByteCount(content)
        let others = undecidedByteCount.add(own, ordering: .relaxed).oldValue
        // Only the bytes of others count, so that a large publish is not refused for ever while
        // there are small ones.
        guard others >= limits.byteCount else { return true }
        undecidedByteCount.subtract(own, ordering: .relaxed)
        return false
    }

    /// Ends the count of a publish that is decided; `content` is the number of bytes of its body.
    func endUndecided(_ content: Int) {
        undecidedByteCount.subtract(FeedQueues.undecidedByteCount(content), ordering: .relaxed)
    }

    /// Returns the approximate bytes of memory of a publish with a body of `content` bytes: the
    /// body, and the version made of it.
    private static func undecidedByteCount(_ content: Int) -> Int { leastByteCount + 2 * content }
}
