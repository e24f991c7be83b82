import FeedAPI
import FeedFormats
import FeedModel
import FeedSources
import FeedStore
import HTTPClient
import Logging
import Synchronization

/// The feeds that have a source or are derived from other feeds, as the routes and the operator see
/// them.
final class ConfiguredSources: SourceDirectory {
    /// The routes that publish fetched content; at first there are none.
    fileprivate final class Publisher: Sendable {
        let api = Mutex<FeedAPI?>(nil)
    }

    private let service: SourceService
    private let derivations: DerivationService
    private let publisher: Publisher
    /// The journal that several servers share.
    private let journal: (any SharedJournal)?
    private let logger: Logger

    /// - Parameters:
    ///   - settings: The settings; a mirror has its origin's feeds alone.
    ///   - journal: The journal for the states of sources; `nil` where they are kept in memory
    ///     alone.
    ///   - recovered: What the journal has kept.
    init(
        _ settings: ServeSettings,
        _ journal: (any Journal)?,
        _ recovered: RecoveredState,
        _ store: FeedStore,
        _ logger: Logger
    ) throws(HTTPClientError) {
        let publisher = Publisher()
        self.publisher = publisher
        self.logger = logger
        self.journal = journal as? any SharedJournal
        var client = HTTPClient.Settings()
        client.userAgent = "freshet/\(Freshet.version) (feed server)"
        let contents = ConfiguredSources.contents(settings)
        derivations = DerivationService(contents.derivations, store) { feed, failure in
            ConfiguredSources.log(feed, failure, logger)
        } publish: { feed, snapshot, completion in
            publisher.publish(snapshot, to: feed, completion)
        }
        service = try SourceService(
            contents.sources,
            journal: journal,
            recovered: recovered,
            client: client,
            callbackBase: ConfiguredSources.callbackBase(settings),
            wall: { Int(store.clock.wall()) }
        ) { feed, outcome, isNews, notes in
            ConfiguredSources.log(feed, outcome, isNews, logger)
            guard !notes.isEmpty else { return }
            logger.notice(
                "a source's document is odd",
                metadata: ["feed": "\(feed)", "notes": "\(notes.joined(separator: "; "))"]
            )
        } current: { feed in
            store.current(feed)?.token.description
        } publish: { feed, content, allowance, completion in
            publisher.publish(content, to: feed, allowance, completion)
        }
        for words in service.damage { logger.warning("\(words)") }
    }

    /// Returns the address that hubs push to; `nil` for none.
    private static func callbackBase(_ settings: ServeSettings) -> String? {
        settings.mirror == nil ? settings.routes.publicURL.map { $0 + "/websub/" } : nil
    }

    /// Takes the routes that publish fetched content.
    func publish(with api: FeedAPI) { publisher.api.withLock { $0 = api } }

    /// Begins to fetch; of several servers on one database, only one fetches at a time.
    func start() {
        guard let journal else {
            service.start()
            return derivations.start()
        }
        service.start()
        journal.lead { [service, derivations, logger] event in
            service.take(event)
            switch event {
            case .began:
                logger.info("this server fetches sources now")
                derivations.start()
            case .ended:
                logger.info("another server may now")
                derivations.stop()
            case .kept, .told: break
            }
        }
    }

    func stop() {
        derivations.stop()
        service.stop()
    }

    /// Takes over the present configuration.
    func take(_ settings: ServeSettings) {
        let contents = ConfiguredSources.contents(settings)
        service.take(contents.sources)
        service.setCallbackBase(ConfiguredSources.callbackBase(settings))
        derivations.take(contents.derivations)
    }

    private static func contents(_ settings: ServeSettings) -> ServeSettings.Contents {
        settings.mirror == nil ? settings.contents : ServeSettings.Contents()
    }

    /// The states of all sources.
    var statuses: [(feed: FeedName, status: SourceStatus)] { service.statuses }

    func isSourced(_ feed: FeedName) -> Bool { service.isSourced(feed) }

    func refresh(
        _ feed: FeedName,
        mayRemoveAny: Bool,
        completion: @escaping @Sendable (SourceRefresh) -> Void
    ) {
        service.refresh(feed, mayRemoveAny: mayRemoveAny) { outcome in
            switch outcome {
            case .success(let publication?): completion(.published(publication))
            case .success(nil): completion(.unchanged)
            case .failure(.paused(_, let seconds)): completion(.paused(seconds: seconds))
            case .failure(.guarded(let trip)): completion(.guarded(trip))
            case .failure(let failure): completion(.failed(failure.description))
            }
        }
    }

    func report(on feed: FeedName) -> SourceReport? {
        service.status(of: feed).map(ConfiguredSources.report)
    }

    func page(
        after name: [UInt8],
        prefix: [UInt8],
        limit: Int,
        onlyFailing: Bool
    ) -> [(feed: FeedName, report: SourceReport)] {
        let page = service.page(after: name, prefix: prefix, limit: limit, onlyFailing: onlyFailing)
        return page.map { ($0.feed, ConfiguredSources.report($0.status)) }
    }

    var counts: (all: Int, failing: Int) { service.counts }

    /// The numbers of sources that could not be read at their last try, by the reason.
    var failing: [SourceFailure.Reason: Int] { service.failing }

    private static func report(_ status: SourceStatus) -> SourceReport {
        SourceReport(
            location: status.location,
            succeeded: status.succeeded,
            error: status.error,
            reason: status.reason,
            failureCount: status.failureCount,
            notes: status.notes,
            next: status.next,
            push: status.push.map { push in
                SourceReport.Push(
                    hub: WebAddress.shown(push.hub),
                    until: push.leaseEnd,
                    last: push.pushed,
                    missedCount: push.missedCount,
                    error: push.error
                )
            }
        )
    }

    func derivationFailure(of feed: FeedName) -> String? { derivations.failure(of: feed) }

    /// The number of derived feeds that cannot be published.
    var derivationFailureCount: Int { derivations.failureCount }

    func isSubscriber(_ id: String) -> Bool { service.isSubscriber(id) }

    func verifyPush(_ id: String, _ question: SourceHubQuestion) -> Bool {
        var asked = PushQuestion(mode: question.mode, topic: question.topic)
        asked.leaseSeconds = question.leaseSeconds
        asked.reason = question.reason
        return service.verifyPush(id, asked)
    }

    func receivePush(_ id: String, _ body: [UInt8], signature: String?) {
        service.receivePush(id, body, signature: signature)
    }

    /// The number of pushes since the start, and the number of ignored ones.
    var pushCounts: (received: Int, ignored: Int) { service.pushCounts }

    private static func log(_ feed: FeedName, _ failure: String?, _ logger: Logger) {
        guard let failure else {
            return logger.notice("a derived feed works again", metadata: ["feed": "\(feed)"])
        }
        let metadata: Logger.Metadata = ["feed": "\(feed)", "reason": "\(failure)"]
        logger.warning("a derived feed cannot be published", metadata: metadata)
    }

    private static func log(
        _ feed: FeedName,
        _ outcome: SourceService.Outcome,
        _ isNews: Bool,
        _ logger: Logger
    ) {
        switch outcome {
        case .failure(let failure):
            let metadata: Logger.Metadata = ["feed": "\(feed)", "reason": "\(failure)"]
            logger.log(level: isNews ? .warning : .debug, "a source failed", metadata: metadata)
        case .success(let publication):
            if isNews { logger.notice("a source works again", metadata: ["feed": "\(feed)"]) }
            guard let publication, publication.isChanged else { return }
            logger.debug(
                "a source has changed",
                metadata: ["feed": "\(feed)", "token": "\(publication.current.token)"]
            )
        }
    }
}

extension ConfiguredSources.Publisher {
    fileprivate func publish(
        _ content: SourceContent,
        to feed: FeedName,
        _ allowance: RemovalGuard.Allowance,
        _ completion: @escaping @Sendable (Result<Publication, SourceFailure>) -> Void
    ) {
        guard let api = api.withLock({ $0 }) else { return completion(.failure(.stopped)) }
        var document: [UInt8]?
        var make: @Sendable (Snapshot?) -> Snapshot = { $0 ?? Snapshot() }
        switch content {
        case .document(let bytes, let transform):
            document = bytes
            make = { transform($0 ?? Snapshot()) }
        case .made(let transform): make = transform
        }
        api.publishSource(
            to: feed,
            document: document,
            allowance: allowance,
            tries: 5,
            make: make
        ) { result in
            completion(
                result.mapError { refusal in
                    switch refusal {
                    case .guarded(let trip): .guarded(trip)
                    case .failed(let words): .publishing(words)
                    }
                }
            )
        }
    }

    fileprivate func publish(
        _ snapshot: Snapshot,
        to feed: FeedName,
        _ completion: @escaping @Sendable (Publication?, _ failure: String) -> Void
    ) {
        guard let api = api.withLock({ $0 }) else { return completion(nil, "it is starting") }
        // A derived feed follows the feeds that it is made of, which have guards of their own.
        api.publishSource(to: feed, document: nil, allowance: .any, make: { _ in snapshot }) {
            switch $0 {
            case .success(let publication): completion(publication, "")
            case .failure(.guarded(let trip)): completion(nil, trip.description)
            case .failure(.failed(let words)): completion(nil, words)
            }
        }
    }
}
