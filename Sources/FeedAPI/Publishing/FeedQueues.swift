import DequeModule
import Dispatch
import FeedModel
import Synchronization

/// Runs publishes: those of one feed in line, those of different feeds side by side.
///
/// A lane exists while it has work. After each piece the queue may turn to something else, so a
/// lane that is never empty holds no thread.
final class FeedQueues: Sendable {
    typealias Work = @Sendable () -> Void

    private let queue: DispatchQueue
    /// What waits behind the work that runs, for each feed that has any.
    private let waiting = Mutex([FeedName: Deque<Work>]())

    /// - Parameter queue: A concurrent queue.
    init(queue: DispatchQueue) {
        self.queue = queue
    }

    /// Runs `work` after everything that was submitted for that feed before.
    func submit(_ feed: FeedName, _ work: @escaping Work) {
        let isFirst = waiting.withLock { waiting in
            if waiting[feed] == nil {
                waiting[feed] = Deque()
                return true
            }
            waiting[feed]?.append(work)
            return false
        }
        if isFirst { start(feed, work) }
    }

    private func start(_ feed: FeedName, _ work: @escaping Work) {
        queue.async {
            work()
            let next = self.waiting.withLock { waiting in
                let next = waiting[feed]?.popFirst()
                if next == nil { waiting[feed] = nil }
                return next
            }
            if let next { self.start(feed, next) }
        }
    }
}
