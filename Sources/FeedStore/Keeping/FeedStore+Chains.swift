import FeedModel

/// Changes that wait for the journal: the next change of a feed is made on top of them, while
/// readers see the version before.
extension FeedStore.State {
    /// The newest version of a feed, visible or not, and the change that waits for the journal.
    struct ChainEnd {
        /// The newest version; `nil`: the feed does not exist.
        let version: Version?
        /// The change that made it, unless readers see it already.
        let pending: PendingChange?
    }

    /// Returns the end of the chain that the next change of a feed is made from.
    func chainEnd(of feed: FeedName) -> ChainEnd {
        chainEnds[feed] ?? ChainEnd(version: current(feed), pending: nil)
    }

    /// The result of proposing a change.
    enum Proposal {
        case taken
        /// Another change came first.
        case late
        case refused(MemoryShortage)
    }

    /// Makes a change that is to be the next one of a feed.
    ///
    /// - Parameters:
    ///   - feed: The feed.
    ///   - version: The version that the change makes; `nil`: the feed is deleted.
    ///   - base: The end of the chain that it was made from.
    mutating func change(
        of feed: FeedName,
        to version: Version?,
        after base: ChainEnd
    ) -> PendingChange {
        PendingChange(
            of: feed,
            chain: chain(after: base),
            growth: (version?.memoryByteCount ?? 0) - (base.version?.memoryByteCount ?? 0)
        )
    }

    /// Makes a change the end of its feed's chain, if `base` is still the end.
    ///
    /// - Parameters:
    ///   - pending: The change.
    ///   - version: The version that the change makes; `nil`: the feed is deleted.
    ///   - base: The end of the chain that it was made from.
    ///   - isLimited: Whether the change is refused if the feeds would take too much memory.
    mutating func propose(
        _ pending: PendingChange,
        to version: Version?,
        after base: ChainEnd,
        isLimited: Bool
    ) -> Proposal {
        let (feed, growth) = (pending.feed, pending.growth)
        let end = chainEnd(of: feed)
        guard end.version === base.version, end.pending === base.pending else { return .late }
        if base.version == nil, let version {
            guard lastEpochs[feed] != version.token.epoch, version.earlierSecond >= deletedSecond
            else { return .late }
        }
        let sum = cost.current + pendingGrowth + growth
        if isLimited, growth > 0, sum > feedByteLimit {
            return .refused(MemoryShortage(byteCount: sum, byteLimit: feedByteLimit))
        }
        pendingGrowth += growth
        if version == nil, let last = base.version {
            // The next feed of that name must take this into account, before the deletion is
            // decided.
            deletedSecond = max(deletedSecond, last.latestSecond)
        }
        chainEnds[feed] = ChainEnd(version: version, pending: pending)
        return .taken
    }

    /// Returns the number of the chain for a change on top of `base`.
    private mutating func chain(after base: ChainEnd) -> Int {
        if let pending = base.pending { return pending.chain }
        lastChain += 1
        return lastChain
    }

    /// Records that a change is durable and visible.
    mutating func settle(_ pending: PendingChange) {
        let feed = pending.feed
        pendingGrowth -= pending.growth
        if unknowns[feed]?.pending === pending { unknowns[feed] = nil }
        if chainEnds[feed]?.pending === pending { chainEnds[feed] = nil }
    }

    /// Records that a change is not kept; the changes made on top of it are not kept either.
    ///
    /// An earlier change with an unknown outcome, if any, becomes the end of the chain.
    mutating func drop(_ pending: PendingChange) {
        let feed = pending.feed
        pendingGrowth -= pending.growth
        if unknowns[feed]?.pending === pending { unknowns[feed] = nil }
        if chainEnds[feed]?.pending?.chain == pending.chain { chainEnds[feed] = unknowns[feed] }
    }
}
