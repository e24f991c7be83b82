import Dispatch
import HTTPTypes
import HTTPWire
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// What comes of events that a loop finds together once it was busy for a while.
@Suite(.timeLimit(.minutes(2))) struct HeldLoops {
    private static func cached(_ request: Request) -> Reply {
        .cached(Payload(.text(request.path)))
    }

    private static func request(_ path: String) -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n"
    }

    private final class SilentStream: ResponseStream {
        let topics: [Topic]
        init(_ topic: Topic) { topics = [topic] }
        func next(_ waker: StreamWaker) -> StreamPart { .pending }
        func closed() {}
    }

    /// Its long poll has something to say, and another or a stream stands behind that.
    @Test(arguments: ["/wait", "/stream"])
    func aPeerThatHasResetLeavesNothingBehind(next: String) async throws {
        let (first, second) = (Topic(), Topic())
        let isOver = Atomic(false)
        let script: ScriptedHandler.Script = { request in
            if request.path == "/stream" {
                return .response(Response(status: .ok, body: .stream(SilentStream(second))))
            }
            let isFirst = request.path == "/first"
            return .wait(
                LongPoll(for: [isFirst ? first : second], time: .seconds(90)) { isLast in
                    isLast || isFirst && isOver.load(ordering: .relaxed)
                        ? Self.cached(request) : nil
                }
            )
        }
        try await withHeldServer(script) { server, whileHeld in
            var client: RawClient? = try RawClient(port: server.port)
            try client?.send(Self.request("/first") + Self.request(next))
            try await server.sum { $0.longPollCount == 1 }
            try whileHeld {
                isOver.store(true, ordering: .relaxed)
                first.notify()
                client?.reset()
                client = nil
            }
            let report = try #require(await server.reports().first)
            // The one that held the loop.
            #expect(report.openConnectionCount == 1)
            #expect(report.metrics.longPollCount == 0)
            #expect(report.metrics.streamCount == 0)
            let readers = await withCheckedContinuation { continuation in
                server.readerCounts(of: [first, second], within: .seconds(60)) {
                    continuation.resume(returning: $0)
                }
            }
            #expect(readers == [0, 0])
        }
    }

    /// What is received at a time is less than a record then.
    @Test func aRecordOfRequestsIsAnsweredWhenMemoryIsShort() async throws {
        var limits = ServerLimits.patient
        limits.heldByteLimit = 1_600_000
        let script: ScriptedHandler.Script = { request in
            guard request.head.hasBody else { return Self.cached(request) }
            return .wholeBody(limit: 10 << 20, refuse: { .text("\($0)") }) { _, responder in
                responder(.text("body"))
            }
        }
        try await withSecureServer(limits: limits, loops: 1, script) { server in
            let holder = try RawClient(port: server.port, tls: .init())
            try holder.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
            try holder.send([UInt8](repeating: 120, count: 900_000))
            while try #require(await server.reports().first).heldByteCount < 810_000 {}
            let client = try RawClient(port: server.port, tls: .init())
            // So long that what is received at a time, and the rest, is some of them.
            let start = "GET /a HTTP/1.1\r\nHost: a\r\nCookie: "
            let filler = String(repeating: "-", count: 1024 - start.utf8.count - 4)
            for _ in 0..<3 {
                try client.send(String(repeating: start + filler + "\r\n\r\n", count: 8))
                for _ in 0..<8 { #expect(try client.receive().text == "/a") }
            }
        }
    }

    /// It was to make room for others, which looks for what has arrived, and its loop has been told
    /// of that as well.
    @Test func aPipelineIsTakenInOrderByWhateverItIsNoticed() async throws {
        let mayAnswer = Event()
        let script: ScriptedHandler.Script = { request in
            guard request.path == "/later" else { return Self.cached(request) }
            return .later { responder in
                later { if mayAnswer.wait() { responder(.text("/later")) } }
            }
        }
        // More than one call receives.
        let paths = (0..<8000).map { "/\($0)" }
        let pipeline = Self.request("/later") + paths.map(Self.request).joined()
        try await withHeldServer(script) { server, whileHeld in
            let client = try RawClient(port: server.port, sendByteCount: 1 << 20)
            try client.send(Self.request("/a"))
            #expect(try client.receive().text == "/a")
            let loop = server.loops[0]
            try whileHeld {
                let makeRoom = { @Sendable in
                    for case let connection? in loop.connections { connection.closeUnlessReady() }
                }
                loop.mailbox.post(.countReaders([]) { _ in makeRoom() })
                try client.send(pipeline)
            }
            mayAnswer.happened()
            for path in ["/later"] + paths { #expect(try client.receive().text == path) }
        }
    }

    /// Of many that ask at once the first have their responses before the last are served.
    @Test func aResponseDoesNotWaitForOthersThatTakeTheirTime() async throws {
        let (entered, opened) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let script: ScriptedHandler.Script = { request in
            if request.path == "/last" {
                entered.signal()
                opened.wait()
            } else {
                let end = ContinuousClock.now + .milliseconds(1)
                while ContinuousClock.now < end {}
            }
            return Self.cached(request)
        }
        try await withHeldServer(script) { server, whileHeld in
            let clients = try (0..<16).map { _ in try RawClient(port: server.port) }
            for client in clients {
                try client.send(Self.request("/a"))
                #expect(try client.receive().text == "/a")
            }
            try whileHeld {
                for client in clients.dropLast() { try client.send(Self.request("/slow")) }
                try clients[15].send(Self.request("/last"))
            }
            entered.wait()
            #expect(try clients[0].receive().text == "/slow")
            opened.signal()
            for client in clients[1..<15] { #expect(try client.receive().text == "/slow") }
            #expect(try clients[15].receive().text == "/last")
        }
    }

    /// The time of those who wait for their turn runs out meanwhile, but not by their fault.
    @Test func aRequestThatHasArrivedIsNotLostToTheIdleTime() async throws {
        var limits = ServerLimits.patient
        limits.idleTime = .seconds(5)
        let script: ScriptedHandler.Script = { request in
            if request.path == "/slow" {
                let end = ContinuousClock.now + .milliseconds(2)
                while ContinuousClock.now < end {}
            }
            return Self.cached(request)
        }
        try await withServer(limits: limits, loops: 1, script) { other in
            try await withHeldServer(limits: limits, script) { server, whileHeld in
                let clients = try (0..<60).map { _ in try RawClient(port: server.port) }
                for client in clients {
                    try client.send(Self.request("/a"))
                    #expect(try client.receive().text == "/a")
                }
                let watch = try RawClient(port: other.port)
                try watch.send(Self.request("/a"))
                #expect(try watch.receive().text == "/a")
                try whileHeld {
                    for client in clients { try client.send(Self.request("/slow")) }
                    // The same time has passed for one that came later.
                    #expect(watch.waitForEnd())
                }
                for client in clients { #expect(try client.receive().text == "/slow") }
            }
        }
    }

    /// The same of the last moment that a connection has when the server stops.
    @Test func aRequestThatHasArrivedIsNotLostToAStop() async throws {
        var (limits, longer) = (ServerLimits.patient, ServerLimits.patient)
        limits.drainTime = .seconds(3)
        longer.idleTime = .seconds(5)
        try await withServer(limits: longer, loops: 1, Self.cached) { other in
            try await withHeldServer(limits: limits, Self.cached) { server, whileHeld in
                // More than one look tells of.
                let clients = try (0..<Poller.batch + 200).map { _ in
                    try RawClient(port: server.port)
                }
                for client in clients {
                    try client.send(Self.request("/a"))
                    #expect(try client.receive().text == "/a")
                }
                try whileHeld {}
                let ended = server.stopping(within: .seconds(20))
                while !server.loops[0].hasOnlyLastRequests {}
                let watch = try RawClient(port: other.port)
                try watch.send(Self.request("/a"))
                #expect(try watch.receive().text == "/a")
                try whileHeld {
                    for client in clients { try client.send(Self.request("/b")) }
                    // More time than there is has passed.
                    #expect(watch.waitForEnd())
                }
                for client in clients { #expect(try client.receive().text == "/b") }
                for client in clients { client.endSending() }
                #expect(ended.wait())
            }
        }
    }
}

extension EventLoop {
    /// Whether all its connections have heard that the server stops.
    fileprivate var hasOnlyLastRequests: Bool {
        let isTrue = Atomic(false)
        let looked = Event()
        mailbox.post(
            .countReaders([]) { _ in
                let isLast = self.connections.allSatisfy { $0?.state.isLast ?? true }
                isTrue.store(isLast, ordering: .relaxed)
                looked.happened()
            }
        )
        return looked.wait() && isTrue.load(ordering: .relaxed)
    }
}
