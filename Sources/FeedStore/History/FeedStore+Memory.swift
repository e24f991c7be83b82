package import FeedModel
import HeapModule
import Synchronization

/// Counts the memory of the feeds, and keeps it within its limit.
extension FeedStore {
    /// The cost of all feeds; the time to compute it does not depend on their number.
    package var cost: FeedCost {
        var cost = state.withLock(\.cost)
        cost.attached = attachedBytes.byteCount
        return cost
    }

    /// Returns the cost of one feed, or `nil` if it does not exist; the sum over all feeds is
    /// ``cost``.
    package func cost(of feed: FeedName) -> FeedCost? {
        let found = state.withLock { state in
            state.feeds[feed].map { ($0.history.current, $0.history.weight) }
        }
        guard let (version, history) = found else { return nil }
        var cost = FeedCost()
        cost.current = version.memoryByteCount
        cost.history = history
        cost.attached = version.attachment.withLock { $0 }?.byteCount ?? 0
        return cost
    }

    /// Returns the number of a feed's remembered versions, including the current one; 0 if the feed
    /// does not exist.
    package func versionCount(of feed: FeedName) -> Int {
        state.withLock { $0.feeds[feed]?.history.count ?? 0 }
    }

    /// The most bytes that all feeds together may take.
    ///
    /// Beyond it, the oldest versions of all feeds are forgotten first. Then attachments are
    /// cleared (``attachedByteLimit``). Then publishes that would make feeds larger are refused.
    package var memoryByteLimit: Int {
        get { state.withLock(\.memoryByteLimit) }
        set {
            state.withLock { $0.memoryByteLimit = newValue }
            makeRoom()
            trimAttached(to: attachedByteLimit)
        }
    }

    /// The most bytes that attachments may take: all memory besides the current versions, because
    /// past versions are forgotten first.
    package var attachedByteLimit: Int { state.withLock(\.attachedByteLimit) }

    /// Forgets versions until the limits are met, or no past version is left; to be called when
    /// attachments have grown.
    package func makeRoom() {
        let attached = attachedBytes.byteCount
        // The forgotten versions are freed here, after the lock is released.
        _ = state.withLock { state in
            var forgotten: [Version] = []
            state.forget(attached: attached, into: &forgotten)
            return forgotten
        }
    }

    /// Clears attachments, but not that of `kept`, until they take somewhat less than a limit in
    /// bytes; does nothing if they are within it.
    package func trimAttached(to limit: Int, keeping kept: Token? = nil) {
        guard attachedBytes.byteCount > limit else { return }
        // The goal is below the limit, so that the next attachment does not cause another pass.
        let goal = limit / 8 * 7
        for version in state.withLock({ $0.feeds.values.map(\.history.current) }) {
            guard attachedBytes.byteCount > goal else { return }
            guard version.token != kept else { continue }
            version.attachment.withLock { $0 }?.clear()
        }
    }
}

/// Chooses the versions to forget when the feeds together take too much memory: the oldest first.
extension FeedStore.State {
    /// A rule for the versions that may be forgotten.
    enum Rule: Int, CaseIterable {
        /// Versions older than those that a feed always keeps may be forgotten.
        case spare
        /// Every past version may be forgotten, since memory is short.
        case past
    }

    /// An entry of a queue: a feed, and the time at which its oldest version that may be forgotten
    /// was superseded.
    ///
    /// The feed's oldest version may be a younger one by now, never an older one: versions may have
    /// been forgotten since the entry was made.
    struct Aged: Comparable {
        let since: Duration
        let feed: FeedName
        /// The number of the history that the entry is for; a feed that was deleted or replaced
        /// since then has another one.
        let history: Int

        static func < (left: Aged, right: Aged) -> Bool {
            (left.since, left.feed) < (right.since, right.feed)
        }
    }

    /// Adds a feed that has versions to forget to each queue in which it has no entry.
    mutating func enqueue(_ feed: FeedName) {
        for rule in Rule.allCases { enqueue(feed, rule) }
    }

    private mutating func enqueue(_ feed: FeedName, _ rule: Rule) {
        guard let entry = feeds[feed], !entry.isQueued(rule),
            let since = entry.history.oldest(rule)
        else { return }
        feeds[feed]?.setQueued(rule, true)
        queues[rule.rawValue].insert(Aged(since: since, feed: feed, history: entry.number))
    }

    /// Forgets the oldest versions of all feeds until the rest is within the limits; the bytes of
    /// the attachments of versions count toward the memory limit.
    mutating func forget(attached: Int, into forgotten: inout [Version]) {
        while cost.history > limits.totalWeight, forgetOldest(.spare, into: &forgotten) {}
        while cost.current + cost.history + attached > feedByteLimit,
            forgetOldest(.past, into: &forgotten)
        {}
    }

    /// Forgets the version of a queue's first entry, if it is still the oldest of its feed, and
    /// queues the feed again; returns whether there was an entry.
    private mutating func forgetOldest(_ rule: Rule, into forgotten: inout [Version]) -> Bool {
        guard let aged = queues[rule.rawValue].popMin() else { return false }
        guard feeds[aged.feed]?.number == aged.history else { return true }
        if feeds[aged.feed]?.history.oldest(rule) == aged.since {
            let version = changeHistory(of: aged.feed) { $0.forgetOldest() }
            if let version = version ?? nil { forgotten.append(version) }
        }
        feeds[aged.feed]?.setQueued(rule, false)
        enqueue(aged.feed, rule)
        return true
    }

    /// Removes the entries of deleted and replaced feeds from a queue when they are most of it.
    ///
    /// Each existing feed has at most one entry.
    mutating func dropStaleEntries() {
        for rule in Rule.allCases where queues[rule.rawValue].count > 2 * (feeds.count + 64) {
            let feeds = self.feeds
            let entries = queues[rule.rawValue].unordered
            queues[rule.rawValue] = Heap(
                entries.filter { aged in feeds[aged.feed]?.number == aged.history }
            )
        }
    }
}

/// The memory of feeds in bytes, computed from their content and not measured.
package struct FeedCost: Sendable, Equatable {
    /// The bytes of the current versions.
    package var current = 0

    /// The bytes of past versions that no later version shares.
    package var history = 0

    /// The bytes of the attachments of versions, such as answers made from them.
    package var attached = 0

    /// The sum of all three.
    package var total: Int { current + history + attached }

    /// Makes the cost of no feeds.
    package init() {}
}

/// Counts bytes that are allocated and freed on any thread.
package final class ByteCounter: Sendable {
    private let sum = Atomic(0)

    /// The number of bytes.
    package var byteCount: Int { sum.load(ordering: .relaxed) }

    /// Makes a counter at zero.
    package init() {}

    /// Adds a number of bytes, which may be negative.
    package func add(_ bytes: Int) {
        sum.add(bytes, ordering: .relaxed)
    }
}

/// The reason why a publish was refused: the feeds would exceed the memory limit even without past
/// versions.
package struct MemoryShortage: Error, Equatable {
    /// The bytes that the current versions would take, including the new one.
    package let byteCount: Int

    /// The most bytes that the current versions may take.
    package let byteLimit: Int
}
