import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import HTTPServer

/// What the log says of a server that has too much to hold.
@Suite struct PressureLogging {
    /// Waits for one message.
    private final class Told: Sendable {
        let wanted: String
        let arrived = Event()

        init(_ wanted: String) { self.wanted = wanted }

        struct Handler: LogHandler {
            let told: Told
            var metadata: Logger.Metadata = [:]
            var logLevel = Logger.Level.notice

            subscript(metadataKey key: String) -> Logger.Metadata.Value? {
                get { metadata[key] }
                set { metadata[key] = newValue }
            }

            func log(event: LogEvent) {
                if "\(event.message)" == told.wanted { told.arrived.happened() }
            }
        }
    }

    private func expect(
        _ wanted: String,
        _ change: (inout ServerLimits) -> Void,
        _ body: (HTTPServer) throws -> Void
    ) async throws {
        var limits = ServerLimits.patient
        change(&limits)
        let told = Told(wanted)
        let server = try HTTPServer(
            host: "127.0.0.1",
            port: 0,
            loops: 1,
            handler: ScriptedHandler(script: { request in
                guard request.head.hasBody else { return .response(.text("x")) }
                return .wholeBody(
                    limit: 4 << 20,
                    refuse: { .text("refused: \($0)") },
                    then: { body, responder in responder(.text("\(body.count)")) }
                )
            }),
            limits: limits,
            logger: Logger(label: "test") { _ in Told.Handler(told: told) }
        )
        server.start()
        let result = Result { try body(server) }
        if case .success = result { #expect(told.arrived.wait()) }
        await server.stopped(within: .zero)
        try result.get()
    }

    @Test func idleConnectionsThatAreClosedForOthersAreToldOf() async throws {
        try await expect("idle connections closed for others") {
            $0.connectionLimit = 1
            $0.reserveLimit = 8
            $0.sparedTime = .zero
        } _: { server in
            let first = try RawClient(port: server.port)
            try first.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try first.receive().status == 200)
            let second = try RawClient(port: server.port)
            try second.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try second.receive().status == 200)
            #expect(first.waitForEnd())
        }
    }

    @Test func bodiesForWhichThereIsNoMemoryAreToldOf() async throws {
        let words = "requests refused or slow connections closed: "
        try await expect(words + "connections hold too much memory") {
            $0.heldByteLimit = 1 << 20
        } _: { server in
            let length = 3 << 20
            let head = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n"
            let client = try RawClient(port: server.port)
            try client.send(Array(head.utf8) + [UInt8](repeating: 7, count: 2 << 20))
            #expect(try client.receive().text == "refused: overloaded")
        }
    }
}
