public import FeedModel
public import Foundation
public import Observation

/// A feed for a user interface: an observable object with the content, its age, and the error of
/// the last request.
///
/// ```swift
/// struct StoryList: View {
///     @State var stories: LiveFeed<Story>
///
///     var body: some View {
///         List(stories.sections) { section in
///             Section(section.title ?? "") {
///                 ForEach(section.rows) { row in StoryRow(row) }
///             }
///         }
///         .refreshable { await stories.refresh() }
///         .task { await stories.follow() }
///     }
/// }
/// ```
///
/// Work that depends on the feed's length, such as parsing and comparing, is done off the main
/// actor.
@MainActor @Observable
public final class LiveFeed<Item: Decodable & Sendable> {
    /// The underlying feed, for example for the updates of a table or for refreshing several feeds
    /// at once.
    public nonisolated let feed: Feed

    /// The sections of the content.
    ///
    /// There are none both in an empty feed and in a feed that was never loaded; ``freshness``
    /// distinguishes these.
    public private(set) var sections: LiveSections<Item>

    /// The state of the connection to the server.
    public private(set) var state: Feed.State

    /// The origin and the age of the content.
    public private(set) var freshness: FeedFreshness

    /// The error of the last request; `nil` after a success.
    ///
    /// A cancellation is not an error.
    public private(set) var problem: FeedServiceError?

    /// The ids of existing items that were inserted above the first row that the user sees
    /// (``readerIs(at:)``) and not reached since.
    public private(set) var unseenAbove: Set<ExactString>

    /// The number of items in ``unseenAbove``, for a button such as "12 new".
    public var newAbove: Int { unseenAbove.count }

    /// The version of the content.
    public private(set) var token: Token?

    /// The number of items of the whole feed, in a view by sections or limit; otherwise `nil`.
    public private(set) var total: Int?

    /// Whether the view's limit leaves out further rows.
    public private(set) var hasMore: Bool

    /// The state of loading further rows, for a row at the end of a list.
    public private(set) var loadMoreState: Feed.LoadMoreState

    @ObservationIgnored private let decoder: JSONDecoder
    @ObservationIgnored private var reading: Task<Void, Never>?
    /// Whether only the first rows of the cached feed are shown so far.
    @ObservationIgnored private var showsBeginning: Bool
    /// The number of the last update.
    @ObservationIgnored private var updateNumber: Int

    /// Makes a feed that shows the content of the cache; no request is sent yet.
    ///
    /// The first rows of the cached feed, up to 32, are there at once, and the others soon after.
    /// The `count` of a section states how many there will be.
    ///
    /// - Parameters:
    ///   - name: The feed's id.
    ///   - service: The feed's server.
    ///   - type: The type of the items.
    ///   - view: The part of the feed to hold.
    ///   - decoder: Decodes items.
    public convenience init(
        _ name: FeedName,
        of service: FeedService,
        as type: Item.Type = Item.self,
        view: FeedView = FeedView(),
        decoder: JSONDecoder = JSONDecoder()
    ) {
        self.init(Feed(name, of: service, view: view), as: type, decoder: decoder)
    }

    /// Makes an object for an existing feed, which may be in use elsewhere.
    ///
    /// - Parameters:
    ///   - feed: The feed.
    ///   - type: The type of the items.
    ///   - decoder: Decodes items.
    public init(_ feed: Feed, as type: Item.Type = Item.self, decoder: JSONDecoder = JSONDecoder())
    {
        self.feed = feed
        self.decoder = decoder
        let start = feed.start
        let kept = feed.cached?.readAtOnce()
        // There are no observers yet, so all properties are simply set.
        let shown = start.freshness == .neverLoaded ? kept?.feed.copy : start.copy
        let copy = shown ?? FeedCopy(feed.name, view: feed.view)
        sections = LiveSections(copy: copy, decoder: decoder)
        state = start.state
        freshness = kept.map { .cached(asOf: $0.feed.date) } ?? start.freshness
        problem = start.problem
        unseenAbove = start.unseenAbove
        token = copy.token
        total = copy.total
        hasMore = copy.hasMore
        loadMoreState = start.loadMoreState
        showsBeginning = kept.map { !$0.isAll } ?? false
        updateNumber = start.number
        let all = kept.flatMap { $0.isAll ? $0.feed : nil }
        // The cache is read while the main actor goes on.
        reading = Task { @concurrent [weak self] in
            await feed.load(all)
            for await update in feed.updates() { await self?.take(update) }
        }
    }

    deinit {
        reading?.cancel()
    }

    private func take(_ update: FeedUpdate) {
        guard update.number >= updateNumber else { return }
        updateNumber = update.number
        // Setting a property notifies its observers, so only different values are set.
        if update.freshness != .neverLoaded {
            let isNew =
                update.copy.token != token || update.copy.view != sections.copy.view
            // After a recovery, the content may differ at the same version.
            let isOther = !update.copy.snapshot.isIdentical(to: sections.copy.snapshot)
            if isNew || isOther || showsBeginning { show(update.copy) }
            if update.freshness != freshness { freshness = update.freshness }
        } else if showsBeginning, update.isLoaded {
            // The cached feed itself could not be read, so its first rows are dropped.
            show(update.copy)
            freshness = .neverLoaded
        }
        if update.state != state { state = update.state }
        if update.problem != problem { problem = update.problem }
        if update.unseenAbove != unseenAbove { unseenAbove = update.unseenAbove }
        if update.loadMoreState != loadMoreState { loadMoreState = update.loadMoreState }
    }

    private func show(_ copy: FeedCopy) {
        showsBeginning = false
        if copy.token != token { token = copy.token }
        if copy.total != total { total = copy.total }
        if copy.hasMore != hasMore { hasMore = copy.hasMore }
        sections = LiveSections(copy: copy, decoder: decoder)
    }
}

extension LiveFeed {
    /// The feed's own members, such as its title.
    public var members: Members { sections.copy.snapshot.members }

    /// The feed's member `title`; `nil`: it is missing or not a string.
    public var title: String? { members.string("title") }

    /// The number of rows in all sections.
    public var rowCount: Int { sections.copy.snapshot.count }

    /// The feed's server.
    public nonisolated var service: FeedService { feed.service }

    /// Returns the row of an item, for a data source that shows a ``TableUpdate``.
    public func row(_ item: FeedItem) -> LiveRow<Item> { LiveRow(raw: item, decoder: decoder) }

    /// Returns a section, for a data source that shows a ``TableUpdate``.
    public func section(_ section: FeedSection) -> LiveSection<Item> {
        sections.section(section)
    }

    /// Whether the feed was never loaded, so that a placeholder should be shown.
    public var isNeverLoaded: Bool { freshness == .neverLoaded }

    /// Refreshes the feed.
    ///
    /// Simultaneous calls share one request.
    ///
    /// The method fits SwiftUI's `refreshable`: it returns when the changes are shown, or at once
    /// when its task is cancelled. ``problem`` has the error.
    ///
    /// - Parameter deadline: The time until which to wait, such as that of a background task;
    ///   `nil`: without limit.
    /// - Returns: The number of changes; `nil` after an error or a cancellation.
    @discardableResult
    public func refresh(deadline: ContinuousClock.Instant? = nil) async -> RefreshCounts? {
        let event = try? await feed.refreshEvent(deadline: deadline)
        take(await feed.update)
        return event?.counts
    }

    /// Fetches the next rows of a feed whose view has a limit, and shows them.
    ///
    /// The method fits the `task(id: rowCount)` of a row at the end of a list. Simultaneous calls
    /// share one request, which continues when a caller is cancelled. ``loadMoreState``, and not
    /// ``problem``, has the error. See ``Feed/loadMore(_:)``.
    ///
    /// - Parameter count: The number of rows, from 1 to 1,000; `nil`: the view's first limit.
    public func loadMore(_ count: Int? = nil) async {
        _ = try? await feed.loadMore(count)
        take(await feed.update)
    }

    /// Follows the feed: changes are shown as they arrive, until the task is cancelled.
    ///
    /// The method fits SwiftUI's `task`. After an error, which ``problem`` has, further attempts
    /// follow at growing intervals of up to a minute. The method returns early only if further
    /// attempts are useless, such as with a refused key.
    public func follow() async {
        do {
            for try await _ in feed.live() {}
        } catch {
            // The feed has recorded the error.
        }
    }

    /// The copy and the state of the feed: the current ones first, and then each change.
    ///
    /// This object is updated before each element, so a loop can read its properties. A slow reader
    /// misses updates in between, and gets the newest.
    public nonisolated var updates: AsyncStream<FeedUpdate> {
        feed.updates(telling: { [weak self] in await self?.take($0) })
    }

    /// Sets the first row that the user sees; ``unseenAbove`` has the items that are inserted above
    /// it.
    ///
    /// - Parameter id: The item's id; `nil` at the top of the list.
    public func readerIs(at id: String?) async {
        await feed.readerIs(at: id.map { ExactString($0) })
        take(await feed.update)
    }
}
