import FeedModel
import FeedStore

/// Computes Refresh-After: the time after which it is worth asking for a feed again
/// (docs/PROTOCOL.md, "When to ask again").
extension FeedStore {
    /// Returns the value of Refresh-After, in seconds, for a feed; `version` may be an old version
    /// of the feed.
    func pollingHint(_ version: Version) -> Int {
        let current = current(version.feed) ?? version
        return max(1, min(3600, Int(remainder(of: current).components.seconds)))
    }
}
