extension Feed {
    /// The copy and the state of the feed: now, first of all, and then whenever they change.
    ///
    /// A reader that is slow misses the updates in between, and gets the newest.
    public nonisolated func updates() -> AsyncStream<FeedUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: FeedUpdate.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        Task { await subscribe(continuation) }
        return stream
    }

    /// The copy and the state of the feed now.
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

    /// Tells all readers of ``updates()``.
    func publish() {
        updateCount += 1
        guard !subscribers.isEmpty else { return }
        let update = update
        for (number, subscriber) in subscribers {
            // Who went away before being subscribed says so only here.
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
    /// The copy and the state of the feed, now and whenever they change, after the disk was read.
    ///
    /// - Parameter kept: All that is kept, where that was read already.
    nonisolated func loadedUpdates(after kept: CachedFeed?) -> AsyncStream<FeedUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: FeedUpdate.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        Task { await subscribe(continuation, after: kept) }
        return stream
    }

    /// The part of the copy on disk that can be read at once; see ``FeedCache/readAtOnce(_:)``.
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
            // Nobody signed out since it was read.
            if copy.token == nil, service.gate.generation == generation { take(kept) }
        }
        load()
        subscribe(continuation)
    }
}
