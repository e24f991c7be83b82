import FeedModel
import FeedStore

/// A pass over all feeds that a stream follows, in steps, so that an event loop does other work in
/// between: first the feeds that the reader has a version of or asked for by name, then the other
/// feeds of the store that the patterns match, both in the order of their names.
struct FollowScan: Sendable {
    /// Whether the pass is still among the feeds that the reader has or asked for by name.
    private var isAmongKnown = true
    /// The last name that was examined.
    private var last: FeedName?
    /// The names that are still to be returned, in reverse order.
    private var batch: [FeedName] = []

    /// Whether no name was left to examine at the last call of ``next(_:_:atMost:_:)``.
    private(set) var isAtEnd = false

    /// The most names examined in one step.
    private static let batchCount = 256

    /// Returns the next feed; the same one until ``passed()`` is called.
    ///
    /// - Parameter count: The most names to compare with the patterns in this call.
    /// - Returns: `nil` if this step found no feed; unless ``isAtEnd``, the next call goes on.
    mutating func next(
        _ feeds: FollowedFeeds,
        _ patterns: [FeedPattern],
        atMost count: Int,
        _ store: FeedStore
    ) -> FeedName? {
        if batch.isEmpty {
            isAtEnd = !fill(feeds, patterns, atMost: min(FollowScan.batchCount, count), store)
        }
        return batch.last
    }

    /// Moves on to the next feed.
    mutating func passed() {
        _ = batch.popLast()
    }

    /// Examines the next names and adds those that are followed to the batch, perhaps none; returns
    /// whether any names were left to examine.
    private mutating func fill(
        _ feeds: FollowedFeeds,
        _ patterns: [FeedPattern],
        atMost limit: Int,
        _ store: FeedStore
    ) -> Bool {
        if isAmongKnown {
            batch = feeds.names(after: last, limit: limit).reversed()
            last = batch.first
            if last != nil { return true }
            isAmongKnown = false
        }
        let after = last.map { Array($0.rawValue.utf8) } ?? []
        let names = patterns.isEmpty ? [] : store.names(after: after, limit: limit)
        guard let end = names.last else { return false }
        last = end
        batch = names.reversed().filter { name in
            patterns.names(name.rawValue.utf8.span) && feeds[name] == nil
        }
        return true
    }
}

extension [FeedPattern] {
    /// The number of names, from 1 to 1024, that a stream compares with all patterns before its
    /// event loop does other work.
    ///
    /// The names times the bytes of the patterns are about 64 KiB, which takes some tenths of a
    /// millisecond.
    var namesPerTurn: Int {
        let byteCount = reduce(0) { $0 + $1.text.utf8.count + 16 }
        return Swift.min(1024, Swift.max(1, (64 << 10) / Swift.max(1, byteCount)))
    }
}
