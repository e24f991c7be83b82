/// What a feed holds and how it stands, at one moment.
public struct FeedUpdate: Sendable {
    /// What is held.
    public let copy: FeedCopy

    /// How it stands with the server.
    public let state: Feed.State

    /// How old what is held is.
    public let freshness: FeedFreshness

    /// What was wrong last; `nil` since it worked again.
    public let problem: FeedServiceError?

    /// How many items came above the reader's place.
    public let newAbove: Int
}

extension Feed {
    /// What the feed holds and how it stands: now, first of all, and then whenever that changes.
    ///
    /// Who reads slowly misses what was between, and gets what is newest.
    public nonisolated func updates() -> AsyncStream<FeedUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: FeedUpdate.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        Task { await subscribe(continuation) }
        return stream
    }

    /// What the feed holds and how it stands now.
    public var update: FeedUpdate {
        FeedUpdate(
            copy: copy,
            state: state,
            freshness: freshness,
            problem: problem,
            newAbove: newAbove
        )
    }

    /// Tells everyone who reads ``updates()``.
    func publish() {
        guard !subscribers.isEmpty else { return }
        let update = update
        for subscriber in subscribers.values { subscriber.yield(update) }
    }

    private func subscribe(_ continuation: AsyncStream<FeedUpdate>.Continuation) {
        number += 1
        let subscriber = number
        subscribers[subscriber] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { await self?.unsubscribe(subscriber) }
        }
        continuation.yield(update)
    }

    private func unsubscribe(_ subscriber: Int) {
        subscribers[subscriber] = nil
    }
}

extension Feed {
    /// The same after what is kept on disk was read.
    nonisolated func loadedUpdates() -> AsyncStream<FeedUpdate> {
        let updates = updates()
        Task { await load() }
        return updates
    }

    /// What is kept on disk, if it has no more than so many bytes.
    nonisolated func kept(upTo byteLimit: Int) -> CachedFeed? {
        guard let cache = service.cache, cache.byteCount(of: cacheKey) ?? .max <= byteLimit
        else { return nil }
        return cache.read(cacheKey)
    }

    /// Notes that changes no longer come by themselves.
    func stoppedFollowing() {
        if state == .live { followed(.idle) }
    }
}
