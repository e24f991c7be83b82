import FeedModel
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Polls and long polls.
extension Follower {
    /// Sends a request for the changes of all feeds, and applies the response.
    ///
    /// - Parameter wait: The time for which the server may hold a long poll; `nil`: a poll.
    func poll(wait: Duration?) async throws -> FollowPlan.Outcome {
        let start = ContinuousClock.now
        let result = try await send(wait: wait)
        if wait != nil, [408, 504].contains(result.status) { return .cutOff }
        if result.status == 408 || result.isRefusedForNow { throw RefusedForNow(result) }
        let events = try await take(result, as: wait == nil ? .idle : .live)
        // Behind one address may be servers that do not share their feeds: then the next response
        // would not fit either, or would have yet another epoch.
        let isUnfit = events.contains { $0.isRecovery || wait != nil && $0.isOfAnotherEpoch }
        if isUnfit { return .mismatched }
        let isHeld = !events.isEmpty || ContinuousClock.now - start >= timing.shortestHold
        return isHeld || wait == nil
            ? .answered(refreshAfter: result.refreshAfter)
            : .notHeld(refreshAfter: result.refreshAfter)
    }

    /// Sends a request for the changes of all feeds, and sends it again if the method was refused.
    func send(wait: Duration?) async throws -> FeedResult {
        let request = try await request(wait: wait)
        let result = try await service.send(request)
        guard service.queries.isRefused(request, result) else { return result }
        return try await service.send(try await self.request(wait: wait))
    }

    /// Returns the request for the changes of all feeds.
    ///
    /// - Throws: ``ViewChanged``.
    func request(wait: Duration?) async throws -> URLRequest {
        let entries = try await entries()
        guard entries.count == 1, let entry = entries.first else {
            var request = service.requests.pull(
                entries,
                view: view,
                asChanges: showsChanges,
                wait: wait,
                canQuery: service.queries.canQuery
            )
            if let tag = service.pulls.tag(of: address(entries)) {
                request.setValue(tag, forHTTPHeaderField: "If-None-Match")
            }
            return request
        }
        return service.requests.changes(
            of: entry.name,
            since: entry.since,
            view: view,
            asChanges: showsChanges,
            wait: wait
        )
    }

    /// Returns the address that identifies a pull by its feeds, their versions and the view, for
    /// any method.
    private func address(_ entries: [(name: FeedName, since: Token?)]) -> URL? {
        service.requests.pull(entries, view: view, asChanges: showsChanges, canQuery: false).url
    }

    /// Applies the response to a request for the changes of all feeds, and returns their events.
    func take(_ result: FeedResult, as state: Feed.State = .idle) async throws -> [FeedEvent] {
        if feeds.count > 1, result.status == 304 {
            return try await events(of: feeds) { feed in
                try await note(feed.confirm(by: result, through: view), of: feed, as: state)
            }
        }
        let documents =
            feeds.count == 1
            ? [try await feeds[0].served(result, since: feeds[0].loaded().token)]
            : try result.pulled()
        let events = try await events(of: documents) { try await take($0, as: state) }
        if feeds.count > 1, let tag = result.tag, !events.contains(where: \.isRecovery) {
            // The tag belongs to the next pull, which has the new versions.
            service.pulls.remember(tag, of: address(try await entries()))
        }
        return events
    }

    /// Applies all parts of a response, and returns the events.
    ///
    /// - Throws: ``ViewChanged`` with the events, after all parts, if a feed's view has changed.
    private func events<Part>(
        of parts: [Part],
        _ apply: (Part) async throws -> FeedEvent?
    ) async throws -> [FeedEvent] {
        var events: [FeedEvent] = []
        var isOfOtherView = false
        for part in parts {
            do {
                if let event = try await apply(part) { events.append(event) }
            } catch is ViewChanged {
                isOfOtherView = true
            }
        }
        if isOfOtherView { throw ViewChanged(events: events) }
        return events
    }

    /// Returns the feeds with their current versions.
    ///
    /// - Throws: ``ViewChanged`` if the view of a feed has changed.
    func entries() async throws -> [(name: FeedName, since: Token?)] {
        var entries: [(name: FeedName, since: Token?)] = []
        for feed in feeds {
            let copy = await feed.loaded()
            guard copy.view == view else { throw ViewChanged() }
            entries.append((feed.name, copy.token))
        }
        return entries
    }
}

/// Reports that a feed has loaded more rows since a request was made, which does not cover them.
struct ViewChanged: Error {
    /// The events of the other feeds.
    var events: [FeedEvent] = []
}
