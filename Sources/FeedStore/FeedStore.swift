import Dispatch
package import FeedModel
import HeapModule
import Synchronization

/// Holds all feeds in memory, with their current and recent versions.
///
/// Its functions may be called on any thread.
package final class FeedStore: Sendable {
    // The lock guards only work on dictionaries: no diff, no callback and no freeing inside.
    let state: Mutex<State>
    package let clock: Clock
    let drawEpoch: @Sendable () -> String
    let continuity: Continuity
    /// The journal, which stores feeds durably; `nil`: feeds are only in memory.
    package let journal: (any Journal)?
    /// The journal, if other servers publish to it too.
    package let sharedJournal: (any SharedJournal)?
    /// The feeds that the journal does not store, such as the demo's.
    let volatileFeeds: Set<FeedName>
    /// Whether versions have Last-Modified dates; the versions of a mirror have none.
    let hasDates: Bool
    /// The bytes of the objects that are cached with versions (``VersionAttachment``), which count
    /// them here.
    package let attachedBytes = ByteCounter()
    /// The bytes of the answers to publishes that are stored for repeated requests; they count
    /// toward ``memoryByteLimit``.
    package let answerBytes = ByteCounter()
    let freeing = DispatchQueue(label: "freshet.freeing", qos: .utility)
    let observers = Mutex<[@Sendable (FeedName) -> Void]>([])
    /// The rules for how many older versions of a feed the journal stores.
    let retentions = Mutex(FeedRules<Retention>())
    /// The serial queue on which older versions are rebuilt, which can take long.
    let rebuilding = DispatchQueue(label: "freshet.versions", qos: .userInitiated)

    /// Makes a store without feeds.
    ///
    /// - Parameters:
    ///   - journal: Stores feeds; ``restore()`` reads its content. `nil`: feeds are only in memory.
    ///   - volatileFeeds: The feeds that the journal does not store.
    ///   - hasDates: Whether versions have Last-Modified dates, which are the times of publishes to
    ///     this server.
    ///   - drawEpoch: Draws the epoch of a new feed; the default is secure.
    package init(
        limits: HistoryLimits = HistoryLimits(),
        clock: Clock = .system,
        journal: (any Journal)? = nil,
        volatileFeeds: Set<FeedName> = [],
        hasDates: Bool = true,
        drawEpoch: @escaping @Sendable () -> String = { Token.randomEpoch() }
    ) {
        state = Mutex(
            State(limits: limits, answerBytes: answerBytes, lastDeletedSecond: Int(clock.wall()))
        )
        self.clock = clock
        self.journal = journal
        sharedJournal = journal as? any SharedJournal
        self.volatileFeeds = volatileFeeds
        self.hasDates = hasDates
        self.drawEpoch = drawEpoch
        continuity = Continuity(clock)
    }
}

extension FeedStore {
    /// Returns the current version, or `nil` if the feed does not exist.
    package func current(_ feed: FeedName) -> Version? {
        state.withLock { $0.current(feed) }
    }

    /// Returns the current version by the bytes of a name in a request, which need not be valid.
    package func current(named name: Span<UInt8>) -> Version? {
        current(FeedName(lookingUp: name))
    }

    /// Returns a version that is still remembered, or `nil`; the time hardly depends on the number
    /// of versions.
    package func version(_ token: Token, of feed: FeedName) -> Version? {
        let now = clock.now()
        return state.withLock { $0.version(token, of: feed, at: now) }
    }

    /// Returns the current versions of some feeds, ordered by name; the time does not depend on the
    /// number of feeds.
    ///
    /// - Parameters:
    ///   - name: The UTF-8 of a text; only names after it are found, in the order of bytes.
    ///   - prefix: The UTF-8 with which the names begin.
    package func page(after name: [UInt8], prefix: [UInt8], limit: Int) -> [Version] {
        state.withLock { state in
            state.names.names(after: name, prefix: prefix, limit: limit)
                .compactMap { state.current($0) }
        }
    }

    /// Returns the first names of feeds after `name` that begin with `prefix`, in order.
    package func names(after name: [UInt8], prefix: [UInt8] = [], limit: Int) -> [FeedName] {
        state.withLock { $0.names.names(after: name, prefix: prefix, limit: limit) }
    }

    /// The number of feeds.
    package var feedCount: Int { state.withLock(\.feeds.count) }

    /// The number of remembered versions of all feeds, including the current ones.
    package var versionCount: Int { state.withLock(\.versionCount) }

    /// Returns the current versions of all feeds, ordered by name.
    package func all() -> [Version] {
        state.withLock { $0.feeds.values.map(\.history.current) }.sorted { $0.feed < $1.feed }
    }
}

extension FeedStore {
    /// The state that the store's lock guards: the feeds, their memory use, and the order in which
    /// versions are forgotten.
    ///
    /// Calls return the objects that they remove, so that these are not freed while the lock is
    /// held.
    struct State {
        /// A feed's history, and the queues in which the feed has an entry.
        struct Feed {
            var history: History
            /// The number of the history, which distinguishes it from others under the same name.
            let number = VersionNumber.next()
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

        /// The most deleted feeds whose epochs are remembered.
        static let epochLimit = 10_000

        var feeds: [FeedName: Feed] = [:]
        /// The names of all feeds.
        var names = NameList()
        /// For each rule, a queue of the feeds that have versions to forget.
        var queues = Rule.allCases.map { _ in Heap<Aged>() }
        /// The last epochs of deleted feeds: a new feed of the same name must get another one.
        var lastEpochs: [FeedName: String] = [:]

        /// The newest changes of feeds with changes that the journal has not decided.
        var chainEnds: [FeedName: VersionChange] = [:]
        /// The changes with an unknown outcome: the journal may or may not have stored them.
        var unknowns: [FeedName: VersionChange] = [:]
        /// The additional bytes of the current versions once all pending changes are visible.
        var pendingGrowth = 0

        /// The memory of all feeds, without the attachments of versions.
        var cost = FeedCost()

        /// The number of remembered versions of all feeds.
        var versionCount = 0

        let limits: HistoryLimits

        /// The most bytes that all feeds may take.
        var memoryByteLimit = Int.max

        /// The bytes of the answers to publishes that are stored for repeated requests; they count
        /// toward ``memoryByteLimit``.
        private let answerBytes: ByteCounter

        /// The latest second of any version of a deleted feed, in seconds since 1970.
        ///
        /// Any feed may have been deleted before the server's start, so the start is the first
        /// value.
        var lastDeletedSecond: Int

        init(limits: HistoryLimits, answerBytes: ByteCounter, lastDeletedSecond: Int) {
            self.limits = limits
            self.lastDeletedSecond = lastDeletedSecond
            self.answerBytes = answerBytes
        }

        /// The bytes that feeds may take besides the stored answers to publishes.
        var feedByteLimit: Int { max(0, memoryByteLimit - answerBytes.byteCount) }
    }
}

extension FeedStore.State {
    func current(_ feed: FeedName) -> Version? { feeds[feed]?.history.current }

    func version(_ token: Token, of feed: FeedName, at now: Duration) -> Version? {
        guard let history = feeds[feed]?.history, history.current.token.hasSameEpoch(as: token)
        else { return nil }
        return history.version(token.version, at: now)
    }

    var attachedByteLimit: Int { max(0, feedByteLimit - cost.current) }

    /// Changes a feed's history, and counts what it then remembers and weighs; `nil`: the feed does
    /// not exist.
    mutating func changeHistory<Result>(
        of feed: FeedName,
        _ body: (inout History) -> Result
    ) -> Result? {
        guard let index = feeds.index(forKey: feed) else { return nil }
        cost.history -= feeds.values[index].history.weight
        versionCount -= feeds.values[index].history.count
        defer {
            cost.history += feeds.values[index].history.weight
            versionCount += feeds.values[index].history.count
        }
        return body(&feeds.values[index].history)
    }
}

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension FeedStore {
    /// The store's source of time.
    package struct Clock: Sendable {
        /// Returns the time of a monotonic clock.
        package var now: @Sendable () -> Duration

        /// Returns the seconds since 1970.
        package var wall: @Sendable () -> Double

        /// Returns the whole seconds of a monotonic clock; it is cheap to read.
        package var seconds: @Sendable () -> Int

        /// Makes a clock from functions that may be called on any thread.
        ///
        /// - Parameters:
        ///   - now: Returns the time of a monotonic clock.
        ///   - wall: Returns the seconds since 1970.
        ///   - seconds: Returns whole monotonic seconds; by default those of `now`.
        package init(
            now: @escaping @Sendable () -> Duration,
            wall: @escaping @Sendable () -> Double,
            seconds: (@Sendable () -> Int)? = nil
        ) {
            self.now = now
            self.wall = wall
            self.seconds = seconds ?? { Int(now().components.seconds) }
        }

        /// A clock that reads the machine's time.
        package static var system: Clock {
            let start = ContinuousClock.now
            return Clock(
                now: { ContinuousClock.now - start },
                wall: secondsSince1970,
                seconds: coarseSeconds
            )
        }
    }

    /// The whole seconds of the store's monotonic clock, cheap to read.
    package var seconds: Int { clock.seconds() }

    /// The whole seconds since 1970 by the store's clock.
    package var wallSeconds: Int { Int(clock.wall()) }

    /// Returns the time after which it is worth asking for a feed again, in seconds
    /// (docs/PROTOCOL.md, "When to ask again"); `version` may be an old version of the feed.
    package func pollingHint(_ version: Version) -> Int {
        let last = current(version.feed) ?? version
        let time = (last.updateIntervals ?? .init()).remainder(after: clock.now() - last.time)
        return max(1, min(3600, Int(time.components.seconds)))
    }
}

/// Returns the seconds since 1970 as of the kernel's last tick, the clock of the Date field in
/// responses: so no version is later than the Date of its response.
@Sendable private func secondsSince1970() -> Double {
    var time = timespec()
    #if canImport(Glibc)
    unsafe clock_gettime(CLOCK_REALTIME_COARSE, &time)
    #else
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    #endif
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Returns the whole seconds of a monotonic clock, at most one tick of the kernel late.
@Sendable private func coarseSeconds() -> Int {
    var time = timespec()
    #if canImport(Glibc)
    unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    #else
    unsafe clock_gettime(CLOCK_MONOTONIC_RAW_APPROX, &time)
    #endif
    return time.tv_sec
}
