import HTTPTypes
import HTTPWire
import TestSupport
import Testing

@testable import HTTPServer

/// More connections than there may be.
@Suite struct Crowds {
    /// Answers `/wait` when the gate opens, and everything else at once.
    private final class Handler: RequestHandler {
        let isWaiting = Event()
        let gate = Event()

        func receive(_ request: Request, _ label: inout RequestLabel) -> Reply {
            label.isEssential = request.path == "/health"
            guard request.path == "/wait" else { return .response(.text(request.path)) }
            return .later { [isWaiting, gate] responder in
                isWaiting.happened()
                later { if gate.wait() { responder(.text("waited")) } }
            }
        }
    }

    private func withServer(
        _ connectionLimit: Int,
        reserve: Int,
        _ change: (inout ServerLimits) -> Void = { _ in },
        _ body: (RawClient.Maker, Handler) throws -> Void
    ) async throws {
        var limits = ServerLimits.patient
        limits.connectionLimit = connectionLimit
        limits.reserveLimit = reserve
        limits.sparedTime = .seconds(1000)
        change(&limits)
        let handler = Handler()
        let server = try HTTPServer(
            host: "127.0.0.1",
            port: 0,
            loops: 1,
            handler: handler,
            limits: limits
        )
        server.start()
        let result = Result { try body({ try RawClient(port: server.port) }, handler) }
        await server.stopped(within: .zero)
        try result.get()
    }

    @Test func whoComesPastLimitAndReserveIsRefusedUnread() async throws {
        try await withServer(1, reserve: 0) { connect, _ in
            let first = try connect()
            #expect(try first.get("/") == 200)
            let second = try connect()
            let refusal = try second.receive()
            #expect(refusal.status == 503)
            #expect(refusal["retry-after"] != nil)
            #expect(try second.isEnded())
            #expect(try first.get("/") == 200)
        }
    }

    @Test func whoAsksForWhatIsEssentialIsAnsweredFromTheReserve() async throws {
        try await withServer(1, reserve: 8) { connect, _ in
            let first = try connect()
            #expect(try first.get("/") == 200)
            let watcher = try connect()
            try watcher.send(RawClient.request("/health"))
            let answer = try watcher.receive()
            #expect(answer.text == "/health")
            #expect(answer["connection"] == "close")
            #expect(try watcher.isEnded())
            let other = try connect()
            try other.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
            let refusal = try other.receive()
            #expect(refusal.status == 503)
            #expect(refusal["retry-after"] != nil)
            #expect(try other.isEnded())
            #expect(try first.get("/") == 200)
        }
    }

    /// The reserve of one loop is half of all, so that there is room on the way to it.
    @Test func aFloodDoesNotFillTheReserve() async throws {
        try await withServer(1, reserve: 8) { connect, _ in
            let first = try connect()
            #expect(try first.get("/") == 200)
            // Four may say what they want; each one more takes the place of the first of them.
            var silent: [RawClient] = []
            for _ in 0..<40 {
                silent.append(try connect())
                // Linux has the server wait for the first byte, at least for a moment.
                try silent[silent.count - 1].send("G")
                if silent.count > 4 { #expect(try silent.removeFirst().receive().status == 503) }
            }
            #expect(try connect().get("/health") == 200)
            #expect(try silent[0].receive().status == 503)
        }
    }

    @Test func whoSaysNothingInTheReserveIsRefusedSoon() async throws {
        try await withServer(1, reserve: 8) {
            $0.reserveTime = .milliseconds(1)
        } _: { connect, _ in
            let first = try connect()
            #expect(try first.get("/") == 200)
            for start in ["", "GET / HT"] {
                let silent = try connect()
                try silent.send(start)
                #expect(try silent.receive().status == 503)
                #expect(try silent.isEnded())
            }
        }
    }

    @Test func whoHasBeenIdleForLongestMakesWay() async throws {
        try await withServer(3, reserve: 8) {
            $0.sparedTime = .zero
        } _: { connect, handler in
            let busy = try connect()
            try busy.send(RawClient.request("/wait"))
            #expect(handler.isWaiting.wait())
            let begun = try connect()
            try begun.send("GET /begun HT")
            let idle = try connect()
            #expect(try idle.get("/") == 200)
            let late = try connect()
            #expect(try late.get("/late") == 200)
            #expect(try idle.isEnded())
            try begun.send("TP/1.1\r\nHost: a\r\n\r\n")
            #expect(try begun.receive().text == "/begun")
            handler.gate.happened()
            #expect(try busy.receive().text == "waited")
        }
    }

    @Test func nobodyMakesWayForOthersWhoWasJustServed() async throws {
        try await withServer(2, reserve: 8) { connect, _ in
            let clients = [try connect(), try connect()]
            for client in clients { #expect(try client.get("/") == 200) }
            for _ in 0..<20 { #expect(try connect().get("/") == 503) }
            for client in clients { #expect(try client.get("/") == 200) }
        }
    }
}

extension RawClient {
    typealias Maker = () throws -> RawClient

    static func request(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

    func get(_ path: String) throws -> Int {
        try send(RawClient.request(path))
        return try receive().status
    }
}
