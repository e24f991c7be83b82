import Dispatch
import FeedAPI
import FeedModel
package import FeedStore
package import HTTPClient
import Synchronization

/// Follows another server by the protocol, and keeps its epochs, versions and tokens
/// (docs/PROTOCOL.md, "Several servers").
///
/// A single stream brings all changes (`POST /events` with `match`). After a break, the mirror goes
/// on from the tokens of its own store.
package final class Mirror: Upstream {
    /// The settings that differ between mirrors.
    package struct Settings: Sendable {
        /// The address of the server to follow, without a slash at its end.
        package var origin: String
        /// The key that is sent there as `Authorization: Bearer`.
        package var key: String
        /// The feeds to follow, by names in which `*` stands for anything.
        package var patterns: [String] = ["*"]
        /// Called with messages for the operator.
        package var report: @Sendable (String) -> Void = { _ in }
        /// The time for which the stream may be silent; the origin sends something every 25 s.
        package var silence = Duration.seconds(40)
        /// The longest time for an answer without items; answers with items have ten times as long.
        package var answerTime = Duration.seconds(3)
        /// Waits between attempts.
        package var pause: @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        }

        package init(origin: String, key: String) {
            self.origin = origin
            self.key = key
        }
    }

    struct State {
        /// Whether all feeds were there once.
        var isReady = false
        /// Whether the stream has come to its `ready`.
        var isCurrent = false
        /// The time at which the origin was last heard while the stream was current.
        var heard = ContinuousClock.now
        /// Feeds whose version at the origin is older than the one here, and since when.
        ///
        /// For a moment that is so when an answer to a question was quicker than the stream.
        var regressed: [FeedName: ContinuousClock.Instant] = [:]
        /// Feeds that did not come to the expected state, and are fetched as a whole.
        var unfit: Set<FeedName> = []
        /// The order of what came.
        var arrivals = Arrivals()
        /// Whether a task asks again about feeds that only answers have brought.
        var isConfirming = false
        /// Whether it was reported that the origin cannot be followed, and not yet that it can
        /// again.
        var isLost = false
        var failure = "it was not reached yet"
        /// The reason why the last event was passed over.
        var passedOver: String?
        var task: Task<Void, Never>?
    }

    let settings: Settings
    let client: HTTPClient
    let store: FeedStore
    let state = Mutex(State())
    /// The queue that takes in all documents, one after the other.
    let queue = DispatchQueue(label: "freshet.mirror", qos: .userInitiated)
    let disk: MirrorDisk?
    private let patterns: [FeedPattern]
    private let readiness = Mutex<@Sendable () -> Void>({})

    /// Makes a mirror; ``start()`` begins to follow.
    ///
    /// - Parameters:
    ///   - settings: The origin and the feeds to follow.
    ///   - client: Sends the requests.
    ///   - store: Takes the feeds; it takes no publishes but the mirror's.
    package init(_ settings: Settings, _ client: HTTPClient, _ store: FeedStore) {
        self.settings = settings
        self.client = client
        self.store = store
        disk = store.journal.map { MirrorDisk($0, report: settings.report) }
        patterns = settings.patterns.compactMap { FeedPattern($0) }
    }

    /// Whether a feed is followed.
    func follows(_ feed: FeedName) -> Bool {
        !store.isVolatile(feed) && patterns.contains { $0.matches(feed) }
    }

    /// Removes kept feeds that are not followed any more: their changes would not be reported.
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

    /// The delays between attempts.
    static let backoff = Backoff(first: .milliseconds(200), longest: .seconds(10))

    /// Begins to follow.
    ///
    /// - Parameter ready: Called once, when the store has every feed of the origin.
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

    /// Notes that the store has all feeds of the origin.
    func becameReady() {
        let (isFirst, isAgain) = state.withLock { state in
            defer {
                (state.isReady, state.isCurrent, state.heard) = (true, true, .now)
                state.isLost = false
            }
            return (!state.isReady, state.isLost)
        }
        if isAgain { settings.report("\(settings.origin) is followed again") }
        if isFirst { readiness.withLock(\.self)() }
    }

    func heard() {
        state.withLock { state in
            if state.isCurrent { state.heard = .now }
        }
    }

    /// Notes that the stream has ended, or that there was none.
    ///
    /// - Returns: Whether the stream had come to its `ready`.
    @discardableResult
    func lost(_ reason: String) -> Bool {
        let (wasCurrent, isNews) = state.withLock { state in
            defer { (state.isCurrent, state.isLost, state.failure) = (false, true, reason) }
            return (state.isCurrent, state.isCurrent || state.failure != reason)
        }
        // A stop ends the stream, too.
        if isNews, !Task.isCancelled {
            settings.report("\(settings.origin) cannot be followed: \(reason)")
        }
        return wasCurrent
    }
}

/// The mirror's state for others.
extension Mirror {
    package var cutOffTime: Duration? {
        state.withLock { state in
            let starts = state.regressed.values + (state.isCurrent ? [] : [state.heard])
            return starts.min().map { ContinuousClock.now - $0 }
        }
    }

    package var knowsAllFeeds: Bool { state.withLock(\.isReady) }

    /// Whether the mirror gets every change now.
    package var isFollowing: Bool { state.withLock(\.isCurrent) }

    /// The number of feeds that are known to be behind the origin.
    package var behindFeedCount: Int {
        state.withLock { $0.unfit.union($0.regressed.keys).count }
    }

    package var takesPublishes: Bool { false }
}
