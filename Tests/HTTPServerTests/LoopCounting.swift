import Dispatch
import HTTPTypes
import HTTPWire
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// What event loops count, seen when they are asked.
@Suite struct LoopCounting {
    /// Answers in all ways, and says which.
    private final class Handler: RequestHandler {
        static let names = ["other", "cached", "plain", "later", "wait", "stream", "delta"]

        let topic = Topic()
        var routeNames: [String] { Self.names }

        func receive(_ request: Request, _ label: inout RequestLabel) -> Reply {
            let name = String(request.path.dropFirst())
            label.route = UInt8(Self.names.firstIndex(of: name) ?? 0)
            switch name {
            case "cached": return .cached(Payload(.text("x")))
            case "delta":
                return .cached(Payload(.text("abc"), savedByteCount: 97))
            case "plain": return .response(Response(status: .notModified))
            case "later": return .later { responder in later { responder(.text("later")) } }
            case "wait":
                let wait = LongPoll(for: [topic], time: .seconds(600)) { isLast in
                    isLast ? .response(.text("over")) : nil
                }
                return .wait(wait)
            case "stream":
                return .response(Response(status: .ok, body: .stream(StreamThatStays())))
            default: return .response(Response(status: .notFound))
            }
        }
    }

    private func withServer(_ body: (HTTPServer) async throws -> Void) async throws {
        let server = try HTTPServer(
            host: "127.0.0.1",
            port: 0,
            loops: 2,
            handler: Handler(),
            limits: .patient
        )
        server.start()
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(server))
        } catch {
            result = .failure(error)
        }
        await server.stopped(within: .zero)
        try result.get()
    }

    private func request(_ method: String, _ path: String) -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: a\r\n\r\n"
    }

    private func route(_ name: String) -> Int { Handler.names.firstIndex(of: name) ?? 0 }

    @Test func requestsAreCountedByRouteMethodAndStatus() async throws {
        try await withServer { server in
            let client = try RawClient(port: server.port)
            let targets = [
                ("GET", "cached"), ("GET", "cached"), ("HEAD", "cached"), ("GET", "later"),
                ("POST", "plain"), ("GET", "nowhere"), ("GET", "delta"), ("HEAD", "delta"),
            ]
            for (method, path) in targets {
                try client.send(request(method, "/" + path))
                _ = try client.receive(isHead: method == "HEAD")
            }
            let sum = try await server.sum()
            #expect(sum.row(route: route("cached"), .get).classes == [0, 2, 0, 0, 0])
            #expect(sum.row(route: route("cached"), .head).classes == [0, 1, 0, 0, 0])
            #expect(sum.row(route: route("later"), .get).classes == [0, 1, 0, 0, 0])
            #expect(sum.row(route: route("plain"), .post).classes == [0, 0, 1, 0, 0])
            #expect(sum.row(route: route("other"), .get).classes == [0, 0, 0, 1, 0])
            #expect(sum.notModifiedCount == 1)
            #expect(sum.deltaCount == 1)
            #expect(sum.savedByteCount == 97)
            #expect(sum.contentByteCount == 1 + 1 + 5 + 3)
            #expect(sum.connectionCount == 1)
            for (index, name) in Handler.names.enumerated() {
                for method in RequestHead.Method.allCases {
                    let row = sum.row(route: index, method)
                    let count = row.classes.reduce(0, +)
                    #expect(row.durations.buckets.reduce(0, +) == count, "\(name) \(method)")
                    #expect((row.durations.nanoseconds > 0) == (count > 0), "\(name) \(method)")
                }
            }
            #expect(sum.roundDurations.buckets.reduce(0, +) > 0)
        }
    }

    @Test func pipelinesAreCountedOneByOne() async throws {
        try await withServer { server in
            let client = try RawClient(port: server.port)
            let paths = ["cached", "cached", "delta", "cached", "later", "delta", "plain"]
            try client.send(paths.map { request("GET", "/" + $0) }.joined())
            for _ in paths { _ = try client.receive() }
            let sum = try await server.sum()
            for path in Set(paths) {
                let row = sum.row(route: route(path), .get)
                let count = paths.count { $0 == path }
                #expect(row.classes.reduce(0, +) == count)
                #expect(row.durations.buckets.reduce(0, +) == count)
            }
        }
    }

    @Test func whatCannotBeReadIsCountedAsOther() async throws {
        try await withServer { server in
            let client = try RawClient(port: server.port)
            try client.send("GET /cached HTTP/1.1\r\n\r\n")
            #expect(try client.receive().status == 400)
            let sum = try await server.sum()
            #expect(sum.row(route: 0, .other).classes == [0, 0, 0, 1, 0])
        }
    }

    @Test(arguments: ["wait", "stream"])
    func thoseWhoWaitAreCountedWhileTheyDo(_ kind: String) async throws {
        try await withServer { server in
            func open(_ sum: LoopMetrics) -> Int {
                kind == "wait" ? sum.longPollCount : sum.streamCount
            }
            let clients = try (0..<3).map { _ in try RawClient(port: server.port) }
            for client in clients { try client.send(request("GET", "/" + kind)) }
            try await server.sum { open($0) == 3 }
            clients[0].reset()
            try await server.sum { open($0) == 2 }
            for client in clients.dropFirst() { client.reset() }
            let sum = try await server.sum { open($0) == 0 }
            let row = sum.row(route: route(kind), .get)
            // One that was answered by nothing is counted as given up.
            #expect(row.classes == (kind == "wait" ? [0, 0, 0, 3, 0] : [0, 3, 0, 0, 0]))
            #expect(row.durations.buckets.allSatisfy { $0 == 0 })
        }
    }

    @Test func reportsSayWhatLoopsHave() async throws {
        try await withServer { server in
            let clients = try (0..<3).map { _ in try RawClient(port: server.port) }
            for client in clients {
                try client.send(request("GET", "/cached"))
                _ = try client.receive()
            }
            let reports = await server.reports()
            #expect(reports.count == 2)
            #expect(reports.allSatisfy { $0.isAlive })
            #expect(reports.reduce(0) { $0 + $1.openConnectionCount } == 3)
        }
    }

    @Test func aLoopThatIsStuckIsToldOfByWhatItSaidBefore() async throws {
        let (stuck, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let server = try HTTPServer(
            host: "127.0.0.1",
            port: 0,
            loops: 1,
            handler: ScriptedHandler { _ in
                stuck.signal()
                release.wait()
                return .response(.text("at last"))
            },
            limits: .patient
        )
        server.start()
        let before = await server.reports()
        let client = try RawClient(port: server.port)
        try client.send(request("GET", "/"))
        await withCheckedContinuation { continuation in
            later {
                stuck.wait()
                continuation.resume()
            }
        }
        let during = await server.reports(within: .milliseconds(10))
        #expect(during.map(\.isAlive) == [false])
        #expect(during[0].metrics == before[0].metrics)
        #expect(during[0].lag >= .milliseconds(10))
        release.signal()
        #expect(try client.receive().text == "at last")
        await server.stopped(within: .zero)
    }

    @Test(arguments: [
        (0, 0), (100_000, 0), (100_001, 1), (250_000, 1), (1_000_000, 3), (1_000_001, 4),
        (10_000_000_000, 15), (10_000_000_001, 16), (Int.max, 16),
    ])
    func durationsAreInTheBucketThatTheyFit(_ nanoseconds: Int, _ bucket: Int) {
        #expect(LoopMetrics.Histogram.bucket(of: nanoseconds) == bucket)
        #expect(LoopMetrics.Histogram().buckets.count == LoopMetrics.Histogram.bounds.count + 1)
    }
}

/// A stream that says nothing and has no end.
private final class StreamThatStays: ResponseStream {
    func next(_ waker: StreamWaker) -> StreamPart { .pending }
    func closed() {}
}
