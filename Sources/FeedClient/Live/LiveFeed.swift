public import FeedModel
public import Foundation
public import Observation

/// A feed as a user interface shows it: what is on the screen, how old it is and what was wrong.
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
/// Work that grows with the feed is done off the main actor: reading, applying, comparing.
@MainActor @Observable
public final class LiveFeed<Item: Decodable & Sendable> {
    /// The feed behind it, for a table's updates, several feeds at once, and the like.
    public nonisolated let feed: Feed

    /// The sections that are shown.
    ///
    /// An empty feed has none, as one that was never loaded: ``freshness`` tells which it is.
    public private(set) var sections: LiveSections<Item>

    /// How it stands with the server.
    public private(set) var state: Feed.State

    /// The age of the copy that is shown.
    public private(set) var freshness: FeedFreshness

    /// The last problem; `nil` since requests worked again.
    ///
    /// A cancellation is never a problem.
    public private(set) var problem: FeedServiceError?

    /// The ids of items that came above the first row that the reader sees (``readerIs(at:)``), are
    /// still there, and were not reached since.
    public private(set) var unseenAbove: Set<ExactString>

    /// The number of items in ``unseenAbove``, for a button such as "12 new".
    public var newAbove: Int { unseenAbove.count }

    /// The version that is shown.
    public private(set) var token: Token?

    /// The feed's own members, such as its title.
    public private(set) var members: Members

    /// The number of items of the whole feed, where a limit or sections show a part.
    public private(set) var total: Int?

    /// Whether there are rows after those that are shown, which the view's limit leaves out.
    public private(set) var hasMore: Bool

    /// How it stands with those rows, for one at the list's end that says so.
    public private(set) var loadMoreState: Feed.LoadMoreState

    @ObservationIgnored private let decoder: JSONDecoder
    @ObservationIgnored private var reading: Task<Void, Never>?
    /// Whether only the first rows of what is kept are shown so far.
    @ObservationIgnored private var showsBeginning: Bool
    /// The number of the last update.
    @ObservationIgnored private var updateNumber: Int
    /// The view that is shown.
    @ObservationIgnored private var view: FeedView

    /// Makes a feed that shows what is kept on disk, and asks for nothing yet.
    ///
    /// The first rows of what is kept are there at once, up to 32, and the others soon after: a
    /// section's `count` tells how many there will be.
    ///
    /// - Parameters:
    ///   - name: The feed's id.
    ///   - service: Where it is.
    ///   - type: The type of its items.
    ///   - view: The part of it to keep.
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

    /// Shows a feed that others may use as well.
    ///
    /// - Parameters:
    ///   - feed: The feed.
    ///   - type: The type of its items.
    ///   - decoder: Decodes items.
    public init(_ feed: Feed, as type: Item.Type = Item.self, decoder: JSONDecoder = JSONDecoder())
    {
        self.feed = feed
        self.decoder = decoder
        let start = feed.start
        let kept = start == nil ? feed.keptAtOnce() : nil
        let isKnown = start.map { $0.freshness != .neverLoaded } ?? (kept != nil)
        let shown = isKnown ? start?.copy ?? kept?.feed.copy : nil
        // Nobody reads it yet, so all is set once and nobody is told.
        let copy = shown ?? FeedCopy(feed.name, view: feed.view)
        sections = LiveSections(copy: copy, decoder: decoder)
        state = start?.state ?? .idle
        freshness = start?.freshness ?? kept.map { .cached(asOf: $0.feed.date) } ?? .neverLoaded
        problem = start?.problem
        unseenAbove = start?.unseenAbove ?? []
        token = copy.token
        members = copy.snapshot.members
        total = copy.total
        hasMore = copy.hasMore
        loadMoreState = start?.loadMoreState ?? .idle
        showsBeginning = kept.map { !$0.isAll } ?? false
        updateNumber = start?.number ?? 0
        view = copy.view
        // What was read is held by the feed alone, and not for as long as it is shown.
        let updates = feed.loadedUpdates(after: kept.flatMap { $0.isAll ? $0.feed : nil })
        reading = Task { [weak self] in
            for await update in updates {
                guard let self else { return }
                take(update)
            }
        }
    }

    deinit {
        reading?.cancel()
    }

    private func take(_ update: FeedUpdate) {
        guard update.number >= updateNumber else { return }
        updateNumber = update.number
        // Each member tells its own readers, so only what differs is set.
        if update.freshness != .neverLoaded {
            let isNew = update.copy.token != token || update.copy.view != view
            // What was wrong is another after a recovery, of the same version.
            let isOther = !update.copy.snapshot.isIdentical(to: sections.copy.snapshot)
            if isNew || isOther || showsBeginning { show(update.copy) }
            if update.freshness != freshness { freshness = update.freshness }
        } else if showsBeginning, update.isLoaded {
            // What they are the first rows of cannot be read.
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
        token = copy.token
        members = copy.snapshot.members
        total = copy.total
        view = copy.view
        if copy.hasMore != hasMore { hasMore = copy.hasMore }
        sections = LiveSections(copy: copy, decoder: decoder)
    }
}

extension LiveFeed {
    /// The feed's member `title`; `nil` where it is no string.
    public var title: String? { members.string("title") }

    /// The number of rows that are shown, of all sections.
    public var rowCount: Int { sections.copy.snapshot.count }

    /// Where the feed is.
    public nonisolated var service: FeedService { feed.service }

    /// The row of an item, for a data source that shows a ``TableUpdate``.
    public func row(_ item: FeedItem) -> LiveRow<Item> { LiveRow(raw: item, decoder: decoder) }

    /// A section, for a data source that shows a ``TableUpdate``.
    public func section(_ section: FeedSection) -> LiveSection<Item> {
        sections.section(section)
    }

    /// Whether nothing is known of the feed yet, so that a placeholder should be shown.
    public var isNeverLoaded: Bool { freshness == .neverLoaded }

    /// Asks what is new: one request for all who ask at the same time.
    ///
    /// Fits SwiftUI's `refreshable`: it returns when the answer is shown, at once where its task is
    /// cancelled, and says what was wrong by ``problem``.
    ///
    /// - Returns: The result in numbers; `nil` if it was cancelled, or something was wrong.
    @discardableResult
    public func refresh() async -> RefreshCounts? {
        let outcome = await feed.refreshOutcome()
        take(outcome.update)
        return outcome.counts
    }

    /// Asks what is new, and stops waiting for it at a time, as a background task has to.
    @discardableResult
    public func refresh(deadline: ContinuousClock.Instant) async -> RefreshCounts? {
        let outcome = await feed.refreshOutcome(deadline: deadline)
        take(outcome.update)
        return outcome.counts
    }

    /// Fetches the rows after those that are shown, where the view has a limit, and shows them.
    ///
    /// Fits the `task(id: rowCount)` of a row at the list's end. Calls at the same time share one
    /// request, which goes on where a caller is cancelled; what is wrong is told by
    /// ``loadMoreState``, and not by ``problem``. See ``Feed/loadMore(_:)``.
    ///
    /// - Parameter count: How many rows, from 1 to 1,000; `nil`: as many as the view's limit was
    ///   at first.
    public func loadMore(_ count: Int? = nil) async {
        _ = try? await feed.loadMore(count)
        take(await feed.update)
    }

    /// Follows the feed: what changes is shown as it comes, until the task is cancelled.
    ///
    /// Fits SwiftUI's `task`. What is wrong is told by ``problem``, and tried again, at longer and
    /// longer intervals up to a minute. It returns early only where trying again is of no use, such
    /// as with a key that the server refuses.
    public func follow() async {
        do {
            for try await _ in feed.live() {}
        } catch {
            // The feed has taken note of it.
        }
    }

    /// The copy and the state of the feed: now, first of all, and then whenever they change.
    ///
    /// Each update is shown before it is told, so a loop over these may read this object's members.
    /// A reader that is slow misses the updates in between, and gets the newest.
    public nonisolated var updates: AsyncStream<FeedUpdate> {
        let updates = feed.updates()
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task { @MainActor [weak self] in
                for await update in updates {
                    self?.take(update)
                    continuation.yield(update)
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Says which row the reader sees first: ``unseenAbove`` has the items that come above it.
    ///
    /// - Parameter id: The item's id; `nil` at the top, where nothing is unseen above.
    public func readerIs(at id: String?) async {
        await feed.readerIs(at: id.map { ExactString($0) })
        take(await feed.update)
    }
}
