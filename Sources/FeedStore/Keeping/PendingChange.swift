import FeedModel
import Synchronization

/// A change that the journal has not decided yet, and what waits for that.
final class PendingChange: Sendable {
    /// What becomes of a change.
    enum Fate: Sendable {
        case durable
        case refused(String)
        /// Another server was first.
        case late
    }

    private struct State {
        var fate: Fate?
        var waiting: [@Sendable (Fate) -> Void] = []
    }

    let feed: FeedName
    /// The changes of a feed that were made one on top of the other have one number.
    let chain: Int
    /// Bytes that the current versions take more, once it is visible.
    let growth: Int
    private let state = Mutex(State())

    init(of feed: FeedName, chain: Int, growth: Int) {
        self.feed = feed
        self.chain = chain
        self.growth = growth
    }

    /// Calls `body` when it is decided, at once where it is already.
    func whenDecided(_ body: @escaping @Sendable (Fate) -> Void) {
        let fate = state.withLock { state in
            if state.fate == nil { state.waiting.append(body) }
            return state.fate
        }
        if let fate { body(fate) }
    }

    /// Tells those who wait; only the first call counts.
    func decide(_ fate: Fate) {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            if state.fate == nil { state.fate = fate }
            return state.waiting
        }
        for body in waiting { body(fate) }
    }
}
