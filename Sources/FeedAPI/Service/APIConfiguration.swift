package import FeedModel
package import FeedStore

/// The operator's settings for the API.
package struct APIConfiguration: Sendable {
    /// Who may request from a browser.
    package enum Origins: Sendable, Equatable {
        case any
        /// Serialized origins as browsers send them (`https://example.org`), compared as bytes.
        case list([String])
    }

    /// The keys, in no order that matters.
    package var keys: [AccessKey] = []
    /// The keys whose signed tokens are taken, each with a name of its own.
    package var signingKeys: [SigningKey] = []
    /// The feeds that everyone may read; publishing always needs a key.
    package var openFeeds: [FeedPattern] = [.all]
    package var origins = Origins.any
    /// The names of request fields that pages of other origins may send beside those of the
    /// protocol.
    package var allowedFields: [String] = []
    /// The names that it answers to; `nil`: all.
    package var hostNames: HostNames?
    /// How many requests one client may send.
    package var rateLimits = RateLimits()
    /// Bytes of a body, its content codings removed.
    package var bodyByteLimit = 32 << 20
    /// Items in a feed.
    package var itemLimit = 1_000_000
    /// The guards of feeds, which limit how many items one publish may remove.
    package var guards = FeedRules<RemovalGuard>()
    /// Reads that are not answered from memory, and publishes: how much of them may wait.
    var waitingReads = WorkPool.Limits(count: 1000, age: .seconds(5))
    var waitingPublishes = WorkPool.Limits(count: 1000, byteCount: 256 << 20, age: .seconds(10))
    /// The longest that an answer is held, whatever is asked for.
    var longestWait = Duration.seconds(WaitPreference.longest)
    /// Where readers reach the server, without a slash at the end; `nil`: not known.
    package var publicURL: String?
    /// The beginning of the ids of entries; `nil`: ``publicURL``.
    package var entryBase: String?
    /// The feeds that have a source; `nil`: none has.
    package var sources: (any SourceDirectory)?
    /// Returns why a derived feed cannot be published, in words; `nil`: it can, or the feed is not
    /// derived.
    package var derivationFailure: @Sendable (FeedName) -> String? = { _ in nil }
    /// The feeds that are made of others, each with the patterns that name the others.
    package var derivedFeeds: [FeedName: [FeedPattern]] = [:]
    /// Where figures come from that keys with the right `admin` may read; `nil`: not here.
    package var metrics: (any MetricsSource)?
    /// Whether the feeds are loaded and the server is ready for traffic.
    package var isReady: @Sendable () -> Bool = { true }
    /// Where publishes go that come to a mirror.
    package var publishURL: String?
    /// For how long a server that is cut off from what it follows says that it is ready.
    package var staleTime = Duration.seconds(30)
    /// Told once a second of what was refused for load or for memory: in words, and how many.
    package var reportRefusals: @Sendable (String, Int) -> Void = { _, _ in }
    /// Told of the origin of each request that no page of that origin can read the answer to.
    package var reportRefusedOrigin: @Sendable (String) -> Void = { _ in }
    /// Told of each publish that was carried out.
    package var reportPublish: @Sendable (PublishRecord) -> Void = { _ in }
    /// A time that only grows, for what is remembered for a while.
    package var clock: @Sendable () -> Duration = APIConfiguration.monotonicClock

    /// Seconds since 1970, by which signed tokens count.
    var wall: @Sendable () -> Double = FeedStore.Clock.system.wall

    /// The defaults: no key, open reads, any origin.
    package init() {}

    /// When the clock was first read.
    private static let start = ContinuousClock.now
    private static let monotonicClock: @Sendable () -> Duration = {
        ContinuousClock.now - start
    }
}
