import FeedAPI
import FeedStore
import HTTPServer
import TestSupport

/// What is put to the test over real sockets: the engine with a small handler of its own, and the
/// whole API.
///
/// Both answer `/healthz` with a text, take `PUT /feeds/conformance` with ``Subject/content``, and
/// know nothing of `/problems/nothing`.
enum Subject: String, CaseIterable, Sendable {
    case engine
    case api

    /// A body that both take.
    static let content = #"{"items":[]}"#

    static let key = "k3y-of-the-conformance-suite"

    private static let engineServer = serving(PlainHandler())
    private static let apiServer = serving(feedAPI())

    /// A server that all tests share, for as long as they run.
    private var server: Result<HTTPServer, SystemError> {
        switch self {
        case .engine: Subject.engineServer
        case .api: Subject.apiServer
        }
    }

    /// A connection of its own.
    func connect() throws -> RawClient {
        try RawClient(port: server.get().port)
    }

    private static func serving(_ handler: any RequestHandler) -> Result<HTTPServer, SystemError> {
        Result { () throws(SystemError) in
            let server = try HTTPServer(host: "127.0.0.1", port: 0, loops: 2, handler: handler)
            server.start()
            return server
        }
    }

    private static func feedAPI() -> FeedAPI {
        var configuration = APIConfiguration()
        configuration.keys = [AccessKey(key)]
        return FeedAPI(store: FeedStore(), configuration: configuration)
    }
}
