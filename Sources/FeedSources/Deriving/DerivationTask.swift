import FeedAPI
import FeedModel
import FeedStore
import Synchronization

/// A derived feed, with the sources that have changed since it was last made.
final class DerivationTask: Sendable {
    private struct State {
        /// Whether the feed is to be made from scratch, and not by changes.
        var isNew = true
        var changed: Set<FeedName> = []
        /// Whether the feed is being made, or waits for its turn.
        var isUnderWay = false
        var failure: String?
        /// The number of items in all source feeds when the derived feed was last made.
        var itemCount = 0
    }

    let derivation: Derivation
    private let state = Mutex(State())
    /// The feed's content.
    ///
    /// It has its own lock, so that threads that note changes do not wait while the content is
    /// made.
    private let content: Mutex<DerivedFeed>

    init(_ derivation: Derivation, derived: Set<FeedName>) {
        self.derivation = derivation
        content = Mutex(DerivedFeed(derivation, derived: derived))
    }

    /// Returns the size of the next work: it grows with the number of items in all source feeds at
    /// the last time, and in the source feeds that have changed since.
    ///
    /// Making a feed from scratch counts as ``WorkSize/large``.
    func size(_ store: FeedStore) -> WorkSize {
        let (isNew, itemCount, changed) = state.withLock { ($0.isNew, $0.itemCount, $0.changed) }
        if isNew { return .large }
        let count = changed.reduce(itemCount) { $0 + (store.current($1)?.snapshot.count ?? 0) }
        return WorkSize(byteCount: DerivationTask.itemCost * count)
    }

    /// The cost of an item of the sources, as ``WorkSize`` counts.
    private static let itemCost = 400

    /// The reason why the feed cannot be published, in words; `nil`: it can.
    var failure: String? { state.withLock(\.failure) }

    /// Has the feed made from scratch at its next turn.
    func startAnew() { state.withLock { $0.isNew = true } }

    /// Marks the feed as under way, if it is to be made from scratch and is not under way yet.
    ///
    /// - Returns: Whether the caller has to run the task.
    func begin() -> Bool {
        state.withLock { state in
            guard state.isNew, !state.isUnderWay else { return false }
            state.isUnderWay = true
            return true
        }
    }

    /// Leaves the feed for the next start, which makes it from scratch.
    func abandon() {
        state.withLock { state in
            state.isUnderWay = false
            state.isNew = true
        }
    }

    /// Takes note that a source has changed, and returns whether the caller has to run the task.
    func note(_ feed: FeedName) -> Bool {
        state.withLock { state in
            state.changed.insert(feed)
            guard !state.isUnderWay else { return false }
            state.isUnderWay = true
            return true
        }
    }

    /// Ends a run of the task, unless something has changed meanwhile, and returns whether the
    /// caller has to run the task once more.
    func goesOn() -> Bool {
        state.withLock { state in
            state.isUnderWay = state.isNew || !state.changed.isEmpty
            return state.isUnderWay
        }
    }

    /// Returns the content to be published, with all noted changes applied.
    func next(_ store: FeedStore) -> Snapshot {
        let (isNew, changed) = state.withLock { state in
            defer { (state.isNew, state.changed) = (false, []) }
            return (state.isNew, state.changed)
        }
        let (snapshot, itemCount) = content.withLock { content in
            if isNew {
                content.rebuild(DerivationTask.sources(content, store))
            } else {
                for feed in changed { content.update(feed, to: store.current(feed)?.snapshot) }
            }
            return (content.snapshot, content.sourceItemCount)
        }
        state.withLock { $0.itemCount = itemCount }
        return snapshot
    }

    /// Returns the current content of the feeds that the derived feed is made of.
    private static func sources(_ content: DerivedFeed, _ store: FeedStore) -> [FeedName: Snapshot]
    {
        var sources: [FeedName: Snapshot] = [:]
        for pattern in content.derivation.from {
            if pattern.isExact {
                guard let feed = FeedName(pattern.text) else { continue }
                sources[feed] = store.current(feed)?.snapshot
                continue
            }
            var last: [UInt8] = []
            while true {
                let page = store.page(after: last, prefix: pattern.prefix, limit: 256)
                for version in page
                where pattern.matches(version.feed)
                    && !content.derived.contains(version.feed)
                {
                    sources[version.feed] = version.snapshot
                }
                guard page.count == 256, let feed = page.last?.feed else { break }
                last = Array(feed.rawValue.utf8)
            }
        }
        return sources
    }

    /// Records that the feed was published, and returns whether the publish before had failed.
    func succeeded(_ published: Snapshot) -> Bool {
        content.withLock { $0.adopt(published) }
        return state.withLock { state in
            defer { state.failure = nil }
            return state.failure != nil
        }
    }

    /// Records that the feed could not be published, and returns whether the reason differs from
    /// the previous publish's.
    func failed(_ reason: String) -> Bool {
        state.withLock { state in
            defer { state.failure = reason }
            return state.failure != reason
        }
    }
}
