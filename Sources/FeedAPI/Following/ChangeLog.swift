import FeedModel
import FeedStore
import HTTPServer
import Synchronization

/// A ring of the names of the feeds that changed last, for streams that follow very many feeds.
///
/// Each stream reads the ring at its own pace; nothing is queued for a stream.
final class ChangeLog: Sendable {
    private struct State {
        /// The names of the feeds that changed last; change `n` is at `n % countLimit`.
        var names: [FeedName] = []
        /// The number of the next change.
        var end = 0
    }

    /// Notified of every change.
    let topic = Topic()
    private let state = Mutex(State())

    /// The most changes that the ring has, about 1 MiB.
    ///
    /// A stream that is further behind checks all of its feeds.
    static let countLimit = 1 << 16

    /// Makes the log of a store's changes.
    init(_ store: FeedStore) {
        store.observe { [weak self] feed in self?.add(feed) }
    }

    /// Returns the names of changed feeds in the order of their changes, from the change with a
    /// number on; `nil` if later changes have overwritten some of these changes.
    func names(from number: Int, limit: Int) -> [FeedName]? {
        state.withLock { state in
            guard number >= state.end - state.names.count else { return nil }
            let end = min(state.end, number + limit)
            return (number..<end).map { state.names[$0 % ChangeLog.countLimit] }
        }
    }

    /// The number of the next change.
    var end: Int { state.withLock(\.end) }

    private func add(_ feed: FeedName) {
        state.withLock { state in
            let slot = state.end % ChangeLog.countLimit
            if slot < state.names.count {
                state.names[slot] = feed
            } else {
                state.names.append(feed)
            }
            state.end += 1
        }
        topic.notify()
    }
}
