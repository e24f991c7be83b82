import FeedModel
import Synchronization

/// A change that the journal has not decided, with the calls that wait for the decision.
final class PendingChange: Sendable {
    /// The decision about a change.
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
    /// The number of the chain: changes of a feed that were made on top of each other have the same
    /// one.
    let chain: Int
    /// The additional bytes of the current versions, once the change is visible.
    let growth: Int
    private let state = Mutex(State())

    init(of feed: FeedName, chain: Int, growth: Int) {
        self.feed = feed
        self.chain = chain
        self.growth = growth
    }

    /// Calls `body` when the change is decided, or at once if it is already.
    func whenDecided(_ body: @escaping @Sendable (Fate) -> Void) {
        let fate = state.withLock { state in
            if state.fate == nil { state.waiting.append(body) }
            return state.fate
        }
        if let fate { body(fate) }
    }

    /// Reports the decision to all waiting calls; only the first decision counts.
    func decide(_ fate: Fate) {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            if state.fate == nil { state.fate = fate }
            return state.waiting
        }
        for body in waiting { body(fate) }
    }
}
