import Glibc
import HTTPTypes
import HTTPWire
import Platform
import TestSupport
import Testing

@testable import HTTPServer

@Suite struct Stopping {
    @Test func aRequestThatWasBegunIsAnswered() async throws {
        let began = Event()
        let mayAnswer = Event()
        try await withServer { _ in
            .later { responder in
                began.happened()
                later { if mayAnswer.wait() { responder(.text("done")) } }
            }
        } _: { server in
            let client = try RawClient(port: server.port)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(began.wait())
            let ended = server.stopping(within: .seconds(20))
            mayAnswer.happened()
            let answer = try client.receive()
            #expect(answer.text == "done")
            client.endSending()
            #expect(ended.wait())
            #expect(try client.isEnded())
        }
    }

    @Test func idleConnectionsAreClosedAndNewOnesRefused() async throws {
        try await withServer { _ in
            .response(.text("x"))
        } _: { server in
            let client = try RawClient(port: server.port)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try client.receive()
            await server.stopped(within: .seconds(20))
            #expect(try client.isEnded())
        }
    }

    /// No request is lost that was begun, nor one that was on its way.
    @Test func clientsThatAreInTheMiddleOfSomethingLoseNothing() async throws {
        var limits = ServerLimits.patient
        limits.drainTime = .seconds(20)
        try await withServer(limits: limits) { request in
            guard request.head.method == .put else { return .response(.text(request.path)) }
            return .wholeBody(limit: 1 << 20, refuse: { .text("\($0)") }) { body, responder in
                later { responder(.text("\(body.count)")) }
            }
        } _: { server in
            let readers = try (0..<60).map { _ in try RawClient(port: server.port) }
            for reader in readers { #expect(try reader.get("/") == 200) }
            let publishers = try (0..<20).map { _ in try RawClient(port: server.port) }
            for publisher in publishers {
                try publisher.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 20000\r\n\r\nabc")
            }
            // Some hundred have not been taken yet when it stops.
            let late = try (0..<500).map { _ in
                let client = try RawClient(port: server.port)
                try client.send(RawClient.request("/a"))
                return client
            }
            for reader in readers[..<30] { try reader.send(RawClient.request("/a")) }
            let ended = server.stopping(within: .seconds(20))
            for reader in readers[30...] { try reader.send(RawClient.request("/a")) }
            for publisher in publishers { try publisher.send([UInt8](repeating: 1, count: 19_997)) }
            for client in readers + late { #expect(try client.receive().text == "/a") }
            for publisher in publishers {
                let answer = try publisher.receive()
                #expect(answer.text == "20000")
            }
            for client in readers + late + publishers { client.endSending() }
            #expect(ended.wait())
        }
    }

    /// Whoever is answered while it stops is told that this was the last answer.
    @Test func aRequestOnItsWayGetsTheLastAnswer() async throws {
        let (began, mayAnswer) = (Event(), Event())
        try await withServer { request in
            guard request.path == "/wait" else { return .response(.text("x")) }
            return .later { responder in
                began.happened()
                later { if mayAnswer.wait() { responder(.text("done")) } }
            }
        } _: { server in
            let (idle, busy) = (try RawClient(port: server.port), try RawClient(port: server.port))
            #expect(try idle.get("/") == 200)
            try busy.send(RawClient.request("/wait"))
            #expect(began.wait())
            let ended = server.stopping(within: .seconds(20))
            // The port is closed before anybody is told.
            while (try? RawClient(port: server.port)) != nil {}
            try idle.send(RawClient.request("/"))
            #expect(try idle.receive().text == "x")
            mayAnswer.happened()
            let answer = try busy.receive()
            #expect(answer["connection"] == "close")
            for client in [idle, busy] { client.endSending() }
            #expect(ended.wait())
        }
    }

    @Test func whatTakesTooLongIsCutOff() async throws {
        let began = Event()
        let over = Event()
        try await withServer { _ in
            .later { responder in
                began.happened()
                later { if over.wait() { responder(.text("too late")) } }
            }
        } _: { server in
            let client = try RawClient(port: server.port)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(began.wait())
            await server.stopped(within: .milliseconds(1))
            #expect(try client.isEnded())
            over.happened()
        }
    }

    /// Another loop has accepted it before it was told of the end.
    @Test func aConnectionThatIsPassedOnAfterTheEndIsClosed() async throws {
        var descriptors: [CInt] = [-1, -1]
        #expect(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &descriptors) == 0)
        let (passedOn, client) = (descriptors[0], descriptors[1])
        defer { close(client) }
        try await withHeldServer { _ in
            .response(.text("x"))
        } _: { server, whileHeld in
            let loop = server.loops[0]
            var ended: Event?
            try whileHeld {
                ended = server.stopping(within: .seconds(600))
                _ = server.context.connectionOpened(loop.settings)
                loop.mailbox.post(.abort)
                loop.mailbox.post(.adopt(passedOn, nil, isOverLimit: false))
            }
            #expect(ended?.wait() == true)
            var byte: UInt8 = 0
            #expect(read(client, &byte, 1) == 0)
        }
    }

    @Test func thePortIsFreeAgain() async throws {
        var port = 0
        try await withServer { _ in
            .response(.text("x"))
        } _: { server in
            port = server.port
            await server.stopped(within: .seconds(20))
        }
        let again = try HTTPServer(
            host: "127.0.0.1",
            port: port,
            handler: ScriptedHandler { _ in .response(.text("again")) }
        )
        again.start()
        let answer = Result {
            let client = try RawClient(port: port)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            return try client.receive().text
        }
        await again.stopped(within: .zero)
        #expect(try answer.get() == "again")
    }

    @Test func aSecondStopWaitsForTheSameEnd() async throws {
        try await withServer { _ in
            .response(.text("x"))
        } _: { server in
            let ends = (0..<2).map { _ in server.stopping(within: .seconds(20)) }
            for end in ends { #expect(end.wait()) }
            await server.stopped(within: .zero)
        }
    }

    @Test func noConnectionIsTakenAfterTheStop() async throws {
        try await withServer { _ in
            .response(.text("x"))
        } _: { server in
            await server.stopped(within: .seconds(20))
            #expect(throws: RawClient.Failure.self) { _ = try RawClient(port: server.port) }
        }
    }

    @Test func aServerThatWasNeverStartedEndsToo() async throws {
        let server = try HTTPServer(
            host: "127.0.0.1",
            port: 0,
            handler: ScriptedHandler { _ in .response(.text("x")) }
        )
        await server.stopped(within: .seconds(20))
        #expect(throws: RawClient.Failure.self) { _ = try RawClient(port: server.port) }
    }

    @Test func aPortThatIsTakenIsAnErrorThatNamesIt() async throws {
        try await withServer { _ in
            .response(.text("x"))
        } _: { server in
            let error = #expect(throws: SystemError.self) {
                _ = try HTTPServer(
                    host: "127.0.0.1",
                    port: server.port,
                    handler: ScriptedHandler { _ in .response(.text("x")) }
                )
            }
            #expect(error?.description.contains("127.0.0.1:\(server.port)") == true)
        }
    }
}
