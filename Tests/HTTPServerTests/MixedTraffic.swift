import Dispatch
import HTTPTypes
import HTTPWire
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// Pipelines of all kinds of requests, of clients of which some reset their connection while others
/// are notified: everyone else gets its own responses in order, and in the end nothing is left.
@Suite(.serialized, .timeLimit(.minutes(2))) struct MixedTraffic {
    private static let kinds = [
        "/cached", "/middle", "/large", "/later", "/wait", "/wait", "/stream", "/made", "/body",
    ]

    /// Changes all the time, and says so.
    private final class Ticker: Sendable {
        let topic = Topic()
        private let value = Atomic(0)
        private let isOver = Atomic(false)

        var now: Int { value.load(ordering: .relaxed) }

        func tick() {
            value.add(1, ordering: .relaxed)
            topic.notify()
        }

        /// Ticks until ``end()``, each time when the loops have heard of the last.
        func start(_ server: HTTPServer) {
            later {
                while !self.isOver.load(ordering: .relaxed) {
                    self.tick()
                    let heard = DispatchSemaphore(value: 0)
                    server.report(within: .seconds(60)) { _ in heard.signal() }
                    heard.wait()
                }
            }
        }

        func end() { isOver.store(true, ordering: .relaxed) }
    }

    /// One part when there is something new, and then the end.
    private final class OnePart: ResponseStream {
        let topics: [Topic]
        private let path: String
        private let ticker: Ticker
        private let start: Int
        private let isSent = Atomic(false)

        init(_ path: String, _ ticker: Ticker) {
            (self.path, self.ticker, start) = (path, ticker, ticker.now)
            topics = [ticker.topic]
        }

        func next(_ waker: StreamWaker) -> StreamPart {
            guard ticker.now > start else { return .pending }
            if isSent.exchange(true, ordering: .relaxed) { return .end }
            return .bytes(Array((path + String(repeating: "-", count: 9000)).utf8))
        }

        func closed() {}
    }

    private static func response(to request: Request, _ ticker: Ticker) -> Reply {
        let path = request.path
        func cached(_ text: String) -> Reply {
            .cached(Payload(.text(text)))
        }
        let kind = path.dropFirst().prefix { $0 != "/" }
        switch kind {
        case "cached": return cached(path)
        case "middle": return cached(path + String(repeating: "-", count: 12_000))
        case "large": return cached(path + String(repeating: "-", count: 60_000))
        case "later": return .later { responder in later { responder(.text(path)) } }
        case "wait":
            let start = ticker.now
            return .wait(
                LongPoll(for: [ticker.topic], time: .seconds(60)) { isLast in
                    guard isLast || ticker.now > start else { return nil }
                    return .cached(Payload(.text(path)))
                }
            )
        case "stream":
            return .response(Response(status: .ok, body: .stream(OnePart(path, ticker))))
        case "body":
            return .wholeBody(limit: 100, refuse: { .text("\($0)") }) { _, responder in
                responder(.text(path))
            }
        default: return .response(.text(path))
        }
    }

    private static func request(_ path: String) -> String {
        path.hasPrefix("/body")
            ? "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n123456789"
            : "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n"
    }

    @Test(arguments: 0..<UInt64(9)) func nothingIsLeftOfThoseWhoHaveLeft(seed: UInt64) async throws
    {
        var random = SeededGenerator(seed: seed)
        let tls = seed % 3 == 2 ? try TLSContext(TestCertificate.ecdsa.files) : nil
        let ticker = Ticker()
        try await withHeldServer(tls: tls) { request in
            Self.response(to: request, ticker)
        } _: { server, whileHeld in
            func connect() throws -> RawClient {
                let isSlow = Int.random(in: 0..<3, using: &random) == 0
                return try RawClient(
                    port: server.port,
                    receiveByteCount: isSlow ? 4096 : nil,
                    tls: tls == nil ? nil : .init()
                )
            }
            ticker.start(server)
            defer { ticker.end() }
            var clients = try (0..<30).map { _ in try connect() }
            for round in 0..<6 {
                var asked: [[String]] = []
                try whileHeld {
                    for (number, client) in clients.enumerated() {
                        let paths = (0..<Int.random(in: 1...6, using: &random)).map { place in
                            let kind = Self.kinds.randomElement(using: &random) ?? ""
                            return "\(kind)/\(round)/\(number)/\(place)/"
                        }
                        try client.send(paths.map(Self.request).joined())
                        asked.append(paths)
                    }
                }
                var leavers: Set<Int> = []
                for _ in 0..<4 {
                    try whileHeld {
                        ticker.tick()
                        let leaver = Int.random(in: 0..<clients.count, using: &random)
                        guard leavers.insert(leaver).inserted else { return }
                        clients[leaver].reset()
                        clients[leaver] = try RawClient(port: server.port)
                    }
                }
                for (number, client) in clients.enumerated() where !leavers.contains(number) {
                    for path in asked[number] {
                        #expect(try client.receive().text.hasPrefix(path))
                    }
                }
                for leaver in leavers { clients[leaver] = try connect() }
            }
            clients = []
            while try #require(await server.reports().first).openConnectionCount > 1 {}
            let report = try #require(await server.reports().first)
            #expect(report.metrics.longPollCount == 0)
            #expect(report.metrics.streamCount == 0)
            #expect(report.heldByteCount == 0)
        }
    }
}
