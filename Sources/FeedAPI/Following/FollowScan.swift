import FeedModel
import FeedStore

/// A pass over all feeds that a stream follows, in the order of their names.
struct FollowScan: Sendable {
    /// The result of a search for the next feed.
    enum Step: Sendable, Equatable {
        case feed(FeedName)
        /// No feed was found in this turn; the scan goes on in the next one.
        case later
        case end
    }

    /// The last name that was examined.
    private var last: FeedName?
    /// The names that are still to be returned, in reverse order.
    private var batch: [FeedName] = []

    /// The most names examined in one step.
    private static let batchCount = 256

    /// Returns the next feed; the same one until ``passed()`` is called.
    ///
    /// - Parameters:
    ///   - feeds: The feeds that the reader has a version of, or asked for by name.
    ///   - patterns: The patterns of other feeds to follow.
    ///   - store: The store of the feeds that the patterns may match.
    mutating func next(
        _ feeds: FollowedFeeds,
        _ patterns: FollowedPatterns,
        _ store: FeedStore
    ) -> Step {
        if batch.isEmpty, !fill(feeds, patterns, store) { return .end }
        return batch.last.map { .feed($0) } ?? .later
    }

    /// Moves on to the next feed.
    mutating func passed() {
        _ = batch.popLast()
    }

    /// Examines the next names and adds those that are followed to the batch, perhaps none.
    ///
    /// - Returns: Whether any names were left to examine.
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
        // A list that was cut ends at its last name: later names of the other list wait for the
        // next step.
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
    /// The number of names to compare with all patterns before other work has its turn.
    let namesPerTurn: Int

    /// The bytes of patterns compared in a turn, which takes some tenths of a millisecond.
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
