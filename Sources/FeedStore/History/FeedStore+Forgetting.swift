import FeedModel
import HeapModule

/// The choice and order of the versions to forget when the feeds together take too much memory.
extension FeedStore.State {
    /// A rule for the versions that may be forgotten.
    enum Rule: Int, CaseIterable {
        /// The versions older than those that a feed always keeps.
        case spare
        /// Every past version, when memory is short.
        case past
    }

    /// A feed with the age of its oldest version that may be forgotten.
    ///
    /// Versions may have been forgotten since then, so the feed's oldest one may be younger; it is
    /// never older.
    struct Aged: Comparable {
        let since: Duration
        let feed: FeedName
        let epoch: String

        static func < (left: Aged, right: Aged) -> Bool {
            (left.since, left.feed) < (right.since, right.feed)
        }

        /// Returns whether the entry is for the current epoch of the feed.
        func isOf(_ feed: FeedStore.State.Feed) -> Bool {
            feed.history.current.token.epoch == epoch
        }
    }

    /// Adds entries for a feed to the queues in which it has none and has versions to forget.
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
    ///   - attached: The bytes of the attachments of versions, which count toward the memory limit.
    ///   - forgotten: Receives the versions.
    mutating func forget(attached: Int, into forgotten: inout [Version]) {
        while cost.history > limits.totalWeight, forgetOldest(.spare, into: &forgotten) {}
        while cost.current + cost.history + attached > feedByteLimit,
            forgetOldest(.past, into: &forgotten)
        {}
    }

    /// Forgets the version of a queue's first entry, if it is still the oldest of its feed, and
    /// queues the feed again.
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

    /// Removes the entries of removed feeds when they are most of a queue: each feed has one at
    /// most.
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
    /// Returns when the oldest version that a rule allows to forget was superseded.
    fileprivate func oldest(_ rule: FeedStore.State.Rule) -> Duration? {
        switch rule {
        case .spare: oldestToSpare
        case .past: oldestPast
        }
    }
}
