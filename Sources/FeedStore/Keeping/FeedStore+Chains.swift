import FeedModel

/// Chains of changes that the journal has not decided yet. The next change of a feed is made on top
/// of its chain, while readers still see the version before the chain.
extension FeedStore.State {
    /// The end of a feed's chain: the newest version, visible or not.
    struct ChainEnd {
        /// The newest version; `nil`: the feed does not exist.
        let version: Version?
        /// The undecided change that made the version; `nil`: the version is visible.
        let pending: PendingChange?

        init(version: Version?) {
            self.version = version
            pending = nil
        }

        init(_ pending: PendingChange) {
            version = pending.change.next
            self.pending = pending
        }
    }

    /// Returns the end of a feed's chain, from which the next change is made.
    func chainEnd(of feed: FeedName) -> ChainEnd {
        chainEnds[feed] ?? ChainEnd(version: current(feed))
    }

    /// Makes a change the end of its feed's chain.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - base: The end of the chain before the change.
    mutating func propose(_ change: VersionChange, after base: ChainEnd) -> PendingChange {
        let pending = PendingChange(change, chain: chain(after: base))
        pendingGrowth += change.growth
        if change.next == nil, let last = change.previous {
            // The next feed of that name must take this into account, before the deletion is
            // decided.
            deletedSecond = max(deletedSecond, last.latestSecond)
        }
        chainEnds[change.feed] = ChainEnd(pending)
        return pending
    }

    /// Returns the number of the chain for a change on top of `base`.
    private mutating func chain(after base: ChainEnd) -> Int {
        if let pending = base.pending { return pending.chain }
        lastChain += 1
        return lastChain
    }

    /// Records that a change is durable and visible.
    mutating func settle(_ pending: PendingChange) {
        let feed = pending.change.feed
        pendingGrowth -= pending.change.growth
        if unknowns[feed]?.pending === pending { unknowns[feed] = nil }
        if chainEnds[feed]?.pending === pending { chainEnds[feed] = nil }
    }

    /// Records that a change is not kept; the changes made on top of it are not kept either.
    ///
    /// An earlier change with an unknown outcome, if any, becomes the end of the chain.
    mutating func drop(_ pending: PendingChange) {
        let feed = pending.change.feed
        pendingGrowth -= pending.change.growth
        if unknowns[feed]?.pending === pending { unknowns[feed] = nil }
        if chainEnds[feed]?.pending?.chain == pending.chain { chainEnds[feed] = unknowns[feed] }
    }
}
