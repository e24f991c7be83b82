package import FeedModel
import Synchronization

/// A change of a feed from one version to the next one, or to none.
struct VersionChange: Sendable {
    let feed: FeedName
    /// The version that the change was made from; `nil`: the feed does not exist.
    let previous: Version?
    /// The version that the change makes; `nil`: the feed is deleted.
    let next: Version?
    /// The memory needed to remember `previous`, in bytes.
    let previousWeight: Int
    /// Whether the change is refused if the feeds would take too much memory.
    let isLimited: Bool

    init(_ publication: Publication, isLimited: Bool = false) {
        let (previous, next) = (publication.previous, publication.current)
        feed = next.feed
        self.previous = previous
        self.next = next
        self.isLimited = isLimited
        previousWeight =
            publication.isChanged
            ? previous?.snapshot.weight(before: next.snapshot, changes: publication.changes) ?? 0
            : 0
    }

    /// Makes the change that deletes a feed.
    init(removing version: Version) {
        feed = version.feed
        previous = version
        next = nil
        previousWeight = 0
        isLimited = false
    }

    /// The additional bytes of the current versions, once the change is visible.
    var growth: Int { (next?.memoryByteCount ?? 0) - (previous?.memoryByteCount ?? 0) }

    /// Whether readers see the change; if not, only an answer is kept.
    var isVisible: Bool { previous !== next }
}

/// A change that the journal has not decided, with the calls that wait for the decision.
final class PendingChange: Sendable {
    private struct State {
        var outcome: JournalOutcome?
        var waiting: [@Sendable (JournalOutcome) -> Void] = []
    }

    let change: VersionChange
    /// The number of the chain: changes of a feed that were made on top of each other have the same
    /// one.
    let chain: Int
    private let state = Mutex(State())

    init(_ change: VersionChange, chain: Int) {
        self.change = change
        self.chain = chain
    }

    /// Calls `body` when the change is decided, or at once if it is already.
    func whenDecided(_ body: @escaping @Sendable (JournalOutcome) -> Void) {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.waiting.append(body) }
            return state.outcome
        }
        if let outcome { body(outcome) }
    }

    /// Reports the decision to all waiting calls; only the first decision counts.
    func decide(_ outcome: JournalOutcome) {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            if state.outcome == nil { state.outcome = outcome }
            return state.waiting
        }
        for body in waiting { body(outcome) }
    }
}

/// The outcome of a publish.
package enum PublishOutcome<Value: Sendable, Failure: Error>: Sendable {
    /// The publish is complete: kept as safely as the store keeps feeds, and visible.
    case done(Value)
    /// The publish is not possible in the feed's current state.
    case failed(Failure)
    /// The journal refused the publish, for this reason, and nothing was changed.
    case refused(String)
    /// The journal may have kept the publish or not, for this reason. Readers see the version
    /// before.
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

    /// Returns this outcome, if the journal has kept the version that it is based on.
    func based(on version: JournalOutcome) -> PublishOutcome {
        switch version {
        case .durable: self
        case .refused(let reason), .unknown(let reason): .refused(reason)
        case .late: .late
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
    /// If nothing changed, this is the same object as `previous`. After a dry run, the version is
    /// neither kept nor visible.
    package let current: Version

    /// The changes from `previous`, or from an empty feed, to `current`.
    package let changes: Changes

    /// The numbers of changed items and sections.
    package let counts: ChangeCounts

    /// Whether the publish made a new version.
    package var isChanged: Bool { previous !== current }
}
