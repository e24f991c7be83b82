import FeedModel
import HeapModule

/// Which versions go, and in which order, when the feeds together weigh too much.
extension FeedStore.State {
    /// What may be forgotten.
    enum Rule: Int, CaseIterable {
        /// What is older than the versions that a feed always keeps.
        case spare
        /// Every past version, for want of memory.
        case past
    }

    /// A feed by the age of its oldest version that may go.
    ///
    /// Versions may have gone since, so its oldest one may be younger; it is never older.
    struct Aged: Comparable {
        let since: Duration
        let feed: FeedName
        let epoch: String

        static func < (left: Aged, right: Aged) -> Bool {
            (left.since, left.feed) < (right.since, right.feed)
        }

        /// Whether it is for this epoch of the feed.
        func isOf(_ feed: FeedStore.State.Feed) -> Bool {
            feed.history.current.token.epoch == epoch
        }
    }

    /// Gives a feed its positions in the queues, where it has none and has something that may go.
    mutating func enqueue(_ feed: FeedName) {
        for rule in Rule.allCases { enqueue(feed, rule) }
    }

    private mutating func enqueue(_ feed: FeedName, _ rule: Rule) {
        guard let entry = feeds[feed], !entry.isQueued(rule),
            let since = entry.history.oldest(rule)
        else { return }
        feeds[feed]?.setQueued(rule, true)
        let epoch = entry.history.current.token.epoch
        queues[rule.rawValue].insert(Aged(since: since, feed: feed, epoch: epoch))
    }

    /// Forgets the oldest versions of all feeds until the rest is within the limits.
    ///
    /// - Parameters:
    ///   - attached: Bytes that hang on versions, which count for the limit on memory.
    ///   - forgotten: Gets the versions.
    mutating func forget(attached: Int, into forgotten: inout [Version]) {
        while cost.history > limits.totalWeight, forgetOldest(.spare, into: &forgotten) {}
        while cost.current + cost.history + attached > feedByteLimit,
            forgetOldest(.past, into: &forgotten)
        {}
    }

    /// Forgets the version that the first entry of a queue stands for, when it is still the
    /// oldest of its feed, and queues the feed again.
    ///
    /// - Returns: Whether there was an entry.
    private mutating func forgetOldest(_ rule: Rule, into forgotten: inout [Version]) -> Bool {
        guard let aged = queues[rule.rawValue].popMin() else { return false }
        guard feeds[aged.feed].map(aged.isOf) == true else { return true }
        if feeds[aged.feed]?.history.oldest(rule) == aged.since {
            cost.history -= historyWeight(of: aged.feed)
            if let version = feeds[aged.feed]?.history.forgetOldest() {
                versionCount -= 1
                forgotten.append(version)
            }
            cost.history += historyWeight(of: aged.feed)
        }
        feeds[aged.feed]?.setQueued(rule, false)
        enqueue(aged.feed, rule)
        return true
    }

    /// Entries of removed feeds go when they are most of a queue: a feed has one at most.
    mutating func dropStaleEntries() {
        for rule in Rule.allCases where queues[rule.rawValue].count > 2 * (feeds.count + 64) {
            let feeds = self.feeds
            let entries = queues[rule.rawValue].unordered
            queues[rule.rawValue] = Heap(
                entries.filter { aged in feeds[aged.feed].map(aged.isOf) ?? false }
            )
        }
    }
}

extension History {
    /// When the oldest version ceased to be current that a rule lets go.
    fileprivate func oldest(_ rule: FeedStore.State.Rule) -> Duration? {
        switch rule {
        case .spare: oldestToSpare
        case .past: oldestPast
        }
    }
}
