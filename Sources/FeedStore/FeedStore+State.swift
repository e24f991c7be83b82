import FeedModel

extension FeedStore {
    /// What the store's lock guards: the feeds, what they weigh, and whose turn it is to go.
    ///
    /// What a call forgets it hands back, so that the lock is not held while it is freed.
    struct State {
        private struct Feed {
            var history: History
            /// Whether `queue` has an entry for it.
            var isQueued = false
        }

        /// A feed by the age of its oldest version that may go.
        ///
        /// Versions may have gone since, so its oldest one may be younger; it is never older.
        private struct Aged: Comparable {
            let since: Duration
            let feed: FeedName
            let epoch: String

            static func < (left: Aged, right: Aged) -> Bool {
                (left.since, left.feed) < (right.since, right.feed)
            }

            /// Whether it stands for this life of the feed.
            func isOf(_ feed: Feed) -> Bool {
                feed.history.current.token.epoch == epoch
            }
        }

        /// How many deleted feeds' epochs are remembered.
        private static let epochLimit = 10_000

        private var feeds: [FeedName: Feed] = [:]
        /// The current versions of the same feeds.
        private var index = VersionIndex()
        private var queue = Heap<Aged>()
        private var lastEpochs: [FeedName: String] = [:]

        /// What the past versions of all feeds weigh, in bytes.
        private(set) var weight = 0

        let limits: HistoryLimits

        init(limits: HistoryLimits) {
            self.limits = limits
        }
    }
}

extension FeedStore.State {
    func current(_ feed: FeedName) -> Version? {
        feeds[feed]?.history.current
    }

    func current(named name: Span<UInt8>) -> Version? {
        index[name]
    }

    func version(_ token: Token, of feed: FeedName, at now: Duration) -> Version? {
        guard let history = feeds[feed]?.history, history.current.token.epoch == token.epoch else {
            return nil
        }
        return history.version(token.version, at: now)
    }

    func all() -> [Version] {
        feeds.values.map(\.history.current)
    }

    /// Makes `version` the current one, when `previous` still is; a new feed's epoch must differ
    /// from the last one under that name.
    ///
    /// - Parameters:
    ///   - version: The one to install.
    ///   - previous: The one that it was made from; `nil` for a new feed.
    ///   - added: What it costs to remember `previous`, in bytes.
    ///   - now: The time, for the history.
    /// - Returns: The versions that this forgets; `nil` when `version` comes too late.
    mutating func install(
        _ version: Version,
        after previous: Version?,
        weight added: Int,
        at now: Duration
    ) -> [Version]? {
        let feed = version.feed
        guard current(feed) === previous else { return nil }
        guard previous != nil else {
            guard lastEpochs[feed] != version.token.epoch else { return nil }
            lastEpochs[feed] = nil
            feeds[feed] = Feed(history: History(version, limits: limits))
            index.update(version)
            return []
        }
        index.update(version)
        weight -= self.weight(of: feed)
        var forgotten =
            feeds[feed]?.history.advance(to: version, weight: added, at: now) ?? []
        weight += self.weight(of: feed)
        enqueue(feed)
        while weight > limits.totalWeight, let aged = queue.popLeast() {
            forget(aged, into: &forgotten)
        }
        return forgotten
    }

    /// Removes a feed, when `version` is its current one, and returns whether it was; its history
    /// goes into `forgotten`.
    mutating func remove(_ version: Version, forgotten: inout History?) -> Bool {
        let feed = version.feed
        guard current(feed) === version, let removed = feeds.removeValue(forKey: feed) else {
            return false
        }
        index.remove(feed)
        forgotten = removed.history
        weight -= removed.history.weight
        if lastEpochs.count >= Self.epochLimit { lastEpochs.remove(at: lastEpochs.startIndex) }
        lastEpochs[feed] = version.token.epoch
        dropStaleEntries()
        return true
    }

    private func weight(of feed: FeedName) -> Int {
        feeds[feed]?.history.weight ?? 0
    }

    /// Gives a feed its place in the queue, when it has none and has something that may go.
    private mutating func enqueue(_ feed: FeedName) {
        guard let history = feeds[feed]?.history, feeds[feed]?.isQueued == false,
            let since = history.oldestToSpare
        else { return }
        feeds[feed]?.isQueued = true
        queue.insert(Aged(since: since, feed: feed, epoch: history.current.token.epoch))
    }

    /// Forgets the version that an entry of the queue stands for, when it is still the oldest of
    /// its feed, and queues the feed again.
    private mutating func forget(_ aged: Aged, into forgotten: inout [Version]) {
        guard feeds[aged.feed].map(aged.isOf) == true else { return }
        if feeds[aged.feed]?.history.oldestToSpare == aged.since {
            weight -= weight(of: aged.feed)
            if let version = feeds[aged.feed]?.history.forgetOldest() { forgotten.append(version) }
            weight += weight(of: aged.feed)
        }
        feeds[aged.feed]?.isQueued = false
        enqueue(aged.feed)
    }

    /// Entries of removed feeds go when they are most of the queue: a feed has one at most.
    private mutating func dropStaleEntries() {
        guard queue.count > 2 * (feeds.count + 64) else { return }
        let feeds = self.feeds
        queue.keep { aged in feeds[aged.feed].map(aged.isOf) ?? false }
    }
}
