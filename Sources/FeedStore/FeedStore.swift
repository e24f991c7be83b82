import Dispatch
package import FeedJournal
package import FeedModel
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
