import FeedAPI
import FeedJournal
import FeedMirror
import FeedStore
import Foundation
import HTTPClient
import HTTPServer
import Logging

/// A server at work: the feeds, the routes over them, and the engine that carries both.
struct ServerAssembly {
    /// What of it can change while it runs.
    let configuration: LiveConfiguration

    private let server: HTTPServer
    private let demo: DemoFeeds?
    private let accessLog: AccessLog?
    private let memoryReturn: MemoryReturn
    /// What keeps feeds, if anything does.
    private let kept: KeptFeeds?
    /// What is followed, if anything is.
    private let mirror: Mirror?
    private let sources: ConfiguredSources

    /// What ending the process may take after that.
    private static let margin = Duration.milliseconds(250)

    /// How long a stop waits for the access log to be written.
    private static let logTime = Duration.seconds(2)

    /// What is worth telling, though it serves: a certificate that has expired.
    let warnings: [String]

    /// Opens the port; nothing is answered before ``start()``.
    init(
        _ settings: ServeSettings,
        _ logger: Logger = Logger(label: "freshet") { _ in SwiftLogNoOpLogHandler() },
        accessLogDescriptor: CInt = STDOUT_FILENO
    ) throws {
        MemorySize.returnLargeBlocks()
        var history = HistoryLimits()
        if let limit = settings.historyByteLimit { history.totalWeight = limit }
        kept = try settings.dataFolder.map { path in
            try KeptFeeds(path, adopts: settings.adoptsData, logger)
        }
        let store = FeedStore(
            limits: history,
            journal: kept?.journal,
            volatileFeeds: settings.servesDemo ? DemoFeeds.names : [],
            hasDates: settings.mirror == nil
        )
        store.memoryByteLimit = settings.feedsByteLimit
        let recovered = try kept?.restore(store)
        mirror = try settings.mirror.map { try ServerAssembly.mirror($0, store, logger) }
        memoryReturn = MemoryReturn(store)
        demo = settings.servesDemo ? DemoFeeds(store) : nil
        let files = try settings.publicFolder.map { path in
            FileHandler(folder: try Folder(path: path), problem: FeedAPI.fileProblem)
        }
        let tls = try settings.tls.map { try TLSContext($0) }
        warnings = tls?.warnings ?? []
        var configuration = settings.api
        configuration.reportRefusals = { kind, count in
            logger.warning(
                "\(kind) refused: too many of them wait",
                metadata: ["count": "\(count)"]
            )
        }
        // A mirror has its origin's feeds; a database has no folder for what is known of sources.
        let folder = settings.dataFolder.flatMap { KeptFeeds.isDatabase($0) ? nil : $0 }
        let sources = try ConfiguredSources(
            settings,
            dataFolder: folder,
            store,
            logger
        )
        self.sources = sources
        configuration.sources = sources
        let api = FeedAPI(
            store: store,
            configuration: configuration,
            fallback: files,
            upstream: mirror
        )
        sources.publish(with: api)
        if let recovered { api.remember(recovered.answers, at: store.clock.wall()) }
        accessLog =
            settings.writesAccessLog
            ? AccessLog(
                descriptor: accessLogDescriptor,
                format: settings.logFormat == .json ? .json : .combined,
                logger: logger
            ) : nil
        server = try HTTPServer(
            host: settings.host,
            port: settings.port,
            loops: settings.loops,
            handler: api,
            limits: settings.limits,
            tls: tls,
            logs: ServerLogs(logger: logger, access: accessLog)
        )
        self.configuration = LiveConfiguration(settings, api, server, store, sources)
    }

    /// The port that was opened.
    var port: Int { server.port }

    /// Begins to answer, with the demo's feeds in place.
    func start() {
        // Whoever reads the access log may leave before the server does.
        signal(SIGPIPE, SIG_IGN)
        // Some tools send it to have logs opened again; there are none to open.
        signal(SIGUSR1, SIG_IGN)
        demo?.start()
        server.start()
        kept?.start()
        sources.start()
        let configuration = configuration
        mirror?.start { configuration.upstreamBecameReady() }
    }

    private static func mirror(
        _ settings: ServeSettings.Mirror,
        _ store: FeedStore,
        _ logger: Logger
    ) throws -> Mirror {
        var own = Mirror.Settings(origin: settings.origin, key: settings.key)
        own.patterns = settings.patterns
        own.report = { logger.warning("\($0)") }
        return Mirror(own, try HTTPClient(), store)
    }

    /// Takes no more connections and ends those there are, at the latest after the settings' time.
    func stop() async {
        await stop(within: configuration.settings.stopTime)
    }

    /// Takes no more connections and ends those there are, at the latest after `limit`.
    func stop(within limit: Duration) async {
        demo?.stop()
        mirror?.stop()
        sources.stop()
        configuration.stop()
        await withCheckedContinuation { stopped in
            server.stop(within: max(.zero, limit - ServerAssembly.margin)) { stopped.resume() }
        }
        kept?.close()
        guard let accessLog else { return }
        await withCheckedContinuation { written in
            accessLog.flush(within: ServerAssembly.logTime) { written.resume() }
        }
    }
}
