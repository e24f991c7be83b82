import FeedModel

/// Event streams.
extension Follower {
    /// Opens a stream, and applies its events until it ends.
    func stream() async throws -> FollowPlan.Outcome {
        let isHeard = ChangeMonitor(false)
        return try await withThrowingTaskGroup(of: FollowPlan.Outcome?.self) { group in
            group.addTask {
                if let outcome = try await stream(isAgain: false, isHeard) { return outcome }
                return try await stream(isAgain: true, isHeard) ?? .noStream
            }
            group.addTask {
                try await Task.sleep(for: timing.firstByte)
                return isHeard.value ? nil : .noStream
            }
            defer { group.cancelAll() }
            while let outcome = try await group.next() {
                if let outcome { return outcome }
            }
            return .noStream
        }
    }

    /// Opens a stream, and applies its events until it ends.
    ///
    /// - Parameters:
    ///   - isAgain: Whether this is the second attempt, after the key or the method was refused.
    ///   - isHeard: Set when the first bytes arrive.
    /// - Returns: The outcome; `nil`: a second attempt should be made with another key or method.
    private func stream(
        isAgain: Bool,
        _ isHeard: ChangeMonitor<Bool>
    ) async throws -> FollowPlan.Outcome? {
        let request = service.requests.events(
            try await entries(),
            view: view,
            asChanges: showsChanges,
            canQuery: service.queries.canQuery
        )
        var parser = EventParser()
        var retry: Duration?
        var hasBegun = false
        var isPrivate: Bool?
        let requested = ContinuousClock.now
        let (key, parts) = try await service.parts(of: request, silence: timing.silence)
        do {
            for try await part in parts {
                switch part {
                case .head(let head):
                    let head = FeedResult(head: head)
                    isPrivate = key != nil && head.variesByKey
                    if head.status == 401, !isAgain, try await isReplaced(key) { return nil }
                    if service.queries.isRefused(request, head), !isAgain { return nil }
                    if let outcome = await refusal(head) { return outcome }
                case .body(let bytes):
                    if !bytes.isEmpty { isHeard.update { $0 = true } }
                    for part in try parser.parse(bytes) {
                        switch part {
                        case .retry(let time): retry = .milliseconds(min(time, 3_600_000))
                        case .heartbeat: if hasBegun { await heard() }
                        case .event(let event):
                            hasBegun = true
                            if try await take(event, requested, isPrivate) { return .mismatched }
                        }
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

    /// Returns whether there is another key in place of a refused one.
    private func isReplaced(_ key: String?) async throws -> Bool {
        try await service.keys.replacement(for: key) != nil
    }

    /// Notifies the feeds that the stream is alive, though it had no changes.
    private func heard() async {
        for feed in feeds { await feed.heard() }
    }

    /// Returns the outcome of a response that is not a stream; `nil`: it is a stream.
    private func refusal(_ head: FeedResult) async -> FollowPlan.Outcome? {
        switch head.status {
        case 200 where head.essence == "text/event-stream": return nil
        case _ where head.isRefusedForNow:
            return await failed(head.refusal, retryAfter: head.retryAfter)
        // The next request, a long poll, shows the reason.
        default: return .noStream
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
    private func take(
        _ event: ServerEvent,
        _ requested: ContinuousClock.Instant,
        _ isPrivate: Bool?
    ) async throws -> Bool {
        guard Follower.names.contains(event.name) else { return false }
        var document: ServedDocument
        do {
            document = try ServedDocument(parsing: event.data)
        } catch {
            throw FeedServiceError.unexpected("the stream has an event that cannot be read")
        }
        document.requested = requested
        document.isPrivate = isPrivate
        return try await take(document, as: .live)?.isRecovery ?? false
    }
}
