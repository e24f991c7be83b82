import FeedModel
import Synchronization

/// A change of a feed from one version to the next one, or to none, with the calls that wait for
/// the journal's decision about it.
///
/// The next change of a feed is made on top of a change that is not decided yet, while readers
/// still see the version before both: the changes are a chain.
final class VersionChange: Sendable {
    let feed: FeedName
    /// The version that the change was made from; `nil`: the feed does not exist.
    let previous: Version?
    /// The version that the change makes; `nil`: the feed is deleted.
    ///
    /// It may be the same object as ``previous``: readers then see no change, and only an answer is
    /// kept.
    let next: Version?
    /// The memory needed to remember `previous`, in bytes.
    let previousWeight: Int
    /// The additional bytes of the current versions, once the change is visible.
    let growth: Int
    /// Whether the change is refused if the feeds would take too much memory.
    let isLimited: Bool
    /// The number of the chain: changes that were made on top of each other have the same one.
    let chain: Int
    private let decision = Mutex(Decision())

    private struct Decision {
        var outcome: JournalOutcome?
        var waiting: [@Sendable (JournalOutcome) -> Void] = []
    }

    /// Makes a change.
    ///
    /// - Parameters:
    ///   - feed: The feed.
    ///   - previous: The version before; `nil`: the feed does not exist.
    ///   - publication: The publish of the next version; `nil`: the feed is deleted.
    ///   - below: The undecided change that makes `previous`; `nil`: readers see `previous`.
    ///   - isLimited: Whether the limit of memory applies.
    init(
        of feed: FeedName,
        from previous: Version?,
        by publication: Publication?,
        on below: VersionChange? = nil,
        isLimited: Bool = false
    ) {
        self.feed = feed
        self.previous = previous
        next = publication?.current
        growth = (next?.memoryByteCount ?? 0) - (previous?.memoryByteCount ?? 0)
        self.isLimited = isLimited
        chain = below?.chain ?? VersionNumber.next()
        guard let previous, let publication, publication.isChanged else {
            previousWeight = 0
            return
        }
        let new = publication.current.snapshot
        previousWeight = previous.snapshot.weight(before: new, changes: publication.changes)
    }

    /// Calls `body` when the change is decided, or at once if it is already.
    func whenDecided(_ body: @escaping @Sendable (JournalOutcome) -> Void) {
        let outcome = decision.withLock { decision in
            if decision.outcome == nil { decision.waiting.append(body) }
            return decision.outcome
        }
        if let outcome { body(outcome) }
    }

    /// Reports the decision to all waiting calls; only the first decision counts.
    func decide(_ outcome: JournalOutcome) {
        let waiting = decision.withLock { decision in
            defer { decision.waiting = [] }
            if decision.outcome == nil { decision.outcome = outcome }
            return decision.waiting
        }
        for body in waiting { body(outcome) }
    }
}

/// The chains of undecided changes.
extension FeedStore.State {
    /// Returns the newest version of a feed, visible or not, from which the next change is made,
    /// and the undecided change that makes it, if there is one.
    func chainEnd(of feed: FeedName) -> (version: Version?, change: VersionChange?) {
        guard let change = chainEnds[feed] else { return (current(feed), nil) }
        return (change.next, change)
    }

    /// Makes a change the end of its feed's chain.
    mutating func propose(_ change: VersionChange) {
        pendingGrowth += change.growth
        if change.next == nil, let last = change.previous {
            // The next feed of that name must take this into account, before the deletion is
            // decided.
            deletedSecond = max(deletedSecond, last.latestSecond)
        }
        chainEnds[change.feed] = change
    }

    /// Records that a change is durable and visible.
    mutating func commit(_ change: VersionChange) {
        pendingGrowth -= change.growth
        if unknowns[change.feed] === change { unknowns[change.feed] = nil }
        if chainEnds[change.feed] === change { chainEnds[change.feed] = nil }
    }

    /// Records that a change is not kept; the changes made on top of it are not kept either.
    ///
    /// An earlier change with an unknown outcome, if any, becomes the end of the chain.
    mutating func drop(_ change: VersionChange) {
        let feed = change.feed
        pendingGrowth -= change.growth
        if unknowns[feed] === change { unknowns[feed] = nil }
        if chainEnds[feed]?.chain == change.chain { chainEnds[feed] = unknowns[feed] }
    }
}
