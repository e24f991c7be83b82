import FeedModel

/// Changes on their way to the journal: the next one of a feed is made on top of them, while
/// readers see the version before.
extension FeedStore.State {
    /// The newest version of a feed, visible or not, and the change that waits for the journal.
    struct ChainEnd {
        /// `nil`: there is no such feed.
        let version: Version?
        /// The change that made it, unless readers see it already.
        let pending: PendingChange?
    }

    /// What the next change of a feed is made of.
    func chainEnd(of feed: FeedName) -> ChainEnd {
        chainEnds[feed] ?? ChainEnd(version: current(feed), pending: nil)
    }

    /// What became of a change that was to be the next one.
    enum Proposal {
        case taken
        /// Another change came first.
        case late
        case refused(MemoryShortage)
    }

    /// A change that is to be the next one of a feed.
    ///
    /// - Parameters:
    ///   - feed: The feed.
    ///   - version: The version that it makes; `nil`: the feed goes.
    ///   - base: What it was made of.
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

    /// Makes a change the one that the next is made of, when `base` is still the last one.
    ///
    /// - Parameters:
    ///   - pending: The change.
    ///   - version: The version that it makes; `nil`: the feed goes.
    ///   - base: What it was made of.
    ///   - isLimited: Whether it is refused when the feeds would take too much memory.
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
            // A feed of that name that comes next must know of it, before it is decided.
            deletedSecond = max(deletedSecond, last.latestSecond)
        }
        chainEnds[feed] = ChainEnd(version: version, pending: pending)
        return .taken
    }

    /// The number of the chain that a change on top of `base` belongs to.
    private mutating func chain(after base: ChainEnd) -> Int {
        if let pending = base.pending { return pending.chain }
        lastChain += 1
        return lastChain
    }

    /// Takes note that a change is durable and visible.
    mutating func settle(_ pending: PendingChange) {
        let feed = pending.feed
        pendingGrowth -= pending.growth
        if unknowns[feed]?.pending === pending { unknowns[feed] = nil }
        if chainEnds[feed]?.pending === pending { chainEnds[feed] = nil }
    }

    /// Takes note that a change is not kept: what was made on top of it is not, either. One before
    /// it of which nobody knows yet stays the one that the next is made of.
    mutating func drop(_ pending: PendingChange) {
        let feed = pending.feed
        pendingGrowth -= pending.growth
        if unknowns[feed]?.pending === pending { unknowns[feed] = nil }
        if chainEnds[feed]?.pending?.chain == pending.chain { chainEnds[feed] = unknowns[feed] }
    }
}
