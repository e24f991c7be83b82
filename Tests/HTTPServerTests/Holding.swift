import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// What connections hold in memory, all together.
@Suite struct Holding {
    private static let shared = BakedResponse(
        Response(status: .ok, body: .bytes([UInt8](repeating: 1, count: 6 << 20)))
    )

    private static let script: ScriptedHandler.Script = { request in
        switch request.path {
        case "/own":
            .later {
                $0(Response(status: .ok, body: .bytes([UInt8](repeating: 2, count: 6 << 20))))
            }
        case "/shared": .baked(shared)
        case "/": .answer(.text("x"))
        default:
            .body(
                limit: 4 << 20,
                refuse: { .text("refused: \($0)") },
                then: { body, responder in responder(.text("\(body.count)")) }
            )
        }
    }

    /// Runs a test with a server of one loop whose connections may hold a mebibyte.
    private func withServer(
        _ change: (inout ServerLimits) -> Void = { _ in },
        _ body: (HTTPServer) async throws -> Void
    ) async throws {
        var limits = ServerLimits.patient
        limits.heldByteLimit = 1 << 20
        change(&limits)
        try await HTTPServerTests.withServer(limits: limits, loops: 1, Holding.script, body)
    }

    private static func put(_ count: Int, of length: Int) -> [UInt8] {
        Array("PUT /body HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n".utf8)
            + [UInt8](repeating: 7, count: count)
    }

    @Test func aBodyThatIsMoreThanAllMayHoldIsRefused() async throws {
        try await withServer { server in
            let client = try RawClient(port: server.port)
            try client.send(Holding.put(3 << 20, of: 3 << 20))
            let answer = try client.receive()
            #expect(answer.text == "refused: overloaded")
            #expect(answer["connection"] == "close")
        }
    }

    @Test func bodiesAreTakenAgainOnceThereIsRoom() async throws {
        try await withServer { server in
            let other = try RawClient(port: server.port)
            let clients = try (0..<20).map { _ in
                let client = try RawClient(port: server.port)
                try client.send(Holding.put(150_000, of: 150_001))
                // The loop has read what came before.
                _ = try other.get("/")
                return client
            }
            var answers: [String] = []
            for client in clients {
                try? client.send([7])
                answers.append(try client.receive().text)
            }
            #expect(Set(answers) == ["150001", "refused: overloaded"])
            let late = try RawClient(port: server.port)
            try late.send(Holding.put(150_000, of: 150_000))
            #expect(try late.receive().text == "150000")
        }
    }

    /// A slow publisher must not keep all others out.
    @Test func theSlowestBodyMakesWay() async throws {
        try await withServer {
            $0.progressTime = .milliseconds(1)
            $0.progressByteCount = 0
        } _: { server in
            let slow = try RawClient(port: server.port)
            try slow.send(Holding.put(700_000, of: 700_001))
            let isTaken = (0..<100_000).lazy.map { _ in
                let client = try? RawClient(port: server.port)
                try? client?.send(Holding.put(500_000, of: 500_000))
                return (try? client?.receive().text) == "500000"
            }
            #expect(isTaken.contains(true))
            #expect(try slow.receive().text == "refused: overloaded")
        }
    }

    @Test func whatManyReadersShareCountsOnce() async throws {
        try await withServer {
            $0.heldByteLimit = 7 << 20
        } _: { server in
            let clients = try (0..<6).map { _ in
                let client = try RawClient(port: server.port, receiveByteCount: 4096)
                try client.send(RawClient.request("/shared"))
                return client
            }
            for client in clients { #expect(try client.receive().body.count == 6 << 20) }
        }
    }

    @Test func answersMadeForOneAreRefusedWhenTooMuchWaits() async throws {
        try await withServer {
            $0.heldByteLimit = 10 << 20
        } _: { server in
            let other = try RawClient(port: server.port)
            let clients = try (0..<6).map { _ in
                let client = try RawClient(port: server.port, receiveByteCount: 4096)
                try client.send(RawClient.request("/own"))
                _ = try other.get("/")
                return client
            }
            let statuses = clients.map { try? $0.receive().status }
            #expect(statuses.first == 200)
            #expect(Set(statuses) == [200, 503])
            let late = try RawClient(port: server.port)
            #expect(try late.get("/own") == 200)
        }
    }

    /// What is held is given back with the connection, whatever it was doing.
    @Test func nothingIsHeldForWhoIsGone() async throws {
        try await withServer { server in
            for _ in 0..<30 {
                for start in [Holding.put(200_000, of: 300_000), Array("GET /own HTTP".utf8)] {
                    let client = try RawClient(port: server.port)
                    try client.send(start)
                    client.reset()
                }
            }
            // The server finds out one after the other.
            let isTaken = (0..<100_000).lazy.map { _ in
                let late = try? RawClient(port: server.port)
                try? late?.send(Holding.put(500_000, of: 500_000))
                return (try? late?.receive().text) == "500000"
            }
            #expect(isTaken.contains(true))
        }
    }
}
