package import FeedModel
import Synchronization

/// What the feeds cost, and the limit on that.
extension FeedStore {
    /// What all feeds take; it takes the same time however many there are.
    package var cost: FeedCost {
        var cost = state.withLock(\.cost)
        cost.attached = attachedBytes.byteCount
        return cost
    }

    /// What one feed takes, or `nil` when there is no such feed; the feeds' sum is ``cost``.
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

    /// How many versions of a feed are remembered, with the current one; 0 for a feed that is not
    /// there.
    package func versionCount(of feed: FeedName) -> Int {
        state.withLock { $0.feeds[feed]?.history.count ?? 0 }
    }

    /// Bytes that all feeds together may take.
    ///
    /// Past it the oldest versions go first, of whatever feed; then what hangs on versions has to
    /// (``attachedByteLimit``); then publishes are refused that would make feeds larger.
    package var memoryByteLimit: Int {
        get { state.withLock(\.memoryByteLimit) }
        set {
            state.withLock { $0.memoryByteLimit = newValue }
            trimAttached(to: makeRoom())
        }
    }

    /// Bytes that what hangs on versions may take: what the current versions leave, since past
    /// ones go before.
    package var attachedByteLimit: Int { state.withLock(\.attachedByteLimit) }

    /// Forgets versions until all is within the limits, or none is left; to be called when more
    /// hangs on versions than before.
    ///
    /// - Returns: ``attachedByteLimit``.
    @discardableResult
    package func makeRoom() -> Int {
        let attached = attachedBytes.byteCount
        // What is forgotten is freed here, under no lock.
        let (_, limit) = state.withLock { state in
            var forgotten: [Version] = []
            state.forget(attached: attached, into: &forgotten)
            return (forgotten, state.attachedByteLimit)
        }
        return limit
    }

    /// Has what hangs on versions cleared until it takes somewhat less than a limit; nothing
    /// happens within it.
    ///
    /// - Parameters:
    ///   - limit: In bytes.
    ///   - kept: The version whose own stays whatever it takes.
    package func trimAttached(to limit: Int, keeping kept: Token? = nil) {
        guard attachedBytes.byteCount > limit else { return }
        // Somewhat less, so that this is not done again with the next that comes.
        let goal = limit / 8 * 7
        for version in state.withLock({ $0.all() }) {
            guard attachedBytes.byteCount > goal else { return }
            guard version.token != kept else { continue }
            version.attachment.withLock { $0 }?.clear()
        }
    }
}
