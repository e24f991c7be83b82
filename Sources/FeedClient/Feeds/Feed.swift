public import FeedModel
public import Foundation
import Synchronization

/// An app's copy of a feed, which can be kept up to date with the server.
///
/// The copy is updated by ``refresh(deadline:)``, by ``wait(_:)``, by ``FeedService/pull(_:)`` for
/// several feeds at once, and continuously while ``live()`` is read. ``LiveFeed`` presents a feed
/// to a user interface.
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

    /// The current copy and state of the feed.
    public internal(set) var update: FeedUpdate

    /// The content that is held, with its version.
    public var copy: FeedCopy { update.copy }

    /// The state of the connection to the server.
    public var state: State { update.state }

    /// The origin and the age of the content.
    public var freshness: FeedFreshness { update.freshness }

    /// The error of the last request; `nil` after a success.
    public var problem: FeedServiceError? { update.problem }

    /// The ids of items that were inserted above ``reader``, still exist, and were not reached
    /// since; empty at the top of the list.
    public var unseenAbove: Set<ExactString> { update.unseenAbove }

    /// The number of items in ``unseenAbove``.
    public var newAbove: Int { unseenAbove.count }

    /// The state of the last request for further rows.
    public var loadMoreState: LoadMoreState { update.loadMoreState }

    /// The id of the first row that the user sees, or of its neighbour after it was removed; `nil`
    /// at the top of the list.
    public internal(set) var reader: ExactString?

    nonisolated let service: FeedService
    /// The view that the feed was made with.
    nonisolated let firstView: FeedView
    /// The current view, and a way to wait for its changes.
    nonisolated let views: ChangeMonitor<FeedView>
    /// The feed's files in the cache; `nil`: there is no cache.
    nonisolated let cached: CachedFeed?
    /// The state that the feed was made with; it has content only in previews.
    nonisolated let start: FeedUpdate
    /// The followers that receive changes as they happen.
    var liveFollowers: Set<UUID> = []
    /// The running request of ``refresh(deadline:)``; `nil`: none.
    var refreshing: SharedTask<FeedEvent>?
    /// The running request for further rows; `nil`: none.
    var loadingMore: SharedTask<Void>?
    /// The number of the newest update, for its readers to wait for the next.
    nonisolated let newest = ChangeMonitor(0)

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
        cached = service.cached(name, view)
        start = FeedUpdate(copy: FeedCopy(name, view: view), isLoaded: cached == nil)
        update = start
    }

    /// Makes a feed with a state, for previews.
    init(_ start: FeedUpdate, of service: FeedService) {
        name = start.copy.feed
        firstView = start.copy.view
        views = ChangeMonitor(firstView)
        showsChanges = false
        self.service = service
        cached = nil
        self.start = start
        update = start
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

/// Sends updates of the feed to its readers.
extension Feed {
    /// Returns the copy and the state of the feed: the current ones first, and then each change.
    ///
    /// A slow reader misses updates in between, and gets the newest.
    public nonisolated func updates() -> AsyncStream<FeedUpdate> { updates(telling: { _ in }) }

    /// Returns the updates of the feed, each of which `first` gets before the reader.
    nonisolated func updates(
        telling first: @escaping @Sendable (FeedUpdate) async -> Void
    ) -> AsyncStream<FeedUpdate> {
        // No update has this number.
        let last = Mutex(-1)
        return AsyncStream {
            await self.newest.waitForChange(from: last.withLock(\.self))
            guard !Task.isCancelled else { return nil }
            let update = await self.update
            last.withLock { $0 = update.number }
            await first(update)
            return update
        }
    }

    /// Lets all readers of ``updates()`` know of the current copy and state.
    func publish() {
        update.number += 1
        newest.update { $0 = update.number }
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
