import FeedModel
import FeedStore

/// Computes Refresh-After: the time after which it is worth asking for a feed again
/// (docs/PROTOCOL.md, "When to ask again").
struct PollingHint: Sendable {
    private let store: FeedStore

    /// Makes the hints for a store's feeds.
    init(_ store: FeedStore) {
        self.store = store
    }

    /// The whole seconds since 1970.
    var wallSeconds: Int { store.wallSeconds }

    /// Returns the value of Refresh-After for a feed; `version` may be an old version of the feed.
    func hint(_ version: Version) -> Int {
        seconds(store.current(version.feed) ?? version)
    }

    /// Returns the value of Refresh-After for a feed; `nil` if the feed does not exist.
    func hint(_ feed: FeedName) -> Int? {
        store.current(feed).map(seconds)
    }

    private func seconds(_ current: Version) -> Int {
        let seconds = store.remainder(of: current).components.seconds
        return Int(seconds.clamped(to: PollingHint.bounds))
    }

    /// Returns the seconds for which a computed hint is used: an eighth of the hint, at least 1.
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
