import Dispatch
package import FeedJournal
package import FeedModel
import Synchronization

/// The feeds in memory, with their history; any thread may call it.
package final class FeedStore: Sendable {
    // Dictionary work only: no diff, no callback and no freeing inside.
    let state: Mutex<State>
    package let clock: Clock
    let drawEpoch: @Sendable () -> String
    let continuity: Continuity
    /// What keeps feeds; `nil`: nothing does.
    package let journal: (any Journal)?
    /// The same, where other servers publish there, too.
    package let sharedJournal: (any SharedJournal)?
    /// The feeds that it does not keep, such as the demo's.
    let volatileFeeds: Set<FeedName>
    /// Whether a version has a date of its own; on a mirror it has none.
    let hasDates: Bool
    /// Bytes of what hangs on versions, counted by what hangs there.
    package let attachedBytes = ByteCounter()
    /// Bytes of answers to publishes that are kept for those who ask again, which count for
    /// ``memoryByteLimit``.
    package let answerBytes = ByteCounter()
    let freeing = DispatchQueue(label: "freshet.freeing", qos: .utility)
    let observers = Mutex<[@Sendable (FeedName) -> Void]>([])

    /// Makes a store without feeds.
    ///
    /// - Parameters:
    ///   - limits: How much is remembered.
    ///   - clock: Tells when versions were published.
    ///   - journal: Keeps feeds; ``restore()`` reads what it has.
    ///   - volatileFeeds: The feeds that it does not keep.
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

    /// 8 characters of ``FeedModel/Token/epochAlphabet`` from the system's secure generator.
    @Sendable package static func randomEpoch() -> String { Token.randomEpoch() }
}

extension FeedStore {
    /// The current version, or `nil` when there is no such feed.
    package func current(_ feed: FeedName) -> Version? {
        state.withLock { $0.current(feed) }
    }

    /// The same by a name as it stands in a request, which need not be one.
    package func current(named name: Span<UInt8>) -> Version? {
        state.withLock { $0.current(named: name) }
    }

    /// A version still remembered, or `nil`; it takes the same time however many there are.
    package func version(_ token: Token, of feed: FeedName) -> Version? {
        let now = clock.now()
        return state.withLock { $0.version(token, of: feed, at: now) }
    }

    /// The newest remembered versions of a feed, the newest first.
    ///
    /// - Parameters:
    ///   - feed: The feed.
    ///   - token: The version before which the list begins; `nil`: it begins with the current one.
    ///   - limit: The most versions, at least one.
    /// - Returns: The versions; `nil` if there is no such feed, or `token` is not remembered.
    package func versions(of feed: FeedName, before token: Token?, limit: Int) -> [Version]? {
        let now = clock.now()
        return state.withLock { state in
            guard let history = state.feeds[feed]?.history,
                token?.hasSameEpoch(as: history.current.token) ?? true
            else { return nil }
            return history.versions(before: token?.version, limit: limit, at: now)
        }
    }

    /// The current versions of some feeds, ordered by name; it takes the same time however many
    /// feeds there are.
    ///
    /// - Parameters:
    ///   - name: The UTF-8 of what their names come after, by bytes.
    ///   - prefix: The UTF-8 that their names begin with.
    ///   - limit: The most versions to find.
    /// - Returns: The versions.
    package func page(after name: [UInt8], prefix: [UInt8], limit: Int) -> [Version] {
        state.withLock { $0.page(after: name, prefix: prefix, limit: limit) }
    }

    /// The first names of feeds after a name, of those that begin with `prefix`, in order.
    package func names(after name: [UInt8], prefix: [UInt8] = [], limit: Int) -> [FeedName] {
        state.withLock { $0.names(after: name, prefix: prefix, limit: limit) }
    }

    /// How many feeds there are.
    package var feedCount: Int { state.withLock(\.feeds.count) }

    /// How many versions of all feeds are remembered, with the current ones.
    package var versionCount: Int { state.withLock(\.versionCount) }

    /// The current versions of all feeds, ordered by name.
    package func all() -> [Version] {
        state.withLock { $0.all() }.sorted { $0.feed < $1.feed }
    }
}
