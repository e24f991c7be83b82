import FeedModel
import FeedStore

/// When it is worth asking for a feed again (docs/PROTOCOL.md, "When to ask again").
struct PollingHint: Sendable {
    private let store: FeedStore

    /// Paces the readers of a store's feeds.
    init(_ store: FeedStore) {
        self.store = store
    }

    /// Whole seconds since 1970.
    var wallSeconds: Int { store.wallSeconds }

    /// The value of Refresh-After in answers about a feed; `version` may be an old one of the feed.
    func hint(_ version: Version) -> Int {
        seconds(store.current(version.feed) ?? version)
    }

    /// Returns the value of Refresh-After in answers about a feed; `nil` when there is no such
    /// feed.
    func hint(_ feed: FeedName) -> Int? {
        store.current(feed).map(seconds)
    }

    private func seconds(_ current: Version) -> Int {
        let seconds = store.remainder(of: current).components.seconds
        return Int(seconds.clamped(to: PollingHint.bounds))
    }

    /// For so many seconds after it was computed a hint is good: an eighth of itself.
    static func lifetime(of hint: Int) -> Int {
        max(1, hint / 8)
    }

    private static let bounds: ClosedRange<Int64> = 1...3600
}

extension Comparable {
    fileprivate func clamped(to bounds: ClosedRange<Self>) -> Self {
        min(max(self, bounds.lowerBound), bounds.upperBound)
    }
}
