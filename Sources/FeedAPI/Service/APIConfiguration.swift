package import FeedModel
package import FeedStore

/// The operator's settings for the API.
package struct APIConfiguration: Sendable {
    /// The origins whose pages may read the server's answers in a browser.
    package enum Origins: Sendable, Equatable {
        case any
        /// Serialized origins as browsers send them (`https://example.org`), compared as bytes.
        case list([String])
    }

    /// The keys, in any order.
    package var keys: [AccessKey] = []
    /// The keys whose signed tokens are accepted; their names must differ.
    package var signingKeys: [SigningKey] = []
    /// The feeds that everyone may read; publishing always needs a key.
    package var openFeeds: [FeedPattern] = [.all]
    package var origins = Origins.any
    /// The names of request fields that pages of other origins may send, besides those of the
    /// protocol.
    package var allowedFields: [String] = []
    /// The host names that requests may have; `nil`: any.
    package var hostNames: HostNames?
    /// The limits for the requests of one client; without an entry, there is no limit.
    package var rateLimits: [RateLimit.Name: RateLimit] = [:]
    /// The most bytes of a body, after its content codings were removed.
    package var bodyByteLimit = 32 << 20
    /// The most items of a feed.
    package var itemLimit = 1_000_000
    /// The guards of feeds, which limit how many items one publish may remove.
    package var guards = FeedRules<RemovalGuard>()
    /// The limits for reads that wait for a thread, because a loop cannot answer them in
    /// microseconds.
    var waitingReads = WorkPool.Limits(count: 1000, age: .seconds(5))
    /// The limits for publishes that wait for a thread.
    var waitingPublishes = WorkPool.Limits(count: 1000, byteCount: 256 << 20, age: .seconds(10))
    /// The longest time for which a request waits for news, whatever it asks for.
    var longestWait = Duration.seconds(WaitPreference.longest)
    /// The address where readers reach the server, without a slash at the end; `nil`: not known.
    package var publicURL: String?
    /// The beginning of the ids of entries in documents for feed readers; `nil`: ``publicURL``.
    package var entryBase: String?
    /// The release of the server; another one may write documents for feed readers otherwise.
    package var release = ""
    /// The feeds that have a source; `nil`: none has.
    package var sources: (any SourceDirectory)?
    /// Returns the reason why a derived feed cannot be published, in words; `nil` if it can, and
    /// for any other feed.
    package var derivationFailure: @Sendable (FeedName) -> String? = { _ in nil }
    /// The derived feeds, each with the patterns of the feeds that it is made of.
    package var derivedFeeds: [FeedName: [FeedPattern]] = [:]
    /// The source of the metrics that keys with the right `admin` may read; `nil`: this listener
    /// serves none.
    package var metrics: (any MetricsSource)?
    /// The address that accepts publishes, if this server is a mirror.
    package var publishURL: String?
    /// The time for which a server still reports that it is ready after it lost the connection to
    /// its upstream: the server that it mirrors, or the database that it shares.
    package var staleTime = Duration.seconds(30)
    /// Called at most once a second with the refusals for load or for lack of memory: the reason in
    /// words, and their number.
    package var reportRefusals: @Sendable (String, Int) -> Void = { _, _ in }
    /// Called with the Origin of each request whose response a browser does not let that origin's
    /// pages read.
    package var reportRefusedOrigin: @Sendable (String) -> Void = { _ in }
    /// Called after each publish that was carried out, or that a feed's ``RemovalGuard`` refused.
    package var reportPublish: @Sendable (PublishRecord) -> Void = { _ in }
    /// A monotonic clock, for caches, queues and limits.
    package var clock: @Sendable () -> Duration = APIConfiguration.monotonicClock

    /// The clock for the expiry of keys and signed tokens, in seconds since 1970.
    var wall: @Sendable () -> Double = FeedStore.Clock.system.wall

    /// The defaults: no key, open reads, any origin.
    package init() {}

    /// The time at which ``monotonicClock`` is zero.
    private static let start = ContinuousClock.now
    private static let monotonicClock: @Sendable () -> Duration = {
        ContinuousClock.now - start
    }
}
