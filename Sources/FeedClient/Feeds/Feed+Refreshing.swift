import FeedModel

extension Feed {
    /// Asks what is new, and takes it; calls at the same time share one request.
    ///
    /// A caller whose task is cancelled gets a `CancellationError` at once, and the request goes on
    /// for the others and for what it brings.
    ///
    /// - Returns: The news of the feed.
    /// - Throws: ``FeedServiceError``, with what is held as it was.
    @discardableResult
    public func refresh() async throws -> FeedNews { try await refreshEvent().news }

    /// Refreshes the feed, and returns also the number of changes.
    package func refreshEvent() async throws -> FeedEvent {
        number += 1
        let waiter = number
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard !Task.isCancelled else {
                    continuation.resume(throwing: CancellationError())
                    return
                }
                waiters[waiter] = continuation
                if refreshing == nil { refreshing = Task { await askForAll() } }
            }
        } onCancel: {
            Task { await self.leave(waiter) }
        }
    }

    /// Asks what is new, and stops waiting for it at a time, as a background task has to; what
    /// arrives later is taken nevertheless.
    ///
    /// - Parameter deadline: When to stop waiting.
    /// - Returns: The news of the feed.
    /// - Throws: ``FeedServiceError``; at the deadline ``FeedServiceError/unreachable(_:)``.
    @discardableResult
    public func refresh(deadline: ContinuousClock.Instant) async throws -> FeedNews {
        try await refreshEvent(deadline: deadline).news
    }

    /// Refreshes the feed until a deadline, and returns also the number of changes.
    func refreshEvent(deadline: ContinuousClock.Instant) async throws -> FeedEvent {
        try await withThrowingTaskGroup(of: FeedEvent?.self) { group in
            group.addTask { try await self.refreshEvent() }
            group.addTask {
                try await Task.sleep(until: deadline, clock: .continuous)
                return nil
            }
            defer { group.cancelAll() }
            guard let event = try await group.next() ?? nil else {
                throw FeedServiceError.unreachable("there was no answer in time")
            }
            return event
        }
    }

    /// Asks what is new, and says what is held then: one way here and back for the main actor.
    ///
    /// - Parameter deadline: When to stop waiting; `nil`: never.
    /// - Returns: Also what is new in numbers; `nil` if it was cancelled, or something was wrong.
    func refreshOutcome(
        deadline: ContinuousClock.Instant? = nil
    ) async -> (counts: RefreshCounts?, update: FeedUpdate) {
        let event: FeedEvent?
        if let deadline {
            event = try? await refreshEvent(deadline: deadline)
        } else {
            event = try? await refreshEvent()
        }
        return (event?.counts, update)
    }

    /// Asks what is new, and waits until there is something.
    ///
    /// - Parameter time: At most 60 seconds.
    /// - Returns: The news of the feed.
    /// - Throws: ``FeedServiceError``, with what is held as it was.
    @discardableResult
    public func wait(_ time: Duration = .seconds(60)) async throws -> FeedNews {
        try await ask(wait: time).news
    }

    private func leave(_ waiter: Int) {
        waiters.removeValue(forKey: waiter)?.resume(throwing: CancellationError())
    }

    private func askForAll() async {
        let result: Result<FeedEvent, any Error>
        do {
            result = .success(try await ask(wait: nil))
        } catch {
            result = .failure(error)
        }
        refreshing = nil
        let waiters = waiters.values
        self.waiters = [:]
        for waiter in waiters { waiter.resume(with: result) }
    }

    private func ask(wait: Duration?) async throws -> FeedEvent {
        load()
        if state != .live { followed(.refreshing) }
        do {
            while true {
                let view = view
                let token = copy.token
                let request = service.requests.news(
                    of: name,
                    since: token,
                    view: view,
                    asChanges: showsChanges,
                    wait: wait
                )
                let result = try await service.send(request, isHeld: wait != nil)
                // What is seen through another view than the one that is kept by now says nothing.
                let document = try served(result, since: token)
                guard let event = try await take(document, through: view, since: token) else {
                    continue
                }
                followed(.idle)
                service.works.update { $0 += 1 }
                return event
            }
        } catch {
            let error = (error as? RefusedRecovery)?.error ?? error
            failed(error)
            throw error
        }
    }
}
