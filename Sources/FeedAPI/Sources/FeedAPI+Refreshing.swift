import FeedDiff
package import FeedModel
package import FeedStore
import HTTPServer
import HTTPTypes
import Synchronization

/// Fetches feeds whose content comes from a source when a client asks for it (docs/SOURCES.md,
/// "Sources").
extension FeedAPI {
    /// `POST /feeds/{feed}/refresh`: has the source fetched now.
    func refresh(_ routed: borrowing RoutedRequest) throws(Problem) -> Reply {
        let name = routed.head.text(routed.route.feed)
        if routed.operatorMetrics != nil { return try refreshForOperator(name) }
        let sources = configuration.sources
        let isSourced = FeedName(name).map { sources?.isSourced($0) ?? false } ?? false
        let request = try PublishRequest(
            routed,
            access,
            accepting: [],
            knowing: [.removals],
            needsFeed: !isSourced,
            isRefresh: true
        )
        try request.check(store.current(request.feed), at: store.wallSeconds)
        guard isSourced, let sources else {
            throw Problem(.noSource, .conflict, "the feed \"\(request.feed)\" has no source")
        }
        return beginPublish(request, .refresh(sources))
    }

    /// Has a feed's source fetched for a client of the operator's listener.
    ///
    /// - Throws: `404` for a feed without a source.
    private func refreshForOperator(_ name: String) throws(Problem) -> Reply {
        guard let sources = configuration.sources, let feed = FeedName(name),
            sources.isSourced(feed)
        else { throw .notFound("there is no feed \"\(name)\" with a source") }
        return .later { responder in
            sources.refresh(feed, mayRemoveAny: false) { responder(self.response(to: $0, feed)) }
        }
    }

    /// Returns the response to a request that had a feed's source fetched.
    ///
    /// - Parameter refresh: The result of the fetch; `nil` if the source had no new content.
    func response(
        to refresh: Result<Publication?, SourceRefusal>,
        _ feed: FeedName
    ) -> Response {
        switch refresh {
        case .success(let publication?): return published(publication)
        case .success(nil):
            let current = store.current(feed)
            let snapshot = current?.snapshot ?? Snapshot()
            return published(store.publication(of: snapshot, feed, after: current, dryRun: true))
        case .failure(.paused(let seconds)):
            return Problem(
                .sourceFailed,
                .serviceUnavailable,
                "the source has asked for a pause",
                with: [.retryAfter: String(max(1, seconds))]
            ).response
        case .failure(.guarded(let refusal)): return Problem(refusal).response
        case .failure(let refusal):
            return Problem(.sourceFailed, .badGateway, refusal.description).response
        }
    }

    private func published(_ publication: Publication) -> Response {
        .published(
            publication,
            isDryRun: false,
            isNew: publication.previous == nil && publication.isChanged
        )
    }
}

/// Runs the work for sources and derived feeds, and publishes its results.
extension FeedAPI {
    /// Runs work for which no client waits on a thread, after other work that waits.
    ///
    /// - Parameters:
    ///   - size: The size of the work; small work does not wait for large work.
    ///   - work: The work; it may block its thread.
    /// - Returns: The result of the work; `nil` if the server stopped before the work began.
    @discardableResult
    package func inBackground<Value: Sendable>(
        _ size: WorkSize,
        _ work: @escaping @Sendable () -> Value
    ) async -> Value? {
        await withCheckedContinuation { continuation in
            submit(size) {
                continuation.resume(returning: work())
            } refuse: {
                continuation.resume(returning: nil)
            }
        }
    }

    private func submit(
        _ size: WorkSize,
        run: @escaping @Sendable () -> Void,
        refuse: @escaping @Sendable () -> Void
    ) {
        let pool = service.work.background(size)
        pool.submit(QueuedWork(client: .local, time: pool.now, run: run, refuse: refuse))
    }

    /// Publishes the content of a source or of a derived feed, as work for which no client waits.
    ///
    /// - Parameters:
    ///   - feed: The feed, which need not exist.
    ///   - document: A feed document as `PUT /feeds/{feed}` takes it, which replaces the feed's
    ///     content before `make` is called; `nil`: `make` gets the current content.
    ///   - allowance: Whether the feed's ``RemovalGuard`` limits the number of removed items.
    ///   - mayReplace: Whether the content may replace the newest version, which may be another one
    ///     than the caller knew, if several servers share the journal; `nil`: there is no version.
    ///   - make: Returns the feed's next content; its argument is `nil` for a feed without content.
    /// - Throws: ``SourceRefusal/late`` if it may not, or another server publishes first.
    package func publishSource(
        to feed: FeedName,
        _ size: WorkSize,
        document: [UInt8]? = nil,
        allowance: RemovalGuard.Allowance,
        mayReplace: @escaping @Sendable (Token?) -> Bool = { _ in true },
        make: @escaping @Sendable (Snapshot?) -> Snapshot
    ) async throws(SourceRefusal) -> Publication {
        // The configuration may have changed since the server started.
        let api = service.newestAPI ?? self
        let outcome = await withCheckedContinuation { continuation in
            let isOver = Atomic(false)
            let end: @Sendable (PublishOutcome<Problem>) -> Void = { outcome in
                // After an unknown outcome the store calls again, with the final outcome.
                guard !isOver.exchange(true, ordering: .relaxed) else { return }
                continuation.resume(returning: outcome)
            }
            submit(size) {
                api.publish(document, to: feed, allowance, mayReplace, make, decided: end)
            } refuse: {
                end(.refused("the server is stopping"))
            }
        }
        switch outcome {
        case .done(let publication): return publication
        case .deleted: preconditionFailure("a source does not delete its feed")
        case .failed(let problem) where problem.kind == .precondition: throw .late
        case .failed(let problem):
            throw problem.removals.map { SourceRefusal.guarded($0) } ?? .failed(problem.detail)
        case .refused(let reason), .unknown(let reason): throw .failed(reason)
        case .late: throw .late
        }
    }

    private func publish(
        _ document: [UInt8]?,
        to feed: FeedName,
        _ allowance: RemovalGuard.Allowance,
        _ mayReplace: @Sendable (Token?) -> Bool,
        _ make: @Sendable (Snapshot?) -> Snapshot,
        decided: @escaping @Sendable (PublishOutcome<Problem>) -> Void
    ) {
        store.publish(
            feed,
            by: access.derived.has(feed) ? .derivation : .source,
            { current throws(Problem) in
                guard mayReplace(current?.token) else {
                    throw Problem(.precondition, .preconditionFailed, "\(SourceRefusal.late)")
                }
                var known = current?.snapshot
                if let document {
                    let limit = configuration.itemLimit
                    known = try FeedAPI.replacement(document, limit: limit, known: known)(current)
                }
                let snapshot = make(known)
                try check(itemCount: snapshot.count)
                return snapshot
            },
            check: { publication throws(Problem) in try self.check(publication, allowance) },
            refusal: refusal,
            decided: decided
        )
    }
}

/// The reason why the content of a source was not fetched or not published.
package enum SourceRefusal: Error, Equatable, CustomStringConvertible {
    /// The source is paused for so many more seconds, at its own request.
    case paused(seconds: Int)
    /// The feed's ``RemovalGuard`` refused to remove so many items.
    case guarded(RemovalGuard.Refusal)
    /// Another version was published meanwhile, as a rule by another server.
    case late
    /// Any other failure, described in words.
    case failed(String)

    package var description: String {
        switch self {
        case .paused: "the source has asked for a pause"
        case .guarded(let refusal): refusal.description
        case .late: "another server was quicker"
        case .failed(let words): words
        }
    }
}
