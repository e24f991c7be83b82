import FeedAPI
import FeedModel
import FeedSources
import FeedStore
import HTTPClient
import Logging

/// The services for feeds that have a source, and for feeds that are derived from other feeds.
///
/// Both take the feeds of the configuration. Of several servers on one database, only one runs them
/// at a time.
struct ConfiguredSources: Sendable {
    let sources: SourceService
    let derivations: DerivationService
    /// The journal that several servers share.
    private let journal: (any SharedJournal)?
    private let logger: Logger

    /// Makes both services, which begin with ``start()``.
    ///
    /// - Parameters:
    ///   - settings: The settings; a mirror has its origin's feeds alone.
    ///   - journal: The journal for the states of sources; `nil` if they are kept in memory alone.
    init(
        _ settings: ServeSettings,
        journal: (any Journal)?,
        recovered: RecoveredState,
        _ store: FeedStore,
        _ logger: Logger
    ) throws(HTTPClientError) {
        self.logger = logger
        self.journal = journal as? any SharedJournal
        var client = HTTPClient.Settings()
        client.userAgent = "freshet/\(Freshet.version) (feed server)"
        let contents = ConfiguredSources.contents(settings)
        derivations = DerivationService(contents.derivations, store) { feed, failure in
            ConfiguredSources.log(feed, failure, logger)
        }
        sources = try SourceService(
            contents.sources,
            store,
            journal: journal,
            recovered: recovered,
            client: client,
            callbackBase: ConfiguredSources.callbackBase(settings),
            wall: { Int(store.clock.wall()) }
        ) { feed, outcome, isNews, notes in
            ConfiguredSources.log(feed, outcome, isNews: isNews, logger)
            guard !notes.isEmpty else { return }
            logger.notice(
                "a source's document is odd",
                metadata: ["feed": "\(feed)", "notes": "\(notes.joined(separator: "; "))"]
            )
        }
        for words in sources.damage { logger.warning("\(words)") }
    }

    /// Returns the address that hubs push to; `nil` for none.
    private static func callbackBase(_ settings: ServeSettings) -> String? {
        settings.mirrorOrigin == nil ? settings.api.publicURL.map { $0 + "/websub/" } : nil
    }

    /// Sets the API that publishes the content.
    func publish(with api: FeedAPI) {
        sources.publish(with: api)
        derivations.publish(with: api)
    }

    /// Starts both services; of several servers on one database, only one fetches and derives at a
    /// time.
    func start() {
        guard let journal else {
            sources.start()
            return derivations.start()
        }
        sources.start()
        journal.lead { [sources, derivations, logger] event in
            sources.take(event)
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
        sources.stop()
    }

    /// Takes over the present configuration.
    func take(_ settings: ServeSettings) {
        let contents = ConfiguredSources.contents(settings)
        sources.take(contents.sources)
        sources.setCallbackBase(ConfiguredSources.callbackBase(settings))
        derivations.take(contents.derivations)
    }

    private static func contents(_ settings: ServeSettings) -> ServeSettings.Contents {
        settings.mirrorOrigin == nil ? settings.contents : ServeSettings.Contents()
    }

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
        isNews: Bool,
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
