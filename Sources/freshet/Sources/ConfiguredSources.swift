import FeedAPI
import FeedModel
import FeedSources
import FeedStore
import HTTPClient
import Logging
import Synchronization

/// The feeds that have a source, as the routes and the operator see them.
final class ConfiguredSources: SourceDirectory {
    /// What publishes; there is none before the routes are made.
    fileprivate final class Publisher: Sendable {
        let api = Mutex<FeedAPI?>(nil)
    }

    private let service: SourceService
    private let publisher: Publisher

    /// - Parameters:
    ///   - sources: One for each feed at most.
    ///   - dataFolder: Where what is known of them is kept; `nil`: nowhere.
    init(
        _ sources: [SourceSettings],
        dataFolder: String?,
        _ store: FeedStore,
        _ logger: Logger
    ) throws(HTTPClientError) {
        let publisher = Publisher()
        self.publisher = publisher
        var settings = HTTPClient.Settings()
        settings.userAgent = "freshet/0.1 (feed server)"
        service = try SourceService(
            sources,
            path: dataFolder.map { $0 + "/sources.json" },
            client: settings,
            wall: { Int(store.clock.wall()) }
        ) { feed, outcome, isNews in
            ConfiguredSources.log(feed, outcome, isNews, logger)
        } current: { feed in
            store.current(feed)?.token.description
        } publish: { feed, content, completion in
            publisher.publish(content, to: feed, completion)
        }
    }

    /// Says what publishes what is fetched.
    func publish(with api: FeedAPI) { publisher.api.withLock { $0 = api } }

    func start() { service.start() }

    func stop() { service.stop() }

    func take(_ sources: [SourceSettings]) { service.take(sources) }

    /// What there is to say of all sources.
    var statuses: [(feed: FeedName, status: SourceStatus)] { service.statuses }

    func isSourced(_ feed: FeedName) -> Bool { service.isSourced(feed) }

    func refresh(_ feed: FeedName, completion: @escaping @Sendable (SourceRefresh) -> Void) {
        service.refresh(feed) { outcome in
            switch outcome {
            case .success(let publication?): completion(.published(publication))
            case .success(nil): completion(.unchanged)
            case .failure(.paused(_, let seconds)): completion(.paused(seconds: seconds))
            case .failure(let failure): completion(.failed(failure.description))
            }
        }
    }

    func report(on feed: FeedName) -> SourceReport? {
        service.status(of: feed).map { status in
            SourceReport(
                location: status.location,
                succeeded: status.succeeded,
                error: status.error,
                failureCount: status.failureCount,
                next: status.next
            )
        }
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
        _ completion: @escaping @Sendable (Result<Publication, SourceFailure>) -> Void
    ) {
        guard let api = api.withLock({ $0 }) else { return completion(.failure(.stopped)) }
        var document: [UInt8]?
        var make: @Sendable (Snapshot?) -> Snapshot = { $0 ?? Snapshot() }
        switch content {
        case .document(let bytes): document = bytes
        case .made(let transform): make = transform
        }
        api.publishSource(to: feed, document: document, make: make) { publication, failure in
            completion(publication.map { .success($0) } ?? .failure(.publishing(failure)))
        }
    }
}
