import Dispatch
import FeedModel
import Synchronization

/// Runs publishes: those of one feed in line, those of different feeds side by side.
///
/// A lane exists while it has work.
final class PublishLanes: Sendable {
    typealias Work = @Sendable () -> Void

    private let queue: DispatchQueue
    /// What waits behind the work that runs, for each feed that has any.
    private let waiting = Mutex([FeedName: [Work]]())

    /// - Parameter queue: A concurrent queue.
    init(queue: DispatchQueue) {
        self.queue = queue
    }

    /// Runs `work` after everything that was submitted for that feed before.
    func submit(_ feed: FeedName, _ work: @escaping Work) {
        let isFirst = waiting.withLock { waiting in
            if waiting[feed] == nil {
                waiting[feed] = []
                return true
            }
            waiting[feed, default: []].append(work)
            return false
        }
        guard isFirst else { return }
        queue.async { self.run(feed, work) }
    }

    private func run(_ feed: FeedName, _ first: @escaping Work) {
        var batch = [first]
        while !batch.isEmpty {
            for work in batch { work() }
            batch = waiting.withLock { waiting in
                guard let more = waiting[feed], !more.isEmpty else {
                    waiting[feed] = nil
                    return []
                }
                waiting[feed] = []
                return more
            }
        }
    }
}
