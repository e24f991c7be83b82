import Dispatch
package import FeedModel
import HeapModule
import Synchronization

/// The feeds in memory with their history; its functions may be called on any thread.
package final class FeedStore: Sendable {
    // The lock guards only work on dictionaries: no diff, no callback and no freeing inside.
    let state: Mutex<State>
    package let clock: Clock
    let drawEpoch: @Sendable () -> String
    let continuity: Continuity
    /// The journal that keeps feeds; `nil`: feeds are not kept.
    package let journal: (any Journal)?
    /// The journal, if other servers publish to it too.
    package let sharedJournal: (any SharedJournal)?
    /// The feeds that the journal does not keep, such as the demo's.
    let volatileFeeds: Set<FeedName>
    /// Whether versions have dates of their own; a mirror's have none.
    let hasDates: Bool
    /// The bytes of the attachments of versions; the attachments count them.
    package let attachedBytes = ByteCounter()
    /// The bytes of answers to publishes that are kept for repeated requests; they count toward
    /// ``memoryByteLimit``.
    package let answerBytes = ByteCounter()
    let freeing = DispatchQueue(label: "freshet.freeing", qos: .utility)
    let observers = Mutex<[@Sendable (FeedName) -> Void]>([])
    /// How many older versions the journal keeps of feeds.
    let retentions = Mutex(FeedRules<Retention>())
    /// Where older versions are put together, one after the other: a long way back is much work.
    let rebuilding = DispatchQueue(label: "freshet.versions", qos: .userInitiated)

    /// Makes a store without feeds.
    ///
    /// - Parameters:
    ///   - limits: The limits of the history.
    ///   - clock: Tells when versions were published.
    ///   - journal: Keeps feeds; ``restore()`` reads its content.
    ///   - volatileFeeds: The feeds that the journal does not keep.
    ///   - hasDates: Whether versions have dates, which are those of publishes to this server.
    ///   - drawEpoch: Draws the epoch of a new feed; the default is secure.
    package init(
        limits: HistoryLimits = HistoryLimits(),
        clock: Clock = .system,
        journal: (any Journal)? = nil,
        volatileFeeds: Set<FeedName> = [],
        hasDates: Bool = true,
        drawEpoch: @escaping @Sendable () -> String = FeedStore.randomEpoch
    ) {
        state = Mutex(
            State(limits: limits, answerBytes: answerBytes, deletedSecond: Int(clock.wall()))
        )
        self.clock = clock
        self.journal = journal
        sharedJournal = journal as? any SharedJournal
        self.volatileFeeds = volatileFeeds
        self.hasDates = hasDates
        self.drawEpoch = drawEpoch
        continuity = Continuity(clock)
    }

    /// Returns 8 characters of ``FeedModel/Token/epochAlphabet`` from the system's secure
    /// generator.
    @Sendable package static func randomEpoch() -> String { Token.randomEpoch() }
}

extension FeedStore {
    /// Returns the current version, or `nil` if the feed does not exist.
    package func current(_ feed: FeedName) -> Version? {
        state.withLock { $0.current(feed) }
    }

    /// Returns the current version by the bytes of a name in a request, which need not be valid.
    package func current(named name: Span<UInt8>) -> Version? {
        state.withLock { $0.current(named: name) }
    }

    /// Returns a version that is still remembered, or `nil`; the time does not depend on the number
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
    ///   - limit: The most versions to find.
    /// - Returns: The versions.
    package func page(after name: [UInt8], prefix: [UInt8], limit: Int) -> [Version] {
        state.withLock { $0.page(after: name, prefix: prefix, limit: limit) }
    }

    /// Returns the first names of feeds after `name` that begin with `prefix`, in order.
    package func names(after name: [UInt8], prefix: [UInt8] = [], limit: Int) -> [FeedName] {
        state.withLock { $0.names(after: name, prefix: prefix, limit: limit) }
    }

    /// The number of feeds.
    package var feedCount: Int { state.withLock(\.feeds.count) }

    /// The number of remembered versions of all feeds, including the current ones.
    package var versionCount: Int { state.withLock(\.versionCount) }

    /// Returns the current versions of all feeds, ordered by name.
    package func all() -> [Version] {
        state.withLock { $0.all() }.sorted { $0.feed < $1.feed }
    }
}

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

        /// The most deleted feeds whose epochs are remembered.
        static let epochLimit = 10_000

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

    /// Returns the likely time until a feed changes again.
    ///
    /// - Parameter version: The feed's current version.
    /// - Returns: A duration, at least zero.
    package func remainder(of version: Version) -> Duration {
        (version.updateIntervals?.current ?? UpdateIntervals()).remainder(
            after: clock.now() - version.time
        )
    }
}

/// Returns the seconds since 1970 as of the kernel's last tick, like the Date of responses: no
/// version is later than the Date of its response.
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

/// An index of the current versions by the bytes of a feed's name in a request: no string is made
/// of them.
///
/// It uses open addressing with linear probing (Knuth, "The Art of Computer Programming", volume 3,
/// section 6.4, algorithms L and R), and is at most half full.
struct VersionIndex {
    /// A version with the hash of its feed's name: versions with another hash, which are elsewhere
    /// in memory, need not be read.
    private struct Slot {
        var hash: UInt64 = 0
        var version: Version?
    }

    private var slots = [Slot(), Slot()]
    private var count = 0
    /// A random seed, so that an attacker does not know which names collide.
    private let seed = UInt64.random(in: .min ... .max)

    /// Returns the version of the feed with that name.
    subscript(name: Span<UInt8>) -> Version? { slots[slot(of: name, hash(name))].version }

    /// Replaces the last version of the feed with `version`.
    mutating func update(_ version: Version) {
        if count * 2 >= slots.count { grow() }
        let name = version.feed.rawValue.utf8.span
        let hash = hash(name)
        let slot = slot(of: name, hash)
        if slots[slot].version == nil { count += 1 }
        slots[slot] = Slot(hash: hash, version: version)
    }

    /// Removes a feed.
    mutating func remove(_ feed: FeedName) {
        let name = feed.rawValue.utf8.span
        var hole = slot(of: name, hash(name))
        guard slots[hole].version != nil else { return }
        slots[hole] = Slot()
        count -= 1
        // The versions after it, up to the next empty slot, may belong in this one.
        var slot = next(hole)
        while slots[slot].version != nil {
            let home = home(of: slots[slot].hash)
            if (slot &- home) & (slots.count - 1) >= (slot &- hole) & (slots.count - 1) {
                slots.swapAt(hole, slot)
                hole = slot
            }
            slot = next(slot)
        }
    }

    /// Returns the slot of a name, or the empty slot where it would be.
    private func slot(of name: Span<UInt8>, _ hash: UInt64) -> Int {
        var slot = home(of: hash)
        while slots[slot].version != nil {
            if slots[slot].hash == hash, slots[slot].version?.isNamed(name) == true { break }
            slot = next(slot)
        }
        return slot
    }

    private func next(_ slot: Int) -> Int { (slot + 1) & (slots.count - 1) }

    /// Returns the first slot to be searched for a name.
    private func home(of hash: UInt64) -> Int {
        Int(truncatingIfNeeded: hash) & (slots.count - 1)
    }

    /// Returns the hash of a name: each eight bytes are multiplied into 128 bits, and the halves
    /// are folded; a secret seed is the start (the principle of wyhash, Wang Yi).
    ///
    /// Only publishers choose names, and a search for another name passes over few slots.
    private func hash(_ name: Span<UInt8>) -> UInt64 {
        var hash = seed ^ UInt64(truncatingIfNeeded: name.count)
        guard name.count >= 8 else {
            var word: UInt64 = 0
            for index in name.indices { word = word << 8 | UInt64(name[index]) }
            return VersionIndex.mixed(hash ^ word)
        }
        var index = 0
        while index + 8 < name.count {
            hash = VersionIndex.mixed(hash ^ name.word(at: index))
            index += 8
        }
        // The last eight bytes may overlap the previous word.
        return VersionIndex.mixed(hash ^ name.word(at: name.count - 8))
    }

    private static func mixed(_ number: UInt64) -> UInt64 {
        let product = number.multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
        return product.high ^ product.low
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(), count: old.count * 2)
        for place in old where place.version != nil {
            // The names are all different, so no comparison is needed.
            var slot = home(of: place.hash)
            while slots[slot].version != nil { slot = next(slot) }
            slots[slot] = place
        }
    }
}

extension Version {
    fileprivate func isNamed(_ name: Span<UInt8>) -> Bool {
        feed.rawValue.utf8.span.isSame(as: name)
    }
}

extension Span<UInt8> {
    fileprivate func isSame(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var index = 0
        while index + 8 <= count {
            guard word(at: index) == other.word(at: index) else { return false }
            index += 8
        }
        while index < count {
            guard self[index] == other[index] else { return false }
            index += 1
        }
        return true
    }

    /// Returns the eight bytes from `index` on as a number.
    func word(at index: Int) -> UInt64 {
        // The load is safe, because any eight bytes make a number, and it checks the bounds.
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
    }
}
