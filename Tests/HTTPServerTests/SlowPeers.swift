import Gzip
import HTTPTypes
import HTTPWire
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// Peers that take their time, over sockets, with limits that are soon over.
@Suite struct SlowPeers {
    private static let large = [UInt8](repeating: 1, count: 8 << 20)

    private func withServer(
        _ change: (inout ServerLimits) -> Void,
        _ body: (HTTPServer) async throws -> Void
    ) async throws {
        var limits = ServerLimits.patient
        change(&limits)
        try await HTTPServerTests.withServer(limits: limits, loops: 1) { request in
            switch request.path {
            case "/large": .response(Response(status: .ok, body: .bytes(SlowPeers.large)))
            case "/body":
                .wholeBody(
                    limit: 64 << 20,
                    refuse: { .text("\($0)") },
                    then: { $1(.text("\($0.count)")) }
                )
            default: .response(.text("x"))
            }
        } _: {
            try await body($0)
        }
    }

    @Test func whoConnectsAndSaysNothingIsLeft() async throws {
        try await withServer {
            $0.idleTime = .milliseconds(1)
        } _: { server in
            let client = try RawClient(port: server.port)
            #expect(try client.isEnded())
        }
    }

    @Test func whoSaysNothingAfterAnAnswerIsLeft() async throws {
        try await withServer {
            $0.idleTime = .milliseconds(1)
        } _: { server in
            let client = try RawClient(port: server.port)
            #expect(try client.get("/") == 200)
            #expect(try client.isEnded())
        }
    }

    @Test func whoDoesNotTakeTheAnswerIsLeft() async throws {
        try await withServer {
            $0.progressTime = .milliseconds(1)
        } _: { server in
            let client = try RawClient(port: server.port, receiveByteCount: 4096)
            try client.send(RawClient.request("/large"))
            #expect(client.waitForEnd())
            // What lay in between is still there, and then the connection is at its end.
            #expect(throws: RawClient.Failure.self) { _ = try client.receive() }
        }
    }

    @Test func whoSendsOnAfterTheLastAnswerIsLeft() async throws {
        try await withServer {
            $0.lingeringTime = .milliseconds(1)
        } _: { server in
            let client = try RawClient(port: server.port)
            try client.send("GET  /\r\n\r\n")
            #expect(try client.receive().status == 400)
            #expect(client.waitForEnd())
            #expect(throws: RawClient.Failure.self) {
                while true { try client.send("more") }
            }
        }
    }

    /// What is compressed a thousand times is decoded in turns with the others' requests.
    @Test func aBombLeavesOthersTheirTurn() async throws {
        let order = Mutex<[String]>([])
        let (isHeld, mayGoOn) = (Event(), Event())
        try await HTTPServerTests.withServer(loops: 1) { request in
            let path = request.path
            if path == "/hold" {
                // Holds the only loop, so that both requests wait in the kernel for its next turn.
                isHeld.happened()
                _ = mayGoOn.wait()
            }
            guard path == "/bomb" else {
                order.withLock { $0.append(path) }
                return .response(.text(path))
            }
            return .wholeBody(limit: 64 << 20, refuse: { .text("\($0)") }) { body, responder in
                order.withLock { $0.append(path) }
                responder(.text("\(body.count)"))
            }
        } _: { server in
            let clients = try (0..<3).map { _ in try RawClient(port: server.port) }
            for client in clients { #expect(try client.get("/") == 200) }
            try clients[0].send(RawClient.request("/hold"))
            #expect(isHeld.wait())
            let bomb = ContentCoding.gzip.compress([UInt8](repeating: 0, count: 32 << 20))
            let head = "PUT /bomb HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\n"
            try clients[1].send(
                Array("\(head)Connection: close\r\nContent-Length: \(bomb.count)\r\n\r\n".utf8)
                    + bomb
            )
            try clients[2].send(RawClient.request("/other"))
            mayGoOn.happened()
            #expect(try clients[2].receive().text == "/other")
            #expect(try clients[1].receive().text == "\(32 << 20)")
            #expect(order.withLock(\.self) == ["/", "/", "/", "/hold", "/other", "/bomb"])
        }
    }

    /// Pieces of one byte, chunks of one byte, and what chunks may carry besides.
    @Test func tinyPiecesAddUp() async throws {
        try await withServer { _ in
        } _: { server in
            let client = try RawClient(port: server.port)
            let head = "PUT /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            let chunks = String(repeating: "1\r\nx\r\n", count: 50_000)
            try client.send(head + chunks + "0\r\n\r\n")
            #expect(try client.receive().text == "50000")
            for byte in Array((head + "1;a=b\r\nx\r\n0\r\na: b\r\n\r\n").utf8) {
                try client.send([byte])
            }
            #expect(try client.receive().text == "1")
        }
    }

    @Test(arguments: [
        ("\r\n\r\n\r\n\r\n", ""), ("PUT /body HTTP/1.1\r\nHost: a\r\n", "x: y\r\n"),
        ("PUT /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1", ";a"),
        ("PUT /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "x: y\r\n"),
        ("GET /", "aaaaaaaa"),
    ])
    func whatHasNoEndIsRefused(_ start: String, _ more: String) async throws {
        try await withServer { _ in
        } _: { server in
            let client = try RawClient(port: server.port)
            let more = more.isEmpty ? start : more
            try client.send(start + String(repeating: more, count: 200_000 / more.utf8.count))
            let answer = try client.receive()
            #expect(400...431 ~= answer.status)
            #expect(answer["connection"] == "close")
            #expect(try client.isEnded())
        }
    }
}
