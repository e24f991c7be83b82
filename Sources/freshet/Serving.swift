import FeedAPI
import FeedStore
import HTTPServer

/// A server at work: the feeds, the routes over them, and the engine that carries both.
struct Serving {
    private let server: HTTPServer
    private let demo: DemoFeeds?

    /// What is worth telling, though it serves: a certificate that has expired.
    let warnings: [String]

    /// Opens the port; nothing is answered before ``start()``.
    init(_ settings: ServeSettings) throws {
        let store = FeedStore()
        demo = settings.servesDemo ? DemoFeeds(store) : nil
        var configuration = APIConfiguration()
        configuration.keys = settings.keys.map { AccessKey($0) }
        let files = try settings.publicFolder.map { path in
            FileHandler(folder: try Folder(path: path), problem: FeedAPI.fileProblem)
        }
        let tls = try settings.tls.map { try TLSContext($0) }
        warnings = tls?.warnings ?? []
        server = try HTTPServer(
            host: settings.host,
            port: settings.port,
            loops: settings.loops,
            handler: FeedAPI(store: store, configuration: configuration, fallback: files),
            tls: tls
        )
    }

    /// The port that was opened.
    var port: Int { server.port }

    /// Begins to answer, with the demo's feeds in place.
    func start() {
        demo?.start()
        server.start()
    }

    /// Takes no more connections and ends those there are, at the latest after `limit`.
    func stop(within limit: Duration) async {
        demo?.stop()
        await withCheckedContinuation { stopped in
            server.stop(within: limit) { stopped.resume() }
        }
    }
}
