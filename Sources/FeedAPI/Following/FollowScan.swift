import FeedModel
import FeedStore

/// A look at all feeds that a stream follows, in the order of their names.
struct FollowScan: Sendable {
    /// The result of a search for the next feed.
    enum Step: Sendable, Equatable {
        case feed(FeedName)
        /// Nothing yet: others have their turn.
        case later
        case end
    }

    /// The last name of the newest batch.
    private var last: FeedName?
    /// The names to look at next, in reverse order.
    private var batch: [FeedName] = []

    /// Names that are found at once.
    private static let batchCount = 256

    /// The name of the next feed, until it is ``passed()``.
    ///
    /// - Parameters:
    ///   - feeds: The feeds that the reader has heard of, or has asked for by name.
    ///   - patterns: Other feeds to follow.
    ///   - store: Where these are.
    mutating func next(
        _ feeds: FollowedFeeds,
        _ patterns: FollowedPatterns,
        _ store: FeedStore
    ) -> Step {
        if batch.isEmpty, !fill(feeds, patterns, store) { return .end }
        return batch.last.map { .feed($0) } ?? .later
    }

    /// Goes on to the next one.
    mutating func passed() {
        _ = batch.popLast()
    }

    /// Finds more names, perhaps none of them wanted.
    ///
    /// - Returns: Whether there were any.
    private mutating func fill(
        _ feeds: FollowedFeeds,
        _ patterns: FollowedPatterns,
        _ store: FeedStore
    ) -> Bool {
        let limit = min(FollowScan.batchCount, patterns.namesPerTurn)
        let known = feeds.names(after: last, limit: limit)
        let after = last.map { Array($0.rawValue.utf8) } ?? []
        let stored =
            patterns.isEmpty ? [] : store.names(after: after, limit: limit)
        // What lies behind the end of a list that was cut is for the next time.
        var horizon: FeedName?
        for list in [known, stored] where list.count == limit {
            if let end = list.last { horizon = min(horizon ?? end, end) }
        }
        var names = known.filter { name in horizon.map { name <= $0 } ?? true }
        let count = names.count
        let others = stored.filter { name in horizon.map { name <= $0 } ?? true }
        guard let last = [names.last, others.last].compactMap(\.self).max() else { return false }
        let isKnown = Set(names)
        names += others.filter { name in
            !isKnown.contains(name) && patterns.include(name)
        }
        if names.count > count { names.sort() }
        batch = names.reversed()
        self.last = last
        return true
    }
}

/// The patterns of feeds that a stream follows.
struct FollowedPatterns: Sendable {
    private let patterns: [FeedPattern]
    /// How many names are held against them before others have their turn.
    let namesPerTurn: Int

    /// Bytes of patterns that names are held against in a turn: some tenths of a millisecond.
    private static let bytesPerTurn = 64 << 10
    private static let countLimit = 1024

    init(_ patterns: [FeedPattern]) {
        self.patterns = patterns
        let byteCount = patterns.reduce(0) { $0 + $1.text.utf8.count + 16 }
        namesPerTurn = min(
            FollowedPatterns.countLimit,
            max(1, FollowedPatterns.bytesPerTurn / max(1, byteCount))
        )
    }

    var isEmpty: Bool { patterns.isEmpty }

    func include(_ name: FeedName) -> Bool { patterns.names(name.rawValue.utf8.span) }
}
