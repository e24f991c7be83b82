import FeedModel
import HeapModule

extension FeedStore {
    /// The state that the store's lock guards: the feeds, their memory use, and the order in which
    /// versions are forgotten.
    ///
    /// Calls return the objects that they remove, so that these are not freed while the lock is
    /// held.
    struct State {
        struct Feed {
            var history: History
            /// A bit for each rule in whose queue the feed has an entry.
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
            /// The version that it was made from; `nil` for a new feed.
            let previous: Version?
            /// The memory needed to remember `previous`, in bytes.
            let previousWeight: Int
            /// Whether the version is refused if the feeds would take too much memory.
            let isLimited: Bool
            /// Whether the journal has the version, after it was compared with the previous ones.
            let isKept: Bool
        }

        /// The result of installing a version.
        enum Installation {
            /// The version is installed, and that number of bytes of history were forgotten.
            case done(forgotten: Int)
            /// Another publish came first.
            case late
            case refused(MemoryShortage)
        }

        /// The most deleted feeds whose epochs are remembered.
        private static let epochLimit = 10_000

        var feeds: [FeedName: Feed] = [:]
        /// An index of the current versions of all feeds.
        var index = VersionIndex()
        /// The names of all feeds.
        var names = NameList()
        /// For each rule, a queue of the feeds that have versions to forget.
        var queues = Rule.allCases.map { _ in Heap<Aged>() }
        var lastEpochs: [FeedName: String] = [:]

        /// The newest versions of feeds with changes that the journal has not decided.
        var chainEnds: [FeedName: ChainEnd] = [:]
        /// The changes that may or may not be kept: the journal does not know.
        var unknowns: [FeedName: ChainEnd] = [:]
        var lastChain = 0
        /// The additional bytes of the current versions once all pending changes are visible.
        var pendingGrowth = 0

        /// The memory of all feeds, without the attachments of versions.
        var cost = FeedCost()

        /// The number of remembered versions of all feeds.
        var versionCount = 0

        let limits: HistoryLimits

        /// The most bytes that all feeds may take.
        var memoryByteLimit = Int.max

        /// The bytes of kept answers to publishes, which count toward that limit.
        private let answerBytes: ByteCounter

        /// The latest second of any version of a deleted feed, in seconds since 1970.
        ///
        /// Any feed may have been deleted before the server's start, so the start is the first
        /// value.
        var deletedSecond: Int

        init(limits: HistoryLimits, answerBytes: ByteCounter, deletedSecond: Int) {
            self.limits = limits
            self.deletedSecond = deletedSecond
            self.answerBytes = answerBytes
        }

        /// The bytes that feeds may take besides the kept answers.
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

    /// Returns the current versions of the first feeds after a name whose names begin with a
    /// prefix.
    func page(after name: [UInt8], prefix: [UInt8], limit: Int) -> [Version] {
        names.names(after: name, prefix: prefix, limit: limit).compactMap { current($0) }
    }

    func names(after name: [UInt8], prefix: [UInt8], limit: Int) -> [FeedName] {
        names.names(after: name, prefix: prefix, limit: limit)
    }

    var attachedByteLimit: Int { max(0, feedByteLimit - cost.current) }

    /// Returns the weight of a feed's past versions in bytes.
    func historyWeight(of feed: FeedName) -> Int {
        feeds[feed]?.history.weight ?? 0
    }

    /// Makes a version the current one, if the version that it was made from still is.
    ///
    /// The epoch of a new feed must differ from the last one under that name.
    ///
    /// - Parameters:
    ///   - next: The version to install.
    ///   - attached: The bytes of the attachments of versions.
    ///   - now: The time, for the history.
    ///   - forgotten: Receives the versions that are forgotten.
    /// - Returns: The result.
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

    /// Starts a feed with its first version.
    ///
    /// - Returns: `false` if its epoch is that of the last feed with its name, or if it was made
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

    /// Removes a feed if `version` is its current one, and returns whether it was; its history is
    /// moved to `forgotten`.
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
