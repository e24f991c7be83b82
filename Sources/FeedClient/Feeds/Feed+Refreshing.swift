import FeedModel

extension Feed {
    /// Asks the server for changes, and applies them.
    ///
    /// Simultaneous calls share one request.
    ///
    /// A caller whose task is cancelled gets a `CancellationError` at once, but the request
    /// continues, for other callers and to update the feed.
    ///
    /// - Returns: The effect on the feed's content.
    /// - Throws: ``FeedServiceError``; the content is then unchanged.
    @discardableResult
    public func refresh() async throws -> FeedNews { try await refreshEvent().news }

    /// Refreshes the feed, and returns the event with the number of changes.
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

    /// Refreshes the feed, but waits only until a deadline, such as that of a background task.
    ///
    /// A response that comes later is still applied.
    ///
    /// - Parameter deadline: The time until which to wait.
    /// - Returns: The effect on the feed's content.
    /// - Throws: ``FeedServiceError``; at the deadline ``FeedServiceError/unreachable(_:)``.
    @discardableResult
    public func refresh(deadline: ContinuousClock.Instant) async throws -> FeedNews {
        try await refreshEvent(deadline: deadline).news
    }

    /// Refreshes the feed until a deadline, and returns the event with the number of changes.
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

    /// Refreshes the feed, and returns the feed's state afterwards, so that the main actor needs
    /// only one call.
    ///
    /// - Parameter deadline: The time until which to wait; `nil`: without limit.
    /// - Returns: The number of changes, or `nil` after a failure or cancellation; and the feed's
    ///   state.
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

    /// Sends a long poll: the server answers when the feed changes, or when the time is over.
    ///
    /// - Parameter time: The longest wait, at most 60 seconds.
    /// - Returns: The effect on the feed's content.
    /// - Throws: ``FeedServiceError``; the content is then unchanged.
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
                // If the view has grown meanwhile, the document does not fit, and the request is
                // repeated with the new view.
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
