import FeedModel
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests.
extension Follower {
    func ask(wait: Duration?) async throws -> FollowPlan.Outcome {
        let start = ContinuousClock.now
        let result = try await service.send(await request(wait: wait), isHeld: wait != nil)
        switch result.status {
        case 408 where wait != nil, 504 where wait != nil: return .cutOff
        case _ where result.status == 408 || result.isRefusedForNow:
            return await failed(result.refusal, retryAfter: result.retryAfter)
        default: break
        }
        let events = try await take(result, as: wait == nil ? .idle : .live)
        // The next one may not fit either.
        if events.contains(where: \.isRecovery) { return .mismatched }
        let isHeld = !events.isEmpty || ContinuousClock.now - start >= timing.shortestHold
        return isHeld || wait == nil
            ? .answered(refreshAfter: result.refreshAfter)
            : .notHeld(refreshAfter: result.refreshAfter)
    }

    /// Asks for what is new in all feeds.
    func request(wait: Duration?) async -> URLRequest {
        let entries = await entries()
        guard entries.count == 1, let entry = entries.first else {
            var request = pull(entries, wait: wait)
            let asked = pull(entries, wait: nil).url
            if let tag = service.pulls.tag(of: asked) {
                request.setValue(tag, forHTTPHeaderField: "If-None-Match")
            }
            return request
        }
        return service.requests.get(
            entry.name,
            since: entry.since,
            view: view,
            asChanges: showsChanges,
            wait: wait
        )
    }

    private func pull(
        _ entries: [(name: FeedName, since: Token?)],
        wait: Duration?
    ) -> URLRequest {
        service.requests.pull(entries, view: view, asChanges: showsChanges, wait: wait)
    }

    /// Takes the answer to that.
    ///
    /// - Returns: What is new.
    func take(_ result: FeedResult, as state: Feed.State = .idle) async throws -> [FeedEvent] {
        guard feeds.count > 1, result.status == 304 else { return try await changed(result, state) }
        var events: [FeedEvent] = []
        for feed in feeds {
            if let event = await confirm(feed, as: state) { events.append(event) }
        }
        return events
    }

    private func changed(_ result: FeedResult, _ state: Feed.State) async throws -> [FeedEvent] {
        let documents =
            feeds.count == 1 ? [try result.served(feeds[0].name)] : try result.pulled()
        var events: [FeedEvent] = []
        for document in documents {
            if let event = try await take(document, as: state) { events.append(event) }
        }
        if feeds.count > 1, let tag = result.tag, !events.contains(where: \.isRecovery) {
            // What the same question is about from now on, while nothing else changes a copy.
            service.pulls.remember(tag, of: pull(await entries(), wait: nil).url)
        }
        return events
    }

    func entries() async -> [(name: FeedName, since: Token?)] {
        var entries: [(name: FeedName, since: Token?)] = []
        for feed in feeds {
            await feed.load()
            entries.append((feed.name, await feed.copy.token))
        }
        return entries
    }
}
