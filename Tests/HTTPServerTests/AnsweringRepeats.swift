import HTTPTypes
import HTTPWire
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// Requests that come again byte by byte.
@Suite struct AnsweringRepeats {
    private static func request(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
    }

    /// Sends a request some times, on connections in turn, and returns what came.
    private func ask(_ clients: [RawClient], _ request: String, times: Int) throws -> [String] {
        let isHead = request.hasPrefix("HEAD")
        return try (0..<times).map { turn in
            let client = clients[turn % clients.count]
            try client.send(request)
            return try client.receive(isHead: isHead).text
        }
    }

    private func withClients(
        _ handler: CountingHandler,
        _ body: (HTTPServer, [RawClient]) throws -> Void
    ) async throws {
        let server = try HTTPServer(
            host: "127.0.0.1",
            port: 0,
            loops: 1,
            handler: handler,
            limits: .patient
        )
        server.start()
        let result = Result {
            try body(server, try (0..<3).map { _ in try RawClient(port: server.port) })
        }
        await server.stopped(within: .zero)
        try result.get()
    }

    @Test func areAnsweredWithoutTheHandlerFromTheThirdOn() async throws {
        let handler = CountingHandler()
        try await withClients(handler) { _, clients in
            #expect(
                try ask(clients, Self.request("/a"), times: 9) == Array(repeating: "0", count: 9)
            )
            #expect(handler.count == 2)
            // One byte more is another request.
            let other = Self.request("/a", "X: y\r\n")
            #expect(try ask(clients, other, times: 9) == Array(repeating: "0", count: 9))
            #expect(handler.count == 4)
            // Both are known at the same time.
            _ = try ask(clients, Self.request("/a"), times: 3)
            _ = try ask(clients, other, times: 3)
            #expect(handler.count == 4)
        }
    }

    @Test func areAnsweredAnewWhenTheAnswerNoLongerStands() async throws {
        let handler = CountingHandler()
        try await withClients(handler) { _, clients in
            for number in 0..<5 {
                let texts = try ask(clients, Self.request("/a"), times: 6)
                #expect(texts == Array(repeating: "\(number)", count: 6))
                handler.change()
            }
        }
    }

    @Test func areGivenToAnotherHandlerFromItsFirstMomentOn() async throws {
        let (old, new) = (CountingHandler(), CountingHandler())
        new.change()
        try await withClients(old) { server, clients in
            let texts = try ask(clients, Self.request("/a"), times: 6)
            #expect(texts.last == "0")
            server.reconfigured(new)
            #expect(
                try ask(clients, Self.request("/a"), times: 6) == Array(repeating: "1", count: 6)
            )
        }
    }

    @Test(arguments: [
        // Not said to stand.
        request("/loose"),
        // A long request, and a long answer.
        request("/a", "X: \(String(repeating: "y", count: 2048))\r\n"), request("/long"),
        // After an empty line.
        "\r\n" + request("/a"),
        // An older version of HTTP.
        "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
    ])
    func areGivenToTheHandlerEachTimeWhere(_ request: String) async throws {
        let handler = CountingHandler()
        try await withClients(handler) { _, clients in
            _ = try ask(clients, request, times: 9)
            #expect(handler.count == 9)
        }
    }

    /// Many feeds are read by many apps, each in its own words.
    @Test func areKnownByTheHundred() async throws {
        let handler = CountingHandler()
        try await withClients(handler) { _, clients in
            for _ in 0..<5 {
                for number in 0..<600 {
                    _ = try ask([clients[number % 3]], Self.request("/\(number)"), times: 1)
                }
            }
            // Of 3,000 each was to be asked about twice.
            #expect(1200..<1300 ~= handler.count)
        }
    }

    @Test func areForgottenBeforeTheyTakeTooMuch() throws {
        let handler = CountingHandler()
        var repeats = RepeatedRequests()
        var most = 0
        for number in 0..<2000 {
            let text = Self.request("/\(number)", "X: \(String(repeating: "y", count: 1900))\r\n")
            let bytes = Array(text.utf8)
            for _ in 0..<2 {
                var parser = RequestParser(limits: .init())
                let (_, isComplete) = try parser.consume(bytes.span)
                #expect(isComplete)
                let found = repeats.mark(bytes.span)
                let mark = try #require(found)
                let answer = try #require(handler.baked(parser.head))
                repeats.note(bytes.span, mark, answer, parser.head)
            }
            let mark = repeats.mark(bytes.span)
            let known = mark.flatMap { repeats.find(bytes.span, $0) }
            #expect(known?.response.status == 200)
            most = max(most, repeats.byteCount)
        }
        #expect(RepeatedRequests.byteLimit / 2...RepeatedRequests.byteLimit ~= most)
    }

    /// Those to HEAD have no content, those to GET the other's length.
    @Test func toHEADHaveNoContent() async throws {
        let handler = CountingHandler()
        try await withClients(handler) { _, clients in
            let head = Self.request("/a").replacing("GET", with: "HEAD")
            for _ in 0..<3 {
                let texts = try ask(clients, head, times: 4)
                #expect(texts == Array(repeating: "", count: 4))
                #expect(try ask(clients, Self.request("/a"), times: 4).last == "0")
            }
            #expect(handler.count == 4)
        }
    }

    /// However many there are, cut and joined as may be, each gets its own answer.
    @Test(arguments: 0..<UInt64(4))
    func getTheirOwnAnswers(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let handler = CountingHandler()
        try await withClients(handler) { _, clients in
            for _ in 0..<300 {
                let client = try #require(clients.randomElement(using: &random))
                let numbers = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    Int.random(in: 0..<600, using: &random)
                }
                let text = numbers.map { Self.request("/path-\($0 % 20)/\($0)") }.joined()
                let bytes = Array(text.utf8)
                let cut = Bool.random(using: &random) ? 0 : Int.random(in: 0..<bytes.count)
                if cut > 0 { try client.send(Array(bytes[..<cut])) }
                try client.send(Array(bytes[cut...]))
                for number in numbers {
                    let answer = try client.receive()
                    #expect(answer["path"] == "/path-\(number % 20)/\(number)")
                    #expect(answer.text == "\(handler.number)")
                }
                if Int.random(in: 0..<40, using: &random) == 0 { handler.change() }
            }
        }
    }
}

/// Answers with a number, which stands until it changes, and counts how often it is asked.
private final class CountingHandler: RequestHandler {
    private final class Round: Standing {
        let number: Int
        private let isOver = Atomic(false)

        init(_ number: Int) { self.number = number }

        var stands: Bool { !isOver.load(ordering: .acquiring) }

        func end() { isOver.store(true, ordering: .releasing) }
    }

    private let round = Mutex(Round(0))
    private let asked = Atomic(0)

    var count: Int { asked.load(ordering: .acquiring) }
    var number: Int { round.withLock(\.number) }

    func change() {
        round.withLock { round in
            round.end()
            round = Round(round.number + 1)
        }
    }

    func baked(_ head: RequestHead) -> ReadyAnswer? {
        asked.add(1, ordering: .acquiringAndReleasing)
        let path = head.string(head.target)
        let round = round.withLock { $0 }
        let text = path == "/long" ? String(repeating: "x", count: 9000) : "\(round.number)"
        var response = Response.text(text)
        if let name = HTTPField.Name("Path") { response.fields[name] = path }
        return ReadyAnswer(BakedResponse(response), standing: path == "/loose" ? nil : round)
    }

    func receive(_ request: Request) -> Reception {
        .baked(baked(request.head)?.response ?? BakedResponse(.text("")))
    }

    func refusal(_ error: RequestError) -> Response { Response(status: error.status) }

    func timedOut() -> Response { Response(status: .requestTimeout) }
}
