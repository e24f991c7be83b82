import FeedDiff
package import FeedModel
package import FeedStore
import HTTPServer
import HTTPTypes

/// Feeds whose content comes from a source (docs/SOURCES.md, "Sources").
extension FeedAPI {
    /// `POST /feeds/{feed}/refresh`: has the source fetched now.
    func refresh(_ routed: borrowing RoutedRequest) throws(Problem) -> Reply {
        let name = routed.head.text(routed.route.feed)
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
    func refreshForOperator(_ name: String) throws(Problem) -> Reply {
        guard let sources = configuration.sources, let feed = FeedName(name),
            sources.isSourced(feed)
        else { throw .notFound("there is no feed \"\(name)\" with a source") }
        return .later { responder in
            sources.refresh(feed, mayRemoveAny: false) { responder(self.response(to: $0, feed)) }
        }
    }

    func response(to refresh: SourceRefresh, _ feed: FeedName) -> Response {
        switch refresh {
        case .published(let publication): return published(publication)
        case .unchanged:
            let current = store.current(feed)
            let snapshot = current?.snapshot ?? Snapshot()
            return published(store.publication(of: snapshot, feed, after: current, dryRun: true))
        case .paused(let seconds):
            return Problem(
                .sourceFailed,
                .serviceUnavailable,
                "the source has asked for a pause",
                [.retryAfter: String(max(1, seconds))]
            ).response
        case .guarded(let trip): return Problem(trip).response
        case .failed(let words): return Problem(.sourceFailed, .badGateway, words).response
        }
    }

    private func published(_ publication: Publication) -> Response {
        PublishedDocument.response(
            publication,
            isDryRun: false,
            isNew: publication.previous == nil && publication.isChanged
        )
    }

    /// Publishes what a source holds; called from a thread that may compute.
    ///
    /// - Parameters:
    ///   - feed: The feed, which need not be there.
    ///   - make: Makes its next content of the current one; `nil` for a document of the protocol's
    ///     own form, which is then `document`.
    ///   - allowance: Which removals the feed's guard lets through.
    ///   - tries: How often it is published if another server is quicker: one that fetches for a
    ///     `refresh` may meet the one that fetches by the clock.
    ///   - completion: Gets the publication, or what was wrong.
    package func publishSource(
        to feed: FeedName,
        document: [UInt8]?,
        allowance: RemovalGuard.Allowance,
        tries: Int = 1,
        make: @escaping @Sendable (Snapshot?) -> Snapshot,
        completion: @escaping @Sendable (Result<Publication, SourceRefusal>) -> Void
    ) {
        let limit = configuration.itemLimit
        store.publish(
            feed,
            by: access.derived.has(feed) ? .derivation : .source,
            refusal: refusal,
            approve: { publication throws(Problem) in
                // The guard may have changed since the server started.
                try (self.service.newest.api ?? self).check(publication, allowance)
            },
            prepare: prepare
        ) { current throws(Problem) in
            let known = current?.snapshot
            let snapshot =
                if let document {
                    make(try FeedAPI.replacement(document, limit: limit, known: known)(current))
                } else {
                    make(known)
                }
            try FeedAPI.check(snapshot.count, limit: limit)
            return snapshot
        } completion: { outcome in
            switch outcome {
            case .done(let publication): completion(.success(publication))
            case .failed(let problem):
                let trip = problem.removals.map { SourceRefusal.guarded($0) }
                completion(.failure(trip ?? .failed(problem.detail)))
            case .refused(let reason), .unknown(let reason):
                completion(.failure(.failed(reason)))
            case .late:
                self.retry(feed, tries: tries - 1, completion) {
                    self.publishSource(
                        to: feed,
                        document: document,
                        allowance: allowance,
                        tries: tries - 1,
                        make: make,
                        completion: completion
                    )
                }
            }
        }
    }

    /// Tries once more what another server was quicker with, and not on the journal's own thread,
    /// which tells of it.
    private func retry(
        _ feed: FeedName,
        tries: Int,
        _ completion: @escaping @Sendable (Result<Publication, SourceRefusal>) -> Void,
        _ run: @escaping @Sendable () -> Void
    ) {
        let refuse = { @Sendable in completion(.failure(.failed("another server was quicker"))) }
        guard tries > 0 else { return refuse() }
        let pool = service.work.publishes(.small)
        let flow = WorkFlow(client: .local, feed: feed)
        pool.submit(QueuedWork(flow: flow, time: pool.now, run: run, refuse: refuse))
    }
}

/// Why the content of a source was not published.
package enum SourceRefusal: Error {
    /// The feed's guard refused to remove so many items.
    case guarded(RemovalGuard.Trip)
    /// In words.
    case failed(String)
}
