public import FeedModel
public import Foundation

/// An app's copy of a feed, which can be kept up to date with the server.
///
/// The copy is updated by ``refresh()``, by ``wait(_:)``, by ``FeedService/pull(_:)`` for several
/// feeds at once, and continuously while ``live()`` is read. ``LiveFeed`` presents a feed to a user
/// interface.
public actor Feed {
    /// The state of the connection to the server.
    public enum State: Sendable {
        /// No request is under way.
        case idle
        /// A response is awaited.
        case refreshing
        /// Changes are received as they happen.
        case live
        /// The server could not be reached.
        case offline
        /// The server refused the request, or another site answered.
        case failed
    }

    /// The feed's id.
    public nonisolated let name: FeedName

    /// The part of the feed that is held; ``loadMore(_:)`` raises its limit.
    public nonisolated var view: FeedView { views.value }

    /// Whether the server is asked for changes even if a snapshot is shorter.
    ///
    /// An app that shows each change needs this.
    public nonisolated let showsChanges: Bool

    /// The content that is held, with its version.
    public internal(set) var copy: FeedCopy

    /// The state of the connection to the server.
    public internal(set) var state = State.idle

    /// The origin and the age of the content.
    public internal(set) var freshness = FeedFreshness.neverLoaded

    /// The error of the last request; `nil` after a success.
    public internal(set) var problem: FeedServiceError?

    /// The ids of items that were inserted above ``reader``, still exist, and were not reached
    /// since; empty at the top of the list.
    public internal(set) var unseenAbove: Set<ExactString> = []

    /// The number of items in ``unseenAbove``.
    public var newAbove: Int { unseenAbove.count }

    /// The id of the first row that the user sees, or of its neighbour after it was removed; `nil`
    /// at the top of the list.
    public internal(set) var reader: ExactString?

    /// The state of the last request for further rows.
    public internal(set) var loadMoreState = LoadMoreState.idle

    nonisolated let service: FeedService
    /// The view that the feed was made with.
    nonisolated let firstView: FeedView
    /// The current view, and a way to wait for its changes.
    nonisolated let views: ChangeMonitor<FeedView>
    /// The generation of the ``CacheGate`` in which the feed was made.
    nonisolated let generation: Int
    /// The key of the feed in the cache, made of its name and ``firstView``.
    nonisolated let cacheKey: FeedCache.Key
    /// The state that the feed was made with, for previews; `nil`: none.
    nonisolated let start: FeedUpdate?
    var hasReadCache = false
    /// The last known state of the feed's cache file; `nil`: unknown, or nothing can be appended.
    var file: CacheFile.Known?
    /// The last known content of the feed's state file in the cache; `nil`: unknown.
    var fileState: FeedCache.State?
    /// The followers that receive changes as they happen.
    var liveFollowers: Set<UUID> = []
    var refreshing: Task<Void, Never>?
    /// The outcome of the running request for further rows; `nil`: no such request runs.
    var loadingMore: ChangeMonitor<LoadMoreOutcome>?
    var waiters: [Int: CheckedContinuation<FeedEvent, any Error>] = [:]
    var subscribers: [Int: AsyncStream<FeedUpdate>.Continuation] = [:]
    var updateCount = 0
    /// The number of waiters and subscribers so far; the next one gets it as its key.
    var number = 0

    /// Makes a feed without content; no request is sent, and the cache is not read yet.
    ///
    /// - Parameters:
    ///   - name: The feed's id.
    ///   - service: The feed's server.
    ///   - view: The part of the feed to hold.
    ///   - showsChanges: Whether changes are requested even if a snapshot is shorter.
    public init(
        _ name: FeedName,
        of service: FeedService,
        view: FeedView = FeedView(),
        showsChanges: Bool = false
    ) {
        self.name = name
        firstView = view
        views = ChangeMonitor(view)
        self.showsChanges = showsChanges
        self.service = service
        generation = service.gate.generation
        cacheKey = service.cacheKey(of: name, view)
        start = nil
        copy = FeedCopy(name, view: view)
    }

    /// Makes a feed with a state, for previews.
    init(_ start: FeedUpdate, of service: FeedService) {
        name = start.copy.feed
        firstView = start.copy.view
        views = ChangeMonitor(firstView)
        showsChanges = false
        self.service = service
        generation = service.gate.generation
        cacheKey = service.cacheKey(of: name, firstView)
        self.start = start
        hasReadCache = true
        copy = start.copy
        freshness = start.freshness
        problem = start.problem
        state = start.state
    }

    /// The time at which the server last sent or confirmed the content, perhaps in an earlier run
    /// of the app; `nil`: the feed was never loaded, or is gone or missing.
    public var refreshed: Date? {
        switch freshness {
        case .cached(let date), .current(let date): date
        case .neverLoaded, .gone, .missing: nil
        }
    }

    /// Follows the feed: applies changes as they arrive, for as long as the result is read.
    ///
    /// - Returns: The events of the feed; see ``FeedService/follow(_:failure:)``.
    public nonisolated func live() -> AsyncThrowingStream<FeedEvent, any Error> {
        service.follow([self])
    }
}

/// The origin and the age of a feed's content in an app.
public enum FeedFreshness: Sendable, Hashable {
    /// The feed was never loaded; this differs from an empty feed.
    case neverLoaded
    /// The content was current on the server at this time. It is from the cache, or later requests
    /// have failed.
    case cached(asOf: Date)
    /// The content was current on the server at this time, and no request has failed since.
    case current(asOf: Date)
    /// The feed has been missing on the server since this time; the content is the last one.
    ///
    /// The content stays for 24 hours, unless it was read with a key (docs/READING.md, "When a feed
    /// is gone").
    case gone(since: Date)
    /// The feed does not exist, or may not be read.
    case missing
}
