package import FeedModel
import Synchronization

/// The memory of the feeds, and its limit.
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
            state.current(feed).map { ($0, state.historyWeight(of: feed)) }
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
            trimAttached(to: makeRoom())
        }
    }

    /// The most bytes that attachments may take: the rest beside the current versions, because past
    /// versions are forgotten before.
    package var attachedByteLimit: Int { state.withLock(\.attachedByteLimit) }

    /// Forgets versions until the limits are kept, or no past version is left; to be called when
    /// attachments have grown.
    ///
    /// - Returns: The value of ``attachedByteLimit``.
    @discardableResult
    package func makeRoom() -> Int {
        let attached = attachedBytes.byteCount
        // The forgotten versions are freed here, after the lock is released.
        let (_, limit) = state.withLock { state in
            var forgotten: [Version] = []
            state.forget(attached: attached, into: &forgotten)
            return (forgotten, state.attachedByteLimit)
        }
        return limit
    }

    /// Clears attachments until they take somewhat less than a limit; does nothing if they are
    /// within it.
    ///
    /// - Parameters:
    ///   - limit: The limit in bytes.
    ///   - kept: The version whose attachment is not cleared.
    package func trimAttached(to limit: Int, keeping kept: Token? = nil) {
        guard attachedBytes.byteCount > limit else { return }
        // The goal is below the limit, so that the next attachment does not cause another pass.
        let goal = limit / 8 * 7
        for version in state.withLock({ $0.all() }) {
            guard attachedBytes.byteCount > goal else { return }
            guard version.token != kept else { continue }
            version.attachment.withLock { $0 }?.clear()
        }
    }
}
