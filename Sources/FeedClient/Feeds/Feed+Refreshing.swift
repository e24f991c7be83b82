import FeedModel

extension Feed {
    /// Asks the server for changes, and applies them.
    ///
    /// Simultaneous calls share one request.
    ///
    /// A caller whose task is cancelled gets a `CancellationError` at once, but the request
    /// continues, for other callers and to update the feed; so does that of a caller whose deadline
    /// is over, such as that of a background task.
    ///
    /// - Parameter deadline: The time until which to wait; `nil`: without limit.
    /// - Returns: The effect on the feed's content.
    /// - Throws: ``FeedServiceError``; the content is then unchanged. At the deadline
    ///   ``FeedServiceError/unreachable(_:)``.
    @discardableResult
    public func refresh(deadline: ContinuousClock.Instant? = nil) async throws -> FeedChange {
        try await refreshEvent(deadline: deadline).change
    }

    /// Refreshes the feed, and returns the event with the number of changes.
    ///
    /// - Parameter deadline: The time until which to wait; `nil`: without limit.
    package func refreshEvent(deadline: ContinuousClock.Instant? = nil) async throws -> FeedEvent {
        try Task.checkCancellation()
        let request = refreshing ?? SharedTask { try await self.askForAll() }
        refreshing = request
        guard let deadline else { return try await request.value() }
        return try await race([
            { try await request.value() },
            {
                try await Task.sleep(until: deadline, clock: .continuous)
                throw FeedServiceError.unreachable("there was no answer in time")
            },
        ])
    }

    /// Sends a long poll: the server answers when the feed changes, or when the time is over.
    ///
    /// - Parameter time: The longest wait, at most 60 seconds.
    /// - Returns: The effect on the feed's content.
    /// - Throws: ``FeedServiceError``; the content is then unchanged.
    @discardableResult
    public func wait(_ time: Duration = .seconds(60)) async throws -> FeedChange {
        try await ask(wait: time).change
    }

    private func askForAll() async throws -> FeedEvent {
        defer { refreshing = nil }
        return try await ask(wait: nil)
    }

    private func ask(wait: Duration?) async throws -> FeedEvent {
        load()
        if state != .live { followed(.refreshing) }
        do {
            while true {
                let view = view
                let token = copy.token
                let request = service.requests.changes(
                    of: name,
                    since: token,
                    view: view,
                    asChanges: showsChanges,
                    wait: wait
                )
                let result = try await service.send(request)
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
            let error = (error as? RefusedForNow)?.error ?? error
            failed(error)
            throw error
        }
    }
}
