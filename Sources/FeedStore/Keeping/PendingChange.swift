package import FeedModel
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

/// The outcome of a publish.
package enum PublishOutcome<Value: Sendable, Failure: Error>: Sendable {
    /// The publish is complete: kept as safely as the store keeps feeds, and visible.
    case done(Value)
    /// The publish is not possible in the feed's present state.
    case failed(Failure)
    /// The journal refused it: nothing was changed.
    case refused(String)
    /// The journal does not know yet whether it is kept; readers see the version before.
    case unknown(String)
    /// Another server that shares the journal was first: nothing was changed, and the publish
    /// should be tried again.
    case late
}

extension PublishOutcome {
    /// Makes an outcome from the value that `body` returns, or the error that it throws.
    init(catching body: () throws(Failure) -> Value) {
        do throws(Failure) {
            self = .done(try body())
        } catch {
            self = .failed(error)
        }
    }

    /// Makes the outcome of a change with the result `value` from the journal's outcome.
    init(_ journalOutcome: JournalOutcome, _ value: Value) {
        switch journalOutcome {
        case .durable: self = .done(value)
        case .refused(let reason): self = .refused(reason)
        case .unknown(let reason): self = .unknown(reason)
        case .late: self = .late
        }
    }
}

/// The result of a publish.
package struct Publication: Sendable {
    /// The version that was current before; `nil` if the feed is new.
    package let previous: Version?

    /// The version that is now current.
    ///
    /// It is the same object as `previous` if nothing changed, and one that is not kept after a dry
    /// run.
    package let current: Version

    /// The changes from `previous` to `current`; from an empty feed if there was none.
    package let changes: Changes

    /// The numbers of changed items and sections.
    package let counts: ChangeCounts

    /// Whether the publish made a new version.
    package var isChanged: Bool { previous !== current }
}
