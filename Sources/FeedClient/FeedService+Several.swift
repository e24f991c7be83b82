/// Several feeds at once, all made with the same view. One that has loaded more rows since has a
/// request or a stream of its own.
extension FeedService {
    /// Asks what is new in several feeds, in one request, and takes it.
    ///
    /// - Parameter feeds: Feeds of this service, of the same view; at most 100.
    /// - Returns: The news, a feed after the other.
    /// - Throws: ``FeedServiceError``.
    @discardableResult
    public func pull(_ feeds: [Feed]) async throws -> [FeedEvent] {
        try FeedService.check(feeds)
        var events: [FeedEvent] = []
        for group in await Follower.groups(of: feeds) { events += try await pull(ofOneView: group) }
        return events
    }

    private func pull(ofOneView feeds: [Feed]) async throws -> [FeedEvent] {
        let follower = Follower(feeds, self)
        do {
            let result = try await follower.send(wait: nil)
            let events = try await follower.take(result)
            works.update { $0 += 1 }
            return events
        } catch let changed as ViewChanged {
            // One has loaded more rows meanwhile.
            return changed.events + (try await pull(feeds))
        } catch {
            let error = (error as? RefusedRecovery)?.error ?? error
            guard error is FeedServiceError else { throw error }
            for feed in feeds { await feed.failed(error) }
            throw error
        }
    }

    /// Follows several feeds: what changes is taken as it comes.
    ///
    /// Changes come by one stream. Where streams do not get through, requests that wait are sent,
    /// and where those do not get through, polls as often as the server finds it worth it. After a
    /// failure it is tried again, at longer and longer intervals up to a minute.
    ///
    /// - Parameters:
    ///   - feeds: Feeds of this service, of the same view; at most 100.
    ///   - failure: Is told why it has to be tried again, each time.
    /// - Returns: What came, in turn, for as long as it is read; it ends with an error where
    ///   trying again is no use, such as a key that is not known.
    public func follow(
        _ feeds: [Feed],
        failure: @escaping @Sendable (FeedServiceError) -> Void = { _ in }
    ) -> AsyncThrowingStream<FeedEvent, any Error> {
        follow(feeds, FollowTiming(), failure: failure)
    }

    func follow(
        _ feeds: [Feed],
        _ timing: FollowTiming,
        failure: @escaping @Sendable (FeedServiceError) -> Void = { _ in }
    ) -> AsyncThrowingStream<FeedEvent, any Error> {
        let (stream, events) = AsyncThrowingStream.makeStream(
            of: FeedEvent.self,
            throwing: (any Error).self
        )
        do {
            try FeedService.check(feeds)
        } catch {
            events.finish(throwing: error)
            return stream
        }
        guard !feeds.isEmpty else {
            events.finish()
            return stream
        }
        let follower = Follower(feeds, self, timing, failure: failure) { events.yield($0) }
        let task = Task {
            do {
                try await follower.run()
            } catch {
                events.finish(throwing: error is CancellationError ? nil : error)
            }
        }
        events.onTermination = { _ in task.cancel() }
        return stream
    }

    /// - Throws: Where one request cannot be about all of them.
    private static func check(_ feeds: [Feed]) throws(FeedServiceError) {
        if feeds.contains(where: { $0.firstView != feeds[0].firstView }) {
            throw .unexpected("feeds of several views cannot be asked for at once")
        }
    }
}
