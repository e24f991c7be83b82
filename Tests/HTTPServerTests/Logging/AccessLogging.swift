import FeedModel
import HTTPTypes
import HTTPWire
import Logging
import Platform
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// docs/OPERATIONS.md, "The access log".
@Suite struct AccessLogging {
    /// Answers by the path.
    static let script: ScriptedHandler.Script = { request in
        switch request.path {
        case "/unchanged":
            .cached(
                Payload(Response(status: .notModified)),
                Response.OwnFields()
            )
        case "/cached": .cached(Payload(.text("cached")))
        case "/missing": .response(Response(status: .notFound, body: .bytes([1, 2, 3])))
        case "/later": .later { responder in later { responder(.text("later")) } }
        case "/held":
            .wait(
                LongPoll(for: [Topic()], time: .milliseconds(1)) { isLast in
                    isLast ? .response(.text("held")) : nil
                }
            )
        case "/silent": .later { responder in later { _ = responder } }
        case "/body":
            .wholeBody(limit: 4) { _ in
                Response(status: .contentTooLarge)
            } then: { body, responder in
                responder(.text("\(body.count)"))
            }
        default: .response(.text("hello"))
        }
    }

    /// Serves with an access log, stops, and returns the log's lines.
    private func lines(
        _ format: AccessLog.Format,
        limits: ServerLimits = .patient,
        _ script: @escaping ScriptedHandler.Script = Self.script,
        _ body: (HTTPServer) throws -> Void
    ) async throws -> [String] {
        let handler = ScriptedHandler(script: script)
        return try await lines(format, limits: limits, handler: handler, body)
    }

    private func lines(
        _ format: AccessLog.Format,
        limits: ServerLimits = .patient,
        handler: any RequestHandler,
        _ body: (HTTPServer) throws -> Void
    ) async throws -> [String] {
        let pipe = LogPipe()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let log = AccessLog(
            descriptor: pipe.input,
            format: format,
            secretPaths: ["/secret/"],
            logger: logger
        )
        let server = try HTTPServer(
            host: "127.0.0.1",
            port: 0,
            loops: 1,
            handler: handler,
            limits: limits,
            access: log
        )
        server.start()
        let result = Result { try body(server) }
        await server.stopped(within: .seconds(10))
        let flushed = Event()
        log.flush(within: .seconds(20)) { flushed.happened() }
        #expect(flushed.wait())
        pipe.endWriting()
        try result.get()
        return pipe.readLines()
    }

    private func request(_ line: String, _ fields: String = "") -> String {
        "\(line) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
    }

    /// Who reads the log must not come to know the rest of them.
    @Test(arguments: [
        ("POST /secret/0123456789abcdef?a=b", "/secret/"),
        ("GET http://a/secret/0123456789abcdef/x", "http://a/secret/"),
        ("GET /secret/", "/secret/"), ("POST /%73e%63ret%2f0123456789abcdef", "/%73e%63ret%2f"),
    ])
    func secretPathsAreCutOff(_ start: String, _ kept: String) async throws {
        for format in [AccessLog.Format.combined, .json] {
            let lines = try await lines(format) { server in
                let client = try RawClient(port: server.port)
                try client.send(request(start, "Content-Length: 0\r\n"))
                _ = try client.receive()
            }
            let line = try #require(lines.first)
            #expect(!line.contains("0123"), "\(line)")
            #expect(line.contains(kept), "\(line)")
            if format == .combined { #expect(line.contains(" HTTP/1.1\"")) }
        }
    }

    /// Its peer has reset when there is something to say.
    @Test func whatAPeerThatHasLeftIsNotSentIsNotComplete() async throws {
        let (topic, gate) = (Topic(), LoopGate())
        let isOver = Atomic(false)
        let lines = try await lines(.json) { request in
            guard request.path == "/wait" else { return gate.hold() }
            return .wait(
                LongPoll(for: [topic], time: .seconds(90)) { isLast in
                    isLast || isOver.load(ordering: .relaxed) ? .response(.text("over")) : nil
                }
            )
        } _: { server in
            var client: RawClient? = try RawClient(port: server.port)
            let holder = try RawClient(port: server.port)
            try client?.send(request("GET /wait"))
            try gate.whileHeld(by: holder) {}
            try gate.whileHeld(by: holder) {
                isOver.store(true, ordering: .relaxed)
                topic.notify()
                client?.reset()
                client = nil
            }
            try gate.whileHeld(by: holder) {}
        }
        let line = try #require(lines.first { $0.contains("/wait") })
        #expect(line.contains(#""bytes":0"#), "\(line)")
        #expect(line.contains(#""complete":false"#), "\(line)")
    }

    /// On every way to an answer, and for the handler too.
    @Test(arguments: ["/cached", "/later", "/peer", "/held"])
    func theClientIsTheOneThatATrustedProxyNames(_ path: String) async throws {
        var limits = ServerLimits.patient
        limits.proxies = TrustedProxies([try #require(TrustedProxies.Network("127.0.0.0/8"))])
        let clients = ["192.0.2.7", "127.0.0.1"]
        let lines = try await lines(.combined, limits: limits) { request in
            guard request.path == "/peer" else { return Self.script(request) }
            return .response(.text(String(decoding: request.peer?.text ?? [], as: UTF8.self)))
        } _: { server in
            let client = try RawClient(port: server.port)
            for (field, address) in zip(["X-Forwarded-For: 192.0.2.7\r\n", ""], clients) {
                try client.send(request("GET \(path)", field))
                let answer = try client.receive()
                if path == "/peer" { #expect(answer.text == address) }
            }
        }
        #expect(lines.map { String($0.prefix { $0 != " " }) } == clients)
    }

    /// A line of the Combined Log Format without its time, which has to be one.
    private func withoutTime(_ line: String) throws -> String {
        let match = try #require(
            line.firstMatch(of: /\[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000\]/)
        )
        return line.replacing(match.output, with: "[]")
    }

    @Test func theAccessLogHasALineForEveryAnswer() async throws {
        let requests = [
            ("GET /", false), ("HEAD /", true), ("GET /unchanged", false), ("GET /missing", false),
            ("GET /later", false), ("GET /cached?a=%22", false), ("HEAD /cached", true),
            ("GET /silent", false), ("GET /held", false),
        ]
        let lines = try await lines(.combined) { server in
            let client = try RawClient(port: server.port)
            for (line, isHead) in requests {
                try client.send(request(line))
                _ = try client.receive(isHead: isHead)
            }
            try client.send(request("PUT /body", "Content-Length: 3\r\n") + "abc")
            #expect(try client.receive().status == 200)
            try client.send(request("PUT /body", "Content-Length: 5\r\n") + "abcde")
            #expect(try client.receive().status == 413)
        }
        let expected = [
            #""GET / HTTP/1.1" 200 5"#, #""HEAD / HTTP/1.1" 200 0"#,
            #""GET /unchanged HTTP/1.1" 304 0"#, #""GET /missing HTTP/1.1" 404 3"#,
            #""GET /later HTTP/1.1" 200 5"#, #""GET /cached?a=%22 HTTP/1.1" 200 5"#,
            #""HEAD /cached HTTP/1.1" 200 0"#, #""GET /silent HTTP/1.1" 500 0"#,
            #""GET /held HTTP/1.1" 200 4"#,
            #""PUT /body HTTP/1.1" 200 1"#, #""PUT /body HTTP/1.1" 413 0"#,
        ]
        #expect(try lines.map(withoutTime) == expected.map { #"127.0.0.1 - - [] \#($0) "-" "-""# })
    }

    @Test func quotesRefererAndUserAgent() async throws {
        let fields =
            "User-Agent: a\"b\\c\u{80}\r\nReFerer: https://a/\r\nAuthorization: Bearer s\r\n"
        let lines = try await lines(.combined) { server in
            let client = try RawClient(port: server.port)
            try client.send(request("GET /", fields))
            _ = try client.receive()
        }
        let line = try withoutTime(try #require(lines.first))
        #expect(line.hasSuffix(#"200 5 "https://a/" "a\x22b\x5Cc\xC2\x80""#))
        #expect(!line.contains("Bearer"))
    }

    /// Answers in both ways, and says whose key it was.
    private final class KnowingHandler: RequestHandler {
        func receive(_ request: Request, _ label: inout RequestLabel) -> Reply {
            let path = request.path
            label.user = path == "/nobody" ? nil : "news \"desk\""
            return path == "/cached"
                ? .cached(Payload(.text("x")))
                : .response(.text("x"))
        }
    }

    @Test(arguments: [AccessLog.Format.combined, .json])
    func saysWhoseKeyItWasAndWhichTrace(_ format: AccessLog.Format) async throws {
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        let fields = "traceparent: 00-\(trace)-00f067aa0ba902b7-01\r\n"
        let lines = try await lines(format, handler: KnowingHandler()) { server in
            let client = try RawClient(port: server.port)
            for path in ["/cached", "/plain", "/nobody", "/cached"] {
                try client.send(request("GET \(path)", path == "/nobody" ? "" : fields))
                _ = try client.receive()
            }
        }
        switch format {
        case .combined:
            let users = try lines.map { String(try withoutTime($0).split(separator: "[")[0]) }
            let known = #"127.0.0.1 - news\x20\x22desk\x22 "#
            #expect(users == [known, known, "127.0.0.1 - - ", known])
        case .json:
            for (index, line) in lines.enumerated() {
                #expect(line.contains(#""key":"news \"desk\""#) == (index != 2))
                #expect(line.contains("\"trace_id\":\"\(trace)\"") == (index != 2))
            }
        }
    }

    @Test func theAccessLogHasWhatIsKnownOfARequestThatWasRefused() async throws {
        let lines = try await lines(.combined) { server in
            for text in [
                "GET / HTTP/1.1\r\nHost: a\r\nbad field\r\n\r\n", "GET /a \u{1}\r\n\r\n",
                "\u{16}\u{3}",
            ] {
                let client = try RawClient(port: server.port)
                try client.send(text)
                #expect(try client.receive().status == 400)
            }
        }
        let texts = try lines.map(withoutTime)
        #expect(texts.count == 3)
        #expect(texts.contains { $0.contains(#""GET / HTTP/1.1" 400"#) })
        #expect(texts.contains { $0.contains(#""GET /a \x01" 400"#) })
        #expect(texts.contains { $0.contains(#""-" 400"#) })
    }

    @Test func theAccessLogHasARequestThatDidNotArriveInTime() async throws {
        var limits = ServerLimits.patient
        limits.headTime = .milliseconds(1)
        let lines = try await lines(.combined, limits: limits) { server in
            let client = try RawClient(port: server.port)
            try client.send("GET /slow HTTP/1.1\r\nHos")
            #expect(try client.receive().status == 408)
        }
        #expect(try withoutTime(try #require(lines.first)).contains(#""GET /slow HTTP/1.1" 408"#))
    }

    /// Sends a request and resets the connection once it has arrived.
    private func leave(_ server: HTTPServer, after arrived: Event) throws {
        let client = try RawClient(port: server.port)
        try client.send(request("GET /wait"))
        #expect(arrived.wait())
        client.reset()
    }

    @Test func saysWhenAClientLeftBeforeItsAnswer() async throws {
        let arrived = Event()
        let left = Event()
        let lines = try await lines(.json) { request in
            guard request.path == "/wait" else { return .response(.text("ok")) }
            return .later { responder in
                arrived.happened()
                later {
                    #expect(left.wait())
                    responder(.text("too late"))
                }
            }
        } _: { server in
            try leave(server, after: arrived)
            // The loop has heard of it once it answers another.
            let other = try RawClient(port: server.port)
            try other.send(request("GET /"))
            _ = try other.receive()
            left.happened()
        }
        let entry = try #require(
            lines.compactMap { TestJSON(Array($0.utf8)) }
                .first { $0["target"]?.string == "/wait" }
        )
        #expect(entry["status"]?.int == 499)
        #expect(entry["bytes"]?.int == 0)
        #expect(entry["complete"] == .bool(false))
    }

    @Test func theAccessLogIsJSONWhereThatIsAskedFor() async throws {
        let lines = try await lines(.json) { server in
            let client = try RawClient(port: server.port)
            try client.send(request("GET /a?b", "User-Agent: x\"y\r\n"))
            _ = try client.receive()
            try client.send("GET /x y HTTP/1.1\r\n\r\n")
            _ = try client.receive()
        }
        let entries = try lines.map { try #require(TestJSON(Array($0.utf8))) }
        #expect(entries.count == 2)
        let first = try #require(entries.first)
        #expect(first["remote"]?.string == "127.0.0.1")
        #expect(first["method"]?.string == "GET")
        #expect(first["target"]?.string == "/a?b")
        #expect(first["version"]?.string == "HTTP/1.1")
        #expect(first["status"]?.int == 200)
        #expect(first["bytes"]?.int == 5)
        #expect(try #require(first["duration_us"]?.int) >= 0)
        #expect(first["complete"] == nil)
        #expect(try #require(first["time"]?.string).hasSuffix("Z"))
        #expect(first["user_agent"]?.string == "x\"y")
        #expect(entries[1]["line"]?.string == "GET /x y HTTP/1.1")
        #expect(entries[1]["status"]?.int == 400)
    }

    /// What fits a pipe that is read only in the end.
    @Test func theAccessLogHasALineForEachRequestOfAPipeline() async throws {
        let lines = try await lines(.combined) { server in
            let client = try RawClient(port: server.port)
            try client.send(String(repeating: request("GET /"), count: 500))
            for _ in 0..<500 { #expect(try client.receive().status == 200) }
        }
        #expect(lines.count == 500)
    }

    /// The log's reader reads nothing: requests are answered all the same, and the log says how
    /// many lines it lost once it can be written again.
    @Test func theAccessLogNeverHoldsUpAnAnswer() async throws {
        let pipe = LogPipe()
        let told = ToldCounts()
        let logger = Logger(label: "test") { _ in told.handler }
        let log = AccessLog(
            descriptor: pipe.input,
            format: .combined,
            byteLimit: 64 << 10,
            logger: logger
        )
        let server = try HTTPServer(
            host: "127.0.0.1",
            port: 0,
            loops: 1,
            handler: ScriptedHandler(script: Self.script),
            access: log
        )
        server.start()
        let count = 6000
        let result = Result {
            let client = try RawClient(port: server.port)
            for _ in 0..<count / 100 {
                try client.send(String(repeating: request("GET /"), count: 100))
                for _ in 0..<100 { #expect(try client.receive().status == 200) }
            }
        }
        let reading = Event()
        let lineCount = Mutex(0)
        later {
            let lines = pipe.readLines().count
            lineCount.withLock { $0 = lines }
            reading.happened()
        }
        if case .success = result { #expect(told.arrived.wait()) }
        await server.stopped(within: .seconds(10))
        let flushed = Event()
        log.flush(within: .seconds(20)) { flushed.happened() }
        #expect(flushed.wait())
        pipe.endWriting()
        #expect(reading.wait())
        try result.get()
        #expect(lineCount.withLock(\.self) + told.sum == count)
    }
}

/// Adds up the counts that a logger is told.
private final class ToldCounts: Sendable {
    let arrived = Event()
    private let total = Mutex(0)

    var sum: Int { total.withLock(\.self) }
    var handler: Handler { Handler(counts: self) }

    struct Handler: LogHandler {
        let counts: ToldCounts
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let count = event.metadata?["count"].flatMap { Int("\($0)") } ?? 0
            counts.total.withLock { $0 += count }
            counts.arrived.happened()
        }
    }
}
