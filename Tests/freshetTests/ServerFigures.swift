import FeedAPI
import FeedStore
import HTTPServer
import Logging
import TestSupport
import Testing

@testable import freshet

/// The figures of all parts of a server.
@Suite struct ServerFigures {
    private static func status(_ port: Int) -> Int? {
        try? {
            let client = try RawClient(port: port)
            try client.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            return try client.receive().status
        }()
    }

    /// With many connections it takes a while to count descriptors.
    @Test func areMadeWhileLoopsServe() async throws {
        let store = FeedStore()
        let api = FeedAPI(store: store)
        let server = try HTTPServer(host: "127.0.0.1", port: 0, loops: 1, handler: api)
        let settings = try ServeSettings(.init(), .inMemory) { _ in false }
        let metrics = ServerMetrics()
        metrics.begin(
            ServerMetrics.Parts(
                server: server,
                api: api,
                journal: nil,
                mirror: nil,
                sources: try ConfiguredSources(
                    settings,
                    journal: nil,
                    recovered: RecoveredState(),
                    store,
                    Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
                ),
                dataFolder: nil
            )
        )
        server.start()
        let port = server.port
        let statuses = await withCheckedContinuation { over in
            metrics.collect { _ in
                let first = Self.status(port)
                metrics.status { _ in
                    over.resume(returning: [first, Self.status(port)])
                }
            }
        }
        #expect(statuses == [200, 200])
        await withCheckedContinuation { stopped in
            server.stop(within: .zero) { stopped.resume() }
        }
    }
}
