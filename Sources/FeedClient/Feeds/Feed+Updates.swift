extension Feed {
    /// Returns the copy and the state of the feed: the current ones first, and then each change.
    ///
    /// A slow reader misses updates in between, and gets the newest.
    public nonisolated func updates() -> AsyncStream<FeedUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: FeedUpdate.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        Task { await subscribe(continuation) }
        return stream
    }

    /// The current copy and state of the feed.
    public var update: FeedUpdate {
        FeedUpdate(
            copy: copy,
            state: state,
            freshness: freshness,
            problem: problem,
            unseenAbove: unseenAbove,
            loadMoreState: loadMoreState,
            isLoaded: hasReadCache || service.cache == nil,
            number: updateCount
        )
    }

    /// Sends the current copy and state to all readers of ``updates()``.
    func publish() {
        updateCount += 1
        guard !subscribers.isEmpty else { return }
        let update = update
        for (number, subscriber) in subscribers {
            // A reader that ended before it was subscribed is found only here.
            if case .terminated = subscriber.yield(update) { subscribers[number] = nil }
        }
    }

    private func subscribe(_ continuation: AsyncStream<FeedUpdate>.Continuation) {
        number += 1
        let subscriber = number
        subscribers[subscriber] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { await self?.unsubscribe(subscriber) }
        }
        if case .terminated = continuation.yield(update) { subscribers[subscriber] = nil }
    }

    private func unsubscribe(_ subscriber: Int) {
        subscribers[subscriber] = nil
    }
}

extension Feed {
    /// Returns the updates of the feed, after the cache was read.
    ///
    /// - Parameter kept: The feed from the cache, if it was read already.
    nonisolated func loadedUpdates(after kept: CachedFeed?) -> AsyncStream<FeedUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: FeedUpdate.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        Task { await subscribe(continuation, after: kept) }
        return stream
    }

    /// Returns the part of the cached feed that can be read quickly; see
    /// ``FeedCache/readAtOnce(_:)``.
    nonisolated func keptAtOnce() -> (feed: CachedFeed, isAll: Bool)? {
        guard let cache = service.cache else { return nil }
        return service.gate.use(in: generation) { cache.readAtOnce(cacheKey) } ?? nil
    }

    private func subscribe(
        _ continuation: AsyncStream<FeedUpdate>.Continuation,
        after kept: CachedFeed?
    ) {
        if let kept, !hasReadCache {
            hasReadCache = true
            // After a sign-out, the feed that was read before must not be shown.
            if copy.token == nil, service.gate.generation == generation { take(kept) }
        }
        load()
        subscribe(continuation)
    }
}
