import FeedModel
import FeedStore
import HTTPServer
import Synchronization

/// The names of the feeds that changed last, for streams that follow very many: each reads along at
/// its own pace, and keeps nothing of what it has not read.
final class ChangeLog: Sendable {
    private struct State {
        /// The last changes, each at its number modulo the length.
        var names: [FeedName] = []
        /// The number of the next change.
        var end = 0
        /// How many streams read along; without any nothing is noted.
        var readerCount = 0
    }

    /// A stream's position in the log; the stream reads along for as long as it is held.
    final class Reader: Sendable {
        let log: ChangeLog
        /// The number of the first change that it has not seen.
        let start: Int

        fileprivate init(_ log: ChangeLog, at start: Int) {
            self.log = log
            self.start = start
        }

        deinit { log.left() }
    }

    /// Notified of every change.
    let topic = Topic()
    private let state = Mutex(State())

    /// The number of changes that can be read, about 1 MiB; a reader further behind looks at all
    /// feeds.
    static let countLimit = 1 << 16

    /// Notes the changes of a store.
    init(_ store: FeedStore) {
        store.observe { [weak self] feed in self?.add(feed) }
    }

    /// Begins to read along.
    func read() -> Reader {
        let end = state.withLock { state in
            state.readerCount += 1
            return state.end
        }
        return Reader(self, at: end)
    }

    /// Changes from a number on.
    ///
    /// - Parameters:
    ///   - number: Of the first that has not been seen.
    ///   - limit: The most to read.
    /// - Returns: Their names; `nil` when some of them are not known any more.
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
        let isRead = state.withLock { state in
            guard state.readerCount > 0 else { return false }
            let slot = state.end % ChangeLog.countLimit
            if slot < state.names.count {
                state.names[slot] = feed
            } else {
                state.names.append(feed)
            }
            state.end += 1
            return true
        }
        if isRead { topic.notify() }
    }

    private func left() {
        state.withLock { state in
            state.readerCount -= 1
            guard state.readerCount == 0 else { return }
            // Who comes next begins with an empty log, at its beginning.
            state.names = []
            state.end = 0
        }
    }
}
