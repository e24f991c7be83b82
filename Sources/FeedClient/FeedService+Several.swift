/// Requests several feeds at once, all of which were made with the same view (the part of each feed
/// that is loaded first).
///
/// A feed that has loaded more rows since then gets a request or a stream of its own.
extension FeedService {
    /// Refreshes several feeds by one request.
    ///
    /// - Parameter feeds: At most 100 feeds of this service, with the same view.
    /// - Returns: The changes of the feeds, as events.
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
            // A feed has loaded more rows meanwhile.
            return changed.events + (try await pull(feeds))
        } catch {
            let error = (error as? RefusedForNow)?.error ?? error
            guard error is FeedServiceError else { throw error }
            for feed in feeds { await feed.failed(error) }
            throw error
        }
    }

    /// Follows several feeds: changes are applied as they arrive, for as long as the result is
    /// read.
    ///
    /// Changes come by one event stream. If a proxy on the way blocks streams, the client sends
    /// long polls instead, and if these are blocked, too, polls at the interval that the server
    /// states. After a failure, further attempts follow at growing intervals of up to a minute.
    ///
    /// - Parameters:
    ///   - feeds: At most 100 feeds of this service, with the same view.
    ///   - failure: Called with the reason of each failed attempt.
    /// - Returns: The events of the feeds. The sequence ends with an error if further attempts are
    ///   useless, such as with an unknown key.
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

    /// Checks that all feeds were made with the same view, because a request for several feeds has
    /// only one.
    private static func check(_ feeds: [Feed]) throws(FeedServiceError) {
        if feeds.contains(where: { $0.firstView != feeds[0].firstView }) {
            throw .unexpected("feeds of several views cannot be asked for at once")
        }
    }
}
