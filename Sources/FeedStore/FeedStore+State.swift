import FeedModel
import HeapModule

extension FeedStore {
    /// What the store's lock guards: the feeds, what they weigh, and whose turn it is to go.
    ///
    /// What a call forgets it hands back, so that the lock is not held while it is freed.
    struct State {
        struct Feed {
            var history: History
            /// A bit for each rule by whose queue it has an entry.
            private var queued: UInt8 = 0

            init(_ history: History) {
                self.history = history
            }

            func isQueued(_ rule: Rule) -> Bool { queued >> rule.rawValue & 1 == 1 }

            mutating func setQueued(_ rule: Rule, _ isQueued: Bool) {
                queued = queued & ~(1 << rule.rawValue) | (isQueued ? 1 : 0) << rule.rawValue
            }
        }

        /// A version that is to become a feed's current one.
        struct NextVersion {
            let version: Version
            /// The one that it was made from; `nil` for a new feed.
            let previous: Version?
            /// What it costs to remember `previous`, in bytes.
            let previousWeight: Int
            /// Whether it is refused when the feeds would take too much memory.
            let isLimited: Bool
            /// Whether the journal has it, after it was compared with what came before.
            let isKept: Bool
        }

        /// What became of a version that was to be the next one.
        enum Installation {
            /// So many bytes of history were forgotten.
            case done(forgotten: Int)
            /// Another publish came first.
            case late
            case refused(MemoryShortage)
        }

        /// How many deleted feeds' epochs are remembered.
        private static let epochLimit = 10_000

        var feeds: [FeedName: Feed] = [:]
        /// The current versions of the same feeds.
        var index = VersionIndex()
        /// Their names.
        var names = NameList()
        /// For each rule, the feeds that have something to forget.
        var queues = Rule.allCases.map { _ in Heap<Aged>() }
        var lastEpochs: [FeedName: String] = [:]

        /// The feeds with changes that the journal has not decided yet.
        var chainEnds: [FeedName: ChainEnd] = [:]
        /// The changes of which nobody knows whether they are kept.
        var unknowns: [FeedName: ChainEnd] = [:]
        var lastChain = 0
        /// Bytes that the current versions take more once all of them are visible.
        var pendingGrowth = 0

        /// What all feeds take, but for what hangs on versions.
        var cost = FeedCost()

        /// How many versions of all feeds are remembered.
        var versionCount = 0

        let limits: HistoryLimits

        /// Bytes that all feeds may take.
        var memoryByteLimit = Int.max

        /// What answers to publishes take of it.
        private let answerBytes: ByteCounter

        /// The latest second of any version of a deleted feed; a feed may have been deleted until
        /// the server's start. Seconds since 1970.
        var deletedSecond: Int

        init(limits: HistoryLimits, answerBytes: ByteCounter, deletedSecond: Int) {
            self.limits = limits
            self.deletedSecond = deletedSecond
            self.answerBytes = answerBytes
        }

        /// Bytes that feeds may take beside the answers that are kept.
        var feedByteLimit: Int { max(0, memoryByteLimit - answerBytes.byteCount) }
    }
}

extension FeedStore.State {
    func current(_ feed: FeedName) -> Version? {
        current(named: feed.rawValue.utf8.span)
    }

    func current(named name: Span<UInt8>) -> Version? {
        index[name]
    }

    func version(_ token: Token, of feed: FeedName, at now: Duration) -> Version? {
        guard let history = feeds[feed]?.history, history.current.token.hasSameEpoch(as: token)
        else { return nil }
        return history.version(token.version, at: now)
    }

    func all() -> [Version] {
        feeds.values.map(\.history.current)
    }

    /// The current versions of the first feeds after a name, of those that begin so.
    func page(after name: [UInt8], prefix: [UInt8], limit: Int) -> [Version] {
        names.names(after: name, prefix: prefix, limit: limit).compactMap { current($0) }
    }

    func names(after name: [UInt8], prefix: [UInt8], limit: Int) -> [FeedName] {
        names.names(after: name, prefix: prefix, limit: limit)
    }

    var attachedByteLimit: Int { max(0, feedByteLimit - cost.current) }

    /// What the past versions of a feed weigh, in bytes.
    func historyWeight(of feed: FeedName) -> Int {
        feeds[feed]?.history.weight ?? 0
    }

    /// Makes a version the current one, when the one that it was made from still is; a new feed's
    /// epoch must differ from the last one under that name.
    ///
    /// - Parameters:
    ///   - next: The one to install.
    ///   - attached: Bytes that hang on versions.
    ///   - now: The time, for the history.
    ///   - forgotten: Gets the versions that this forgets.
    /// - Returns: What became of it.
    mutating func install(
        _ next: NextVersion,
        attached: Int,
        at now: Duration,
        forgotten: inout [Version]
    ) -> Installation {
        let (version, previous) = (next.version, next.previous)
        let feed = version.feed
        guard current(feed) === previous else { return .late }
        let growth = version.memoryByteCount - (previous?.memoryByteCount ?? 0)
        let limit = feedByteLimit
        if next.isLimited, growth > 0, cost.current + growth > limit {
            let sum = cost.current + growth
            return .refused(MemoryShortage(byteCount: sum, byteLimit: limit))
        }
        let remembered = cost.history + (previous == nil ? 0 : next.previousWeight)
        if previous == nil {
            guard begin(version, isKept: next.isKept) else { return .late }
        } else {
            cost.history -= historyWeight(of: feed)
            let weight = next.previousWeight
            let old = feeds[feed]?.history.advance(to: version, weight: weight, at: now) ?? []
            versionCount -= old.count
            forgotten += old
            cost.history += historyWeight(of: feed)
            enqueue(feed)
        }
        index.update(version)
        versionCount += 1
        previous?.status.supersede()
        cost.current += growth
        forget(attached: attached, into: &forgotten)
        return .done(forgotten: remembered - cost.history)
    }

    /// Begins a feed with its first version.
    ///
    /// - Returns: `false` when its epoch is that of the last feed of its name, or it was made
    ///   before a feed was deleted.
    private mutating func begin(_ version: Version, isKept: Bool) -> Bool {
        let feed = version.feed
        guard lastEpochs[feed] != version.token.epoch,
            isKept || version.earlierSecond >= deletedSecond
        else { return false }
        lastEpochs[feed] = nil
        feeds[feed] = Feed(History(version, limits: limits))
        names.insert(feed)
        return true
    }

    /// Removes a feed, when `version` is its current one, and returns whether it was; its history
    /// goes into `forgotten`.
    mutating func remove(_ version: Version, forgotten: inout History?) -> Bool {
        let feed = version.feed
        guard current(feed) === version, let removed = feeds.removeValue(forKey: feed) else {
            return false
        }
        index.remove(feed)
        version.status.supersede()
        names.remove(feed)
        forgotten = removed.history
        cost.history -= removed.history.weight
        versionCount -= removed.history.count
        cost.current -= version.memoryByteCount
        if lastEpochs.count >= Self.epochLimit { lastEpochs.remove(at: lastEpochs.startIndex) }
        lastEpochs[feed] = version.token.epoch
        deletedSecond = max(deletedSecond, version.latestSecond)
        dropStaleEntries()
        return true
    }
}
