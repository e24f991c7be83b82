public import FeedModel
public import Foundation

/// A feed as an app keeps it: what it holds of it, and how it stands with the server.
///
/// It is brought up to date by ``refresh()``, by ``wait(_:)``, by ``FeedService/pull(_:)`` for
/// several at once, and for as long as somebody reads ``live()``. ``LiveFeed`` shows one to a user
/// interface.
public actor Feed {
    /// How it stands with the server.
    public enum State: Sendable {
        /// Nothing is under way.
        case idle
        /// An answer is awaited.
        case refreshing
        /// Changes arrive by themselves.
        case live
        /// No answer came.
        case offline
        /// Something else than the feed came: a refusal, or the answer of another site.
        case failed
    }

    /// The feed's id.
    public nonisolated let name: FeedName

    /// The part of the feed that is kept; its limit grows by ``loadMore(_:)``.
    public nonisolated var view: FeedView { views.value }

    /// Whether changes are asked for also where a snapshot is shorter: for an app that shows each.
    public nonisolated let showsChanges: Bool

    /// The copy that is held, with its version.
    public internal(set) var copy: FeedCopy

    /// How it stands with the server.
    public internal(set) var state = State.idle

    /// The origin and the age of the copy that is shown.
    public internal(set) var freshness = FeedFreshness.neverLoaded

    /// The last problem; `nil` since requests worked again.
    public internal(set) var problem: FeedServiceError?

    /// The ids of items that came above ``reader``, are still there, and were not reached since;
    /// empty at the top.
    public internal(set) var unseenAbove: Set<ExactString> = []

    /// The number of items in ``unseenAbove``.
    public var newAbove: Int { unseenAbove.count }

    /// The id of the first row that the reader sees, or of its neighbour once that went; `nil` at
    /// the top.
    public internal(set) var reader: ExactString?

    /// How it stands with the rows after those that are held.
    public internal(set) var loadMoreState = LoadMoreState.idle

    nonisolated let service: FeedService
    /// The view that the feed was made with.
    nonisolated let firstView: FeedView
    /// The view of the copy that is held; followers go by it.
    nonisolated let views: ChangeMonitor<FeedView>
    /// The generation of the cache when the feed was made.
    nonisolated let generation: Int
    /// The key under which it is kept on disk, however many rows it comes to show.
    nonisolated let cacheKey: FeedCache.Key
    /// The state that it had when it was made, for previews; `nil`: none.
    nonisolated let start: FeedUpdate?
    var hasReadCache = false
    /// The state of the feed's file; `nil`: not known, or an addition to it would not be found.
    var file: CacheFile.Known?
    /// The state that is kept beside it; `nil`: not known.
    var fileState: FeedCache.State?
    /// The followers through whom changes arrive by themselves.
    var liveFollowers: Set<UUID> = []
    var refreshing: Task<Void, Never>?
    /// The outcome of rows that are being fetched; `nil`: none are.
    var loadingMore: ChangeMonitor<LoadMoreOutcome>?
    var waiters: [Int: CheckedContinuation<FeedEvent, any Error>] = [:]
    var subscribers: [Int: AsyncStream<FeedUpdate>.Continuation] = [:]
    var updateCount = 0
    /// Waiters and subscribers so far.
    var number = 0

    /// Makes a feed that holds nothing yet; sends nothing, and reads nothing from disk.
    ///
    /// - Parameters:
    ///   - name: The feed's id.
    ///   - service: Where it is.
    ///   - view: The part of it to keep.
    ///   - showsChanges: Whether changes are asked for also where a snapshot is shorter.
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

    /// Makes a feed that holds something already.
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

    /// When the server last said what is current, in this run of the app or another.
    public var refreshed: Date? {
        switch freshness {
        case .cached(let date), .current(let date): date
        case .neverLoaded, .gone, .missing: nil
        }
    }

    /// Follows the feed: what changes is taken as it comes, for as long as the result is read.
    ///
    /// - Returns: The events that came, in turn; see ``FeedService/follow(_:failure:)``.
    public nonisolated func live() -> AsyncThrowingStream<FeedEvent, any Error> {
        service.follow([self])
    }
}

/// The origin and the age of the copy that an app shows of a feed.
public enum FeedFreshness: Sendable, Hashable {
    /// Nothing is known of the feed: that is not an empty feed.
    case neverLoaded
    /// The copy that the server had then: from disk, or since when asking it again has failed.
    case cached(asOf: Date)
    /// The copy that the server had then, in this run of the app, with no failure since.
    case current(asOf: Date)
    /// The content that the server had; it has not had the feed since then.
    ///
    /// The content stays for 24 hours, unless it was read with a key (docs/READING.md, "When a feed
    /// is gone").
    case gone(since: Date)
    /// There is no such feed, or none that may be read.
    case missing
}
