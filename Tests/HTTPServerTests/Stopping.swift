import HTTPTypes
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
            .answer(.text("x"))
        } _: { server in
            let client = try RawClient(port: server.port)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try client.receive()
            await server.stopped(within: .seconds(20))
            #expect(try client.isEnded())
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

    @Test func thePortIsFreeAgain() async throws {
        var port = 0
        try await withServer { _ in
            .answer(.text("x"))
        } _: { server in
            port = server.port
            await server.stopped(within: .seconds(20))
        }
        let again = try HTTPServer(
            host: "127.0.0.1",
            port: port,
            handler: ScriptedHandler { _ in .answer(.text("again")) }
        )
        again.start()
        let client = try RawClient(port: port)
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.receive().text == "again")
        await again.stopped(within: .zero)
    }

    @Test func aSecondStopWaitsForTheSameEnd() async throws {
        try await withServer { _ in
            .answer(.text("x"))
        } _: { server in
            let ends = (0..<2).map { _ in server.stopping(within: .seconds(20)) }
            for end in ends { #expect(end.wait()) }
            await server.stopped(within: .zero)
        }
    }

    @Test func noConnectionIsTakenAfterTheStop() async throws {
        try await withServer { _ in
            .answer(.text("x"))
        } _: { server in
            await server.stopped(within: .seconds(20))
            #expect(throws: RawClient.Failure.self) { _ = try RawClient(port: server.port) }
        }
    }

    @Test func aServerThatWasNeverStartedEndsToo() async throws {
        let server = try HTTPServer(
            host: "127.0.0.1",
            port: 0,
            handler: ScriptedHandler { _ in .answer(.text("x")) }
        )
        await server.stopped(within: .seconds(20))
        #expect(throws: RawClient.Failure.self) { _ = try RawClient(port: server.port) }
    }

    @Test func aPortThatIsTakenIsAnErrorThatNamesIt() async throws {
        try await withServer { _ in
            .answer(.text("x"))
        } _: { server in
            let error = #expect(throws: SystemError.self) {
                _ = try HTTPServer(
                    host: "127.0.0.1",
                    port: server.port,
                    handler: ScriptedHandler { _ in .answer(.text("x")) }
                )
            }
            #expect(error?.description.contains("127.0.0.1:\(server.port)") == true)
        }
    }
}
