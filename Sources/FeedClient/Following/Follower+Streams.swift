import FeedModel

/// Streams.
extension Follower {
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

    /// - Parameters:
    ///   - isAgain: Whether another key, or the method, was refused just now.
    ///   - isHeard: Is told that something came.
    /// - Returns: `nil` where the key was refused and there is another, or the method.
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

    /// Whether there is another key than the one that the server refused.
    private func isReplaced(_ key: String?) async throws -> Bool {
        try await service.keys.replacement(for: key) != nil
    }

    /// The stream goes on, though there is nothing new.
    private func heard() async {
        for feed in feeds { await feed.heard() }
    }

    /// Returns the outcome for a response that is no stream; `nil` if it is one.
    private func refusal(_ head: FeedResult) async -> FollowPlan.Outcome? {
        switch head.status {
        case 200 where head.essence == "text/event-stream": return nil
        case _ where head.isRefusedForNow:
            return await failed(head.refusal, retryAfter: head.retryAfter)
        // A request of another kind tells what is wrong.
        default: return .noStream
        }
    }

    /// The names of events that have documents; `message` is that of events without one.
    private static let names: Set = ["message", "unchanged", "changes", "snapshot", "missing"]

    /// - Returns: Whether it did not fit; what the server tells besides is passed over.
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
