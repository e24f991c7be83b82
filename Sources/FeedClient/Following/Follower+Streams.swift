import FeedModel

/// Follows a feed by an event stream.
extension Follower {
    /// Opens a stream, and applies its events until it ends.
    func stream() async throws -> FollowPlan.Outcome {
        let isHeard = ChangeMonitor(false)
        return try await race([
            { try await stream(isHeard) },
            {
                try await Task.sleep(for: timing.firstByte)
                // If the stream was heard, this waits until its end.
                await isHeard.waitForChange(from: true)
                return .noStream
            },
        ])
    }

    /// Opens a stream, and applies its events until it ends.
    ///
    /// - Parameter isHeard: Set when the first bytes arrive.
    private func stream(_ isHeard: ChangeMonitor<Bool>) async throws -> FollowPlan.Outcome {
        guard let (head, body) = try await open() else { return .noStream }
        guard head.status == 200, head.essence == "text/event-stream" else {
            if head.isRefusedForNow { throw RefusedForNow(head) }
            // The next request, a long poll, shows the reason.
            return .noStream
        }
        var parser = EventParser()
        var retry: Duration?
        var hasBegun = false
        var parts = body
        do {
            while case .body(let bytes)? = try await parts.next() {
                if !bytes.isEmpty { isHeard.update { $0 = true } }
                for part in try parser.parse(bytes) {
                    switch part {
                    case .retry(let time): retry = .milliseconds(min(time, 3_600_000))
                    // The stream is alive, though it had no changes.
                    case .heartbeat: if hasBegun { for feed in feeds { await feed.heard() } }
                    case .event(let event):
                        hasBegun = true
                        if try await take(event, of: head) { return .mismatched }
                    }
                }
            }
        } catch let error as FeedServiceError {
            guard hasBegun, case .unreachable = error else { throw error }
        } catch let error as EventParser.TooLong {
            throw FeedServiceError.unexpected("\(error)")
        }
        try Task.checkCancellation()
        return hasBegun ? .ended(retry: retry) : .noStream
    }

    /// Sends the request for a stream, and sends it again if the method was refused; `nil`: the
    /// response ended before its head.
    private func open() async throws -> (head: FeedResult, parts: FeedService.Parts)? {
        while true {
            let request = service.requests.events(
                try await entries(),
                view: view,
                asChanges: showsChanges,
                canQuery: service.queries.canQuery
            )
            guard let response = try await service.open(request, silence: timing.silence) else {
                return nil
            }
            if !service.queries.isRefused(request, response.head) { return response }
        }
    }

    /// The names of events with documents.
    ///
    /// Events without a name have the name `message`.
    private static let names: Set = ["message", "unchanged", "changes", "snapshot", "missing"]

    /// Applies an event.
    ///
    /// Events with other names are ignored.
    ///
    /// - Returns: Whether the event did not fit, so that the feed was fetched again.
    private func take(_ event: ServerEvent, of head: FeedResult) async throws -> Bool {
        guard Follower.names.contains(event.name) else { return false }
        let document: ServedDocument
        do {
            document = head.noted(try ServedDocument(parsing: event.data))
        } catch {
            throw FeedServiceError.unexpected("the stream has an event that cannot be read")
        }
        return try await take(document, as: .live)?.isRecovery ?? false
    }
}
