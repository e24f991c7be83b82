import Dispatch
import HTTPServer
import TestSupport
import Testing

/// What a peer may do that is no question of the protocol.
@Suite struct HostilePeers {
    /// A loop's connections use one parser in turn: what one leaves behind is not another's.
    @Test(arguments: ["\r", "\r\n", "\r\n\r", "G", "GET / HTTP/1.1\r\nHost", "PUT / HTTP/1.1\r\n"])
    func hostilePeersLeaveNothingToOthers(_ start: String) async throws {
        try await withServer { server in
            for _ in 0..<20 {
                let hostile = try RawClient(port: server.port)
                try hostile.send(start)
                let other = try RawClient(port: server.port)
                try other.send(Subject.get())
                #expect(try other.receive().status == 200)
                try hostile.send("\n")
                try other.send(Subject.get())
                #expect(try other.receive().status == 200)
            }
        }
    }

    /// A connection that stayed would count against the limit for good.
    @Test func whoResetTheirConnectionsLeaveNoneOpen() async throws {
        var limits = ServerLimits.patient
        limits.connectionLimit = 4
        try await withServer(limits: limits) { server in
            let starts = [
                "", "GET", Subject.get(), Subject.get("/slow"), "GET  /", Subject.get("/stream"),
                Subject.put("Content-Length: 12", "{"), Subject.chunked("c\r\n{"),
                String(repeating: Subject.get("/slow"), count: 100), Subject.get("/large"),
            ]
            for start in starts + starts {
                let client = try RawClient(port: server.port)
                try? client.send(start)
                client.reset()
            }
            // The server sees the ends one after the other: in the end there is room for four.
            let attempts = (0..<1000).lazy.map { _ in
                let clients = (0..<4).compactMap { _ in try? RawClient(port: server.port) }
                return clients.map { try? $0.status(of: Subject.get()) }
            }
            #expect(attempts.contains([200, 200, 200, 200]))
        }
    }

    /// What a pipeline still asks for when its client is found to be gone is nobody's.
    @Test func whoLeaveInTheMiddleOfAPipelineLeaveNoStreams() async throws {
        let counter = StreamCounter()
        try await withServer(counter) { server in
            do {
                let client = try RawClient(port: server.port)
                try client.send(Subject.get("/gate") + Subject.get("/stream"))
                counter.isAtGate.wait()
                client.reset()
            }
            counter.gate.signal()
        }
        #expect(counter.begun == counter.ended)
    }

    /// The server stops though every connection is in the middle of something.
    @Test func hostilePeersDoNotKeepTheServerFromStopping() async throws {
        let server = try startedServer()
        let starts = [
            "", "\r", "GET", "GET  /", Subject.get("/stream"), Subject.get("/never"),
            Subject.put("Content-Length: 12", "{"), Subject.chunked("c\r\n{"),
            Subject.get("/healthz", "Connection: close\r\n") + Subject.get(),
        ]
        let clients = Result {
            try starts.map { start in
                let client = try RawClient(port: server.port)
                try client.send(start)
                return client
            }
        }
        await server.stopped(within: .milliseconds(50))
        for (start, client) in zip(starts, try clients.get()) {
            do {
                // A system that keeps silent connections from the server tells them of its end when
                // they say something.
                try? client.send("\n")
                _ = try client.readToEnd()
            } catch RawClient.Failure.timedOut {
                Issue.record("\(start) has no end")
            } catch {}
        }
    }

    /// Requests are not taken while their answers are not: what waits in the server is bounded.
    @Test func whoNeverReadAreNotReadFrom() async throws {
        let counter = StreamCounter()
        try await withServer(counter) { server in
            let client = try RawClient(port: server.port, receiveByteCount: 4096)
            let requests = Array(String(repeating: Subject.get("/large"), count: 1000).utf8)
            try client.send(requests)
            let other = try RawClient(port: server.port)
            var last = -1
            while counter.larges != last {
                last = counter.larges
                for _ in 0..<50 {
                    try other.send(Subject.get())
                    _ = try other.receive()
                }
            }
            #expect(last < 1000)
        }
    }

    /// What a peer sends is any bytes: the server answers or ends, and lives on.
    @Test func whoSendChangedRequestsAreAnsweredOrLeft() async throws {
        var random = SeededGenerator(seed: 9)
        let good = [
            Subject.get("/slow"), Subject.get("/healthz?a=b%20", "Expect: 100-continue\r\n"),
            Subject.put("Content-Length: 12", Subject.content),
            Subject.chunked("5;a=\"b\"\r\n{\"ite\r\n7\r\nms\":[]}\r\n0\r\nX: y\r\n\r\n"),
            "OPTIONS * HTTP/1.1\r\nHost: h\r\nConnection: x, close\r\n\r\n",
        ]
        try await withServer { server in
            for _ in 0..<1500 {
                var bytes = Array((good.randomElement(using: &random) ?? "").utf8)
                bytes += Array((good.randomElement(using: &random) ?? "").utf8)
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let place = Int.random(in: bytes.indices, using: &random)
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                    case 1: bytes.remove(at: place)
                    default:
                        bytes.insert("\r\n :;,0".utf8.randomElement(using: &random) ?? 0, at: place)
                    }
                }
                let client = try RawClient(port: server.port)
                try client.send(bytes)
                client.endSending()
                _ = try? client.readToEnd()
            }
            let client = try RawClient(port: server.port)
            try client.send(Subject.get())
            #expect(try client.receive().status == 200)
        }
    }
}
