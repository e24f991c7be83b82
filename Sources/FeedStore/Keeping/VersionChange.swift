import FeedModel
import Synchronization

/// A change of a feed from one version to the next one, or its deletion, with the callbacks that
/// wait for the journal's outcome.
///
/// A change is undecided until the journal reports its outcome. The next change of a feed builds on
/// the undecided one, while readers still see the version before both: undecided changes form a
/// chain.
final class VersionChange: Sendable {
    let feed: FeedName
    /// The version that the change was made from; `nil`: the feed does not exist.
    let previous: Version?
    /// The publish that makes the next version; `nil`: the feed is deleted.
    let publication: Publication?
    /// The memory needed to remember `previous`, in bytes.
    let previousWeight: Int
    /// The additional bytes of the current versions, once the change is visible.
    let growth: Int
    /// Whether the change is refused if the feeds would exceed their limit of memory.
    let isLimited: Bool
    /// The number of the chain, which changes that build on each other have in common.
    let chain: Int
    private let decision = Mutex(Decision())

    private struct Decision {
        var outcome: JournalOutcome?
        var waiting: [@Sendable (JournalOutcome) -> Void] = []
    }

    /// Makes a change.
    ///
    /// - Parameters:
    ///   - previous: The version before; `nil`: the feed does not exist.
    ///   - publication: The publish of the next version; `nil`: the feed is deleted.
    ///   - below: The undecided change that makes `previous`; `nil`: `previous` is the visible
    ///     version.
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
        self.publication = publication
        let byteCount = publication?.current.memoryByteCount ?? 0
        growth = byteCount - (previous?.memoryByteCount ?? 0)
        self.isLimited = isLimited
        chain = below?.chain ?? VersionNumber.next()
        guard let previous, let publication, publication.isChanged else {
            previousWeight = 0
            return
        }
        let new = publication.current.snapshot
        previousWeight = previous.snapshot.weight(before: new, changes: publication.changes)
    }

    /// The version that the change makes; `nil`: the feed is deleted.
    ///
    /// It may be the same object as ``previous``: readers then see no change, and the journal only
    /// stores the response to a request.
    var next: Version? { publication?.current }

    /// Calls `body` with the journal's outcome: when it comes, or at once if it is known.
    func whenDecided(_ body: @escaping @Sendable (JournalOutcome) -> Void) {
        let outcome = decision.withLock { decision in
            if decision.outcome == nil { decision.waiting.append(body) }
            return decision.outcome
        }
        if let outcome { body(outcome) }
    }

    /// Reports the journal's outcome to all waiting callbacks; callbacks that come later get the
    /// first outcome that was reported.
    func decide(_ outcome: JournalOutcome) {
        let waiting = decision.withLock { decision in
            defer { decision.waiting = [] }
            if decision.outcome == nil { decision.outcome = outcome }
            return decision.waiting
        }
        for body in waiting { body(outcome) }
    }
}

/// Keeps the chains of undecided changes.
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
            lastDeletedSecond = max(lastDeletedSecond, last.latestSecond)
        }
        chainEnds[change.feed] = change
    }

    /// Records that a change is durable and visible.
    mutating func commit(_ change: VersionChange) {
        pendingGrowth -= change.growth
        if unknowns[change.feed] === change { unknowns[change.feed] = nil }
        if chainEnds[change.feed] === change { chainEnds[change.feed] = nil }
    }

    /// Records that a change is not stored; the changes that build on it are not stored either.
    ///
    /// An earlier change with an unknown outcome, if any, becomes the end of the chain.
    mutating func drop(_ change: VersionChange) {
        let feed = change.feed
        pendingGrowth -= change.growth
        if unknowns[feed] === change { unknowns[feed] = nil }
        if chainEnds[feed]?.chain == change.chain { chainEnds[feed] = unknowns[feed] }
    }
}
