import HTTPServer
import TestSupport

/// A server of a test's own, with one event loop, so that all its connections share one.
func startedServer(
    _ handler: any RequestHandler = StreamCounter(),
    limits: ServerLimits = .patient,
    loops: Int = 1,
    tls: TLSContext? = nil
) throws -> HTTPServer {
    let server = try HTTPServer(
        host: "127.0.0.1",
        port: 0,
        loops: loops,
        handler: handler,
        limits: limits,
        tls: tls
    )
    server.start()
    return server
}

/// Runs `body` against a server of its own, and stops it.
func withServer(
    _ handler: any RequestHandler = StreamCounter(),
    limits: ServerLimits = .patient,
    _ body: (HTTPServer) async throws -> Void
) async throws {
    let server = try startedServer(handler, limits: limits)
    do {
        try await body(server)
    } catch {
        await server.stopped(within: .zero)
        throw error
    }
    await server.stopped(within: .zero)
}

extension RawClient {
    /// The status of the answer to a request.
    func status(of request: String) throws -> Int {
        try send(request)
        return try receive().status
    }
}
