import HTTPWire
import TestSupport
import Testing

@testable import HTTPServer

/// Another handler and other limits, given to a server that runs.
@Suite struct Reconfiguring {
    @Test func takesEffectOnAConnectionThatIsOpen() async throws {
        try await withServer { _ in
            .response(.text("old"))
        } _: { server in
            let client = try RawClient(port: server.port)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.receive().text == "old")
            server.reconfigured(ScriptedHandler { _ in .response(.text("new")) })
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.receive().text == "new")
        }
    }

    @Test func leavesWhatWasBegunToTheHandlerBefore() async throws {
        let script: ScriptedHandler.Script = { _ in
            .wholeBody(limit: 100) { _ in
                .text("refused")
            } then: { body, responder in
                responder(.text("old \(body.count)"))
            }
        }
        try await withServer(loops: 1, script) { server in
            let client = try RawClient(port: server.port)
            try client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n12")
            // Another connection of the same loop tells that the head was received.
            let other = try RawClient(port: server.port)
            try other.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n1")
            #expect(try other.receive().text == "old 1")
            server.reconfigured(ScriptedHandler { _ in .response(.text("new")) })
            try client.send("34")
            #expect(try client.receive().text == "old 4")
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.receive().text == "new")
        }
    }

    @Test func givesNewLimitsToConnectionsThatAreOpen() async throws {
        try await withServer(loops: 1) { _ in
            .response(.text("ok"))
        } _: { server in
            let handler = ScriptedHandler { _ in .response(.text("ok")) }
            let clients = try (0..<4).map { _ in try RawClient(port: server.port) }
            for client in clients {
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try client.receive()
            }
            // One is in the middle of a head, longer than what is allowed from now on.
            try clients[0].send("GET /\(String(repeating: "a", count: 60)) HTTP/1.1\r\nHost: a\r\n")
            // Another one of the same loop tells that this was received.
            try clients[1].send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try clients[1].receive()
            var limits = ServerLimits.patient
            limits.head.targetByteLimit = 8
            limits.head.headByteLimit = 40
            server.reconfigured(handler, limits)
            try clients[0].send("\r\n")
            #expect(try clients[0].receive().status == 200)
            for client in clients {
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.receive().status == 200)
            }
            for client in clients {
                try client.send("GET /longer-than-8 HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.receive().status == 414)
            }
        }
    }

    @Test func changesHowManyConnectionsThereMayBe() async throws {
        try await withServer { _ in
            .response(.text("ok"))
        } _: { server in
            let handler = ScriptedHandler { _ in .response(.text("ok")) }
            var limits = ServerLimits.patient
            limits.connectionLimit = 1
            let first = try RawClient(port: server.port)
            try first.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try first.receive().status == 200)
            server.reconfigured(handler, limits)
            #expect(try RawClient(port: server.port).receive().status == 503)
            try first.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try first.receive().status == 200)
        }
    }
}
