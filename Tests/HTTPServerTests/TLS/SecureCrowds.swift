import HTTPTypes
import HTTPWire
import TestSupport
import Testing

@testable import HTTPServer

/// Handshakes that are begun and not gone on with, in numbers.
@Suite struct SecureCrowds {
    private final class Handler: RequestHandler {
        func receive(_ request: Request, _ label: inout RequestLabel) -> Reply {
            label.isEssential = request.path == "/health"
            return .response(.text(request.path))
        }
    }

    /// How much of a client's first message is sent before it stalls: nothing, a part, all of it.
    private static let helloByteCounts = [0, 20, Int.max]

    private func withServer(
        _ connectionLimit: Int,
        reserve: Int,
        _ change: (inout ServerLimits) -> Void = { _ in },
        _ body: (HTTPServer) throws -> Void
    ) async throws {
        var limits = ServerLimits.patient
        limits.connectionLimit = connectionLimit
        limits.reserveLimit = reserve
        limits.reserveTime = .seconds(600)
        limits.sparedTime = .seconds(1000)
        change(&limits)
        let server = try HTTPServer(
            host: "127.0.0.1",
            port: 0,
            loops: 1,
            handler: Handler(),
            limits: limits,
            tls: try TLSContext(TestCertificate.ecdsa.files)
        )
        server.start()
        let result = Result { try body(server) }
        await server.stopped(within: .zero)
        try result.get()
    }

    private func stalled(_ server: HTTPServer, _ byteCount: Int) throws -> RawClient {
        var options = TLSPeer.Options()
        options.helloByteLimit = byteCount
        return try RawClient(port: server.port, tls: options)
    }

    /// Of those past the limit, the reserve of one loop holds four here, and the newest of them;
    /// one that says nothing comes in a second later.
    @Test(arguments: [1] + helloByteCounts.dropFirst())
    func healthIsToldThroughAFloodOfThem(_ byteCount: Int) async throws {
        try await withServer(2, reserve: 8) { server in
            let first = try RawClient(port: server.port, tls: .init())
            #expect(try first.get("/") == 200)
            var flood: [RawClient] = [try stalled(server, byteCount)]
            for round in 0..<12 {
                // Fewer at a time than there are places on the way to the reserve.
                for _ in 0..<2 { flood.append(try stalled(server, byteCount)) }
                let watcher = try RawClient(port: server.port, tls: .init())
                let answer = try watcher.fetch("/health")
                #expect(answer.text == "/health", "\(round)")
                #expect(answer["connection"] == "close")
                watcher.endSending()
                #expect(try watcher.isEnded())
            }
            // The first of the flood had to go, and whoever is served is served on.
            #expect(flood[1].waitForEnd())
            #expect(try first.get("/") == 200)
        }
    }

    @Test(arguments: helloByteCounts)
    func thoseThatStallForLongestMakeWay(_ byteCount: Int) async throws {
        try await withServer(3, reserve: 8) {
            $0.sparedTime = .zero
        } _: { server in
            let flood = try (0..<3).map { _ in try stalled(server, byteCount) }
            let late = try RawClient(port: server.port, tls: .init())
            #expect(try late.get("/") == 200)
            withExtendedLifetime(flood) {}
        }
    }

    @Test(arguments: helloByteCounts)
    func theirTimeEndsThem(_ byteCount: Int) async throws {
        try await withServer(2, reserve: 8) {
            $0.handshakeTime = .milliseconds(1)
            $0.reserveTime = .milliseconds(1)
        } _: { server in
            let flood = try (0..<6).map { _ in try stalled(server, byteCount) }
            for client in flood { #expect(client.waitForEnd()) }
        }
    }
}
