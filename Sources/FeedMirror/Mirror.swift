import Dispatch
import FeedAPI
package import FeedModel
package import FeedStore
package import HTTPClient
import Synchronization

/// Copies the feeds of another server, its origin, to the store of this one, with the origin's
/// epochs, versions and tokens (docs/PROTOCOL.md, "Several servers").
///
/// A single stream brings all changes (`POST /events` with `match`). After an interruption, the
/// mirror continues from the tokens in its store.
package final class Mirror: Upstream {
    /// The settings that differ between mirrors.
    package struct Settings: Sendable {
        /// The address of the server to follow, without a slash at its end.
        package var origin: String
        /// The key that is sent there as `Authorization: Bearer`.
        package var key: String
        /// The patterns of the feeds to follow.
        package var patterns = [FeedPattern.all]
        /// Called with messages for the operator.
        package var report: @Sendable (String) -> Void = { _ in }
        /// The time after which a silent stream counts as broken.
        ///
        /// The origin sends something every 25 s.
        package var silence = Duration.seconds(40)
        /// The longest time for an answer without items.
        ///
        /// An answer with items may take ten times as long.
        package var answerTime = Duration.seconds(3)
        /// The time after which a version of the stream that is older than the one in the store no
        /// longer counts as late: the origin's version has gone back.
        package var lateness = Duration.seconds(3)
        /// Sleeps between attempts.
        package var pause: @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        }

        package init(origin: String, key: String) {
            self.origin = origin
            self.key = key
        }
    }

    struct State {
        /// Whether the store has had all feeds of the origin once.
        var isReady = false
        /// The reason why the origin cannot be followed, which the operator was told; `nil`: it is
        /// followed, or was not reached yet.
        var failure: String?
        /// Whether the present stream has sent its event `ready`.
        var isCurrent: Bool { isReady && failure == nil }
        /// The time of the last bytes of a stream after its `ready`.
        var heard = ContinuousClock.now
        /// The feeds whose version at the origin is older than the one in the store, with the time
        /// since when.
        ///
        /// A feed is here for a moment if an answer to a question is faster than the stream.
        var regressed: [FeedName: ContinuousClock.Instant] = [:]
        /// The feeds whose documents did not fit; they are fetched as a whole.
        var unfit: Set<FeedName> = []
        /// The record by which outdated documents about a feed are recognized.
        var arrivals = Arrivals()
        /// Whether a task is asking again about ``Arrivals/unconfirmed`` feeds.
        var isConfirming = false
        /// The reason why the last skipped event was not understood.
        var passedOver: String?
        var task: Task<Void, Never>?
    }

    let settings: Settings
    let client: HTTPClient
    let store: FeedStore
    let state = Mutex(State())
    /// The serial queue that applies all documents to the store.
    let queue = DispatchQueue(label: "freshet.mirror", qos: .userInitiated)
    /// The writer of the feeds to this server's journal; `nil` without a journal.
    let disk: MirrorDisk?
    private let readiness = Mutex<@Sendable () -> Void>({})

    /// Makes a mirror, which alone publishes to the store; ``start()`` begins to follow.
    package init(_ settings: Settings, _ client: HTTPClient, _ store: FeedStore) {
        self.settings = settings
        self.client = client
        self.store = store
        disk = store.journal.map { MirrorDisk($0, report: settings.report) }
    }

    /// Whether a feed is followed.
    func follows(_ feed: FeedName) -> Bool {
        !store.isVolatile(feed) && settings.patterns.contains { $0.matches(feed) }
    }

    /// Removes feeds of the journal that are not followed any more: they would never change again.
    ///
    /// To be called before ``start(ready:)``.
    package func removeOthers() {
        let others = store.all().map(\.feed).filter { feed in
            !store.isVolatile(feed) && !follows(feed)
        }
        guard !others.isEmpty else { return }
        queue.sync { for feed in others { remove(feed) } }
        settings.report("feeds that are no longer followed were removed: \(others.count)")
    }

    /// The growing delays between attempts.
    static let backoff = Backoff(first: .milliseconds(200), longest: .seconds(10))

    /// Begins to follow, and calls `ready` once, when the store has every feed of the origin.
    package func start(ready: @escaping @Sendable () -> Void) {
        readiness.withLock { $0 = ready }
        let task = Task { [weak self] in
            var backoff = Mirror.backoff
            while !Task.isCancelled {
                guard let self else { return }
                if await self.followOnce() { backoff.reset() }
                let delay = backoff.delay(random: .random(in: 0.5...1))
                do { try await self.settings.pause(delay) } catch { return }
            }
        }
        state.withLock { $0.task = task }
    }

    /// Ends the stream.
    package func stop() {
        state.withLock(\.task)?.cancel()
    }

    /// Records that the store has all feeds of the origin.
    func becameReady() {
        let (isFirst, isAgain) = state.withLock { state in
            defer { (state.isReady, state.failure, state.heard) = (true, nil, .now) }
            return (!state.isReady, state.failure != nil)
        }
        if isAgain { settings.report("\(settings.origin) is followed again") }
        if isFirst { readiness.withLock(\.self)() }
    }

    func heard() {
        state.withLock { state in
            if state.isCurrent { state.heard = .now }
        }
    }

    /// Records that the stream has ended, or could not be opened, and returns whether it had sent
    /// its event `ready`.
    @discardableResult
    func lost(_ reason: String) -> Bool {
        let (wasCurrent, isNews) = state.withLock { state in
            defer { state.failure = reason }
            return (state.isCurrent, state.failure != reason)
        }
        // Stopping the mirror ends the stream, too, which is no news.
        if isNews, !Task.isCancelled {
            settings.report("\(settings.origin) cannot be followed: \(reason)")
        }
        return wasCurrent
    }
}

/// Reports the state of the mirror to the rest of the server.
extension Mirror {
    package var cutOffTime: Duration? {
        state.withLock { $0.isCurrent ? nil : .now - $0.heard }
    }

    package var trouble: String? {
        let latest = ContinuousClock.now - settings.lateness
        let count = state.withLock { $0.regressed.values.count { $0 <= latest } }
        guard count > 0 else { return nil }
        return "feeds that went back to an earlier version at the origin, and are not followed "
            + "until they have a later one or a new epoch there: \(count)"
    }

    package var knowsAllFeeds: Bool { state.withLock(\.isReady) }

    /// Whether the mirror gets every change now.
    package var isFollowing: Bool { state.withLock(\.isCurrent) }

    /// The number of feeds that are known to differ from the origin's current version.
    package var behindFeedCount: Int {
        state.withLock { $0.unfit.union($0.regressed.keys).count }
    }

    package var takesPublishes: Bool { false }
}
