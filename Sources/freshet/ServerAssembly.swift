import FeedAPI
import FeedJournal
import FeedMirror
import FeedSources
import FeedStore
import Foundation
import HTTPClient
import HTTPServer
import Logging
import Platform

/// The reason why the listener for the operator cannot be opened.
struct AdminListenerFailure: Error {
    let error: SystemError
}

/// A whole server: puts together its store, API, engine, sources and journal, and starts and stops
/// them.
struct ServerAssembly {
    /// The configuration, which can be replaced while the server runs.
    let configuration: LiveConfiguration

    private let server: HTTPServer
    private let demo: DemoFeeds?
    private let accessLog: AccessLog?
    private let memoryReturn: MemoryReturn
    /// The storage of the feeds, if they are kept.
    private let storage: FeedStorage?
    /// The mirror of another server, if this server follows one.
    private let mirror: Mirror?
    private let sources: ConfiguredSources
    private let metrics: ServerMetrics
    /// The listener for the operator, if there is one.
    private let admin: HTTPServer?

    /// The time that the process may take to end once the server has stopped.
    private static let margin = Duration.milliseconds(250)

    /// The longest time that a stop waits for the access log to be written.
    private static let logTime = Duration.seconds(2)

    /// The warnings about faults that do not keep the server from serving, such as an expired
    /// certificate.
    let warnings: [String]

    /// Opens the port; nothing is answered before ``start()``.
    init(
        _ settings: ServeSettings,
        _ logger: Logger = Logger(label: "freshet") { _ in SwiftLogNoOpLogHandler() },
        inheritedSocket: CInt? = nil
    ) throws {
        // Takes note of the start, before all feeds are read.
        let metrics = ServerMetrics()
        self.metrics = metrics
        MemorySize.returnLargeBlocks()
        storage = try settings.dataFolder.map { path in
            try FeedStorage(path, adopts: settings.adoptsData, logger)
        }
        let store = ServerAssembly.store(settings, storage)
        let recovered = try storage?.restore(store)
        mirror = try ServerAssembly.mirror(settings, store, logger)
        memoryReturn = MemoryReturn(store)
        demo = settings.servesDemo ? DemoFeeds(store) : nil
        let files = try settings.publicFolder.map { path in
            FileHandler(folder: try Folder(path: path), problem: FeedAPI.fileProblem)
        }
        let tls = try settings.tls.map { try TLSContext($0) }
        warnings = settings.warnings(tls)
        let sources = try ConfiguredSources(
            settings,
            journal: storage?.journal,
            recovered: recovered ?? RecoveredState(),
            store,
            logger
        )
        self.sources = sources
        let api = FeedAPI(
            store: store,
            configuration: ServerAssembly.configuration(settings, sources, metrics, logger: logger),
            fallback: files,
            upstream: mirror
        )
        sources.publish(with: api)
        if let recovered { api.remember(recovered.answers, at: store.clock.wall()) }
        accessLog = ServerAssembly.accessLog(settings, logger)
        server = try HTTPServer(
            host: settings.host,
            port: settings.port,
            inherited: inheritedSocket,
            loops: settings.loops,
            handler: api,
            limits: settings.limits,
            tls: tls,
            logger: logger,
            access: accessLog
        )
        admin = try ServerAssembly.adminListener(
            settings,
            api,
            metrics: metrics,
            files: files,
            logger: logger
        )
        self.configuration = LiveConfiguration(settings, api, of: server, store, with: sources)
        metrics.begin(
            ServerMetrics.Parts(
                server: server,
                api: api,
                journal: storage?.journal,
                mirror: mirror,
                sources: sources,
                dataFolder: settings.feedFolder
            )
        )
    }

    private static func store(_ settings: ServeSettings, _ storage: FeedStorage?) -> FeedStore {
        var history = HistoryLimits()
        history.totalWeight = settings.historyByteLimit
        let store = FeedStore(
            limits: history,
            journal: storage?.journal,
            volatileFeeds: settings.servesDemo ? DemoFeeds.names : [],
            hasDates: settings.mirrorOrigin == nil
        )
        store.memoryByteLimit = settings.feedsByteLimit
        store.retention = settings.contents.retention
        return store
    }

    private static func configuration(
        _ settings: ServeSettings,
        _ sources: ConfiguredSources,
        _ metrics: ServerMetrics,
        logger: Logger
    ) -> APIConfiguration {
        var configuration = settings.apiConfiguration
        configuration.reportRefusals = { words, count in
            logger.warning("\(words)", metadata: ["count": .stringConvertible(count)])
        }
        configuration.reportPublish = { PublishAudit.log($0, logger) }
        let refused = RefusedOrigins(logger)
        configuration.reportRefusedOrigin = { refused.note($0) }
        configuration.sources = sources.sources
        configuration.derivationFailure = { [derivations = sources.derivations] feed in
            derivations.failure(of: feed)
        }
        // With a listener for the operator, the public listener serves no metrics.
        if settings.admin == nil { configuration.metrics = metrics }
        return configuration
    }

    /// Opens the listener for the operator; `nil` if the settings have none.
    private static func adminListener(
        _ settings: ServeSettings,
        _ api: FeedAPI,
        metrics: ServerMetrics,
        files: FileHandler?,
        logger: Logger
    ) throws(AdminListenerFailure) -> HTTPServer? {
        guard let address = settings.admin else { return nil }
        // A browser on a private network may use any address of the listener as the host name.
        let names = HostNames(settings.allowedHosts + [address.host], takesAllAddresses: true)
        do {
            return try HTTPServer(
                host: address.host,
                port: address.port,
                loops: 1,
                handler: AdminHandler(api, metrics: metrics, hostNames: names, files: files),
                logger: logger
            )
        } catch {
            throw AdminListenerFailure(error: error)
        }
    }

    private static func accessLog(_ settings: ServeSettings, _ logger: Logger) -> AccessLog? {
        guard settings.writesAccessLog else { return nil }
        let format: AccessLog.Format = settings.logFormat == .json ? .json : .combined
        // A reader of the log that knew the address of a hub's pushes could end the subscription.
        return AccessLog(
            descriptor: STDOUT_FILENO,
            format: format,
            secretPaths: ["/websub/"],
            logger: logger
        )
    }

    /// The port that was opened.
    var port: Int { server.port }

    /// The check whether every event loop answers.
    var loopCheck: ServiceManager.Check {
        { [server] completion in
            server.report { loops in completion(loops.allSatisfy(\.isAlive)) }
        }
    }

    /// The port of the operator's listener.
    var adminPort: Int? { admin?.port }

    /// Begins to answer, with the demo's feeds in place.
    func start() {
        demo?.start()
        mirror?.removeOthers()
        server.start()
        admin?.start()
        storage?.start()
        sources.start()
        let configuration = configuration
        mirror?.start { configuration.upstreamBecameReady() }
    }

    /// Returns the mirror of the server that this one follows; nil if it follows none.
    private static func mirror(
        _ settings: ServeSettings,
        _ store: FeedStore,
        _ logger: Logger
    ) throws -> Mirror? {
        guard let origin = settings.mirrorOrigin, let key = settings.mirrorKey else { return nil }
        var own = Mirror.Settings(origin: origin, key: key)
        own.patterns = settings.mirrorFeeds
        own.report = { logger.warning("\($0)") }
        var client = HTTPClient.Settings()
        if let file = settings.mirrorAuthorities { try TrustOptions.checkAuthorities(file) }
        client.authorities = settings.mirrorAuthorities
        return Mirror(own, try HTTPClient(client), store)
    }

    /// Takes no more connections, and ends the open ones after `limit` at the latest, or else after
    /// the settings' time.
    func stop(within limit: Duration? = nil) async {
        let limit = limit ?? configuration.settings.stopTime
        demo?.stop()
        mirror?.stop()
        sources.stop()
        configuration.stop()
        await withCheckedContinuation { stopped in
            server.stop(within: max(.zero, limit - ServerAssembly.margin)) { stopped.resume() }
        }
        if let admin {
            await withCheckedContinuation { stopped in
                admin.stop(within: .zero) { stopped.resume() }
            }
        }
        metrics.end()
        storage?.close()
        guard let accessLog else { return }
        await withCheckedContinuation { written in
            accessLog.flush(within: ServerAssembly.logTime) { written.resume() }
        }
    }
}
