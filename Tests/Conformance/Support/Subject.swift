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

    private static let engineServers = Servers(PlainHandler())
    private static let apiServers = Servers(feedAPI())

    /// Servers that all tests share, for as long as they run.
    private var servers: Servers {
        switch self {
        case .engine: Subject.engineServers
        case .api: Subject.apiServers
        }
    }

    /// A connection of its own.
    func connect(isSecure: Bool = false) throws -> RawClient {
        try RawClient(
            port: (isSecure ? servers.secure : servers.plain).get().port,
            tls: isSecure ? .init() : nil
        )
    }

    /// One handler behind HTTP and behind HTTPS.
    private struct Servers: Sendable {
        let plain: Result<HTTPServer, any Error>
        let secure: Result<HTTPServer, any Error>

        init(_ handler: any RequestHandler) {
            plain = Result { try startedServer(handler, loops: 2) }
            secure = Result {
                let tls = try TLSContext(TestCertificate.ecdsa.files)
                return try startedServer(handler, loops: 2, tls: tls)
            }
        }
    }

    private static func feedAPI() -> FeedAPI {
        var configuration = APIConfiguration()
        configuration.keys = [AccessKey(key)]
        return FeedAPI(store: FeedStore(), configuration: configuration)
    }
}
