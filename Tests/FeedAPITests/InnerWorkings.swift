import FeedDiff
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire
import Synchronization
import TestSupport
import Testing

@testable import FeedAPI

/// What cannot be seen from outside: that answers are made once and given up in time.
@Suite(.bothWays) struct InnerWorkings {
    private func api() -> FeedAPI {
        var configuration = APIConfiguration()
        configuration.keys = [AccessKey(API.key)]
        return FeedAPI(store: FeedStore(), configuration: configuration)
    }

    private func head(_ target: String, _ fields: String = "") throws -> RequestHead {
        try RequestHead(parsing: "GET \(target) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n")
    }

    private func publish(_ api: FeedAPI, _ number: Int) throws -> Token {
        let name = try #require(FeedName("news"))
        let document = try FeedDocument(
            parsing: Array(#"{"n":\#(number),"items":[{"id":"x"}]}"#.utf8)
        )
        return api.store.publish(name) { _ in document.snapshot }.current.token
    }

    @Test(arguments: ["/feeds/news", "/feeds/news?since=NOW", "/feeds/news?since=OLD"])
    func theHotPathAnswersFromTheSecondTimeOn(_ target: String) throws {
        let api = api()
        let old = try publish(api, 1)
        let now = try publish(api, 2)
        let target = target.replacing("NOW", with: "\(now)").replacing("OLD", with: "\(old)")
        for fields in ["", "Accept-Encoding: gzip, br\r\n", "Accept-Encoding: Deflate,br\r\n"] {
            let head = try head(target, fields)
            #expect(api.hotRead(head) == nil)
            let first = Mutex<[UInt8]?>(nil)
            let responder = Responder { response in
                if case .bytes(let body) = response.body { first.withLock { $0 = body } }
            }
            guard case .later(let take) = api.receive(Request(head: head)) else {
                Issue.record("not made when first asked for")
                return
            }
            take(responder)
            let hot = try #require(api.hotRead(head)).response
            #expect(hot.body == first.withLock(\.self))
            #expect(api.hotRead(head)?.response === hot)
        }
        for value in ["\"\(now)\"", "\"\(now)-gzip\"", "\"\(now)-deflate\""] {
            let hot = api.hotRead(try self.head(target, "If-None-Match: \(value)\r\n"))
            #expect(hot?.response.status == 304)
        }
        #expect(api.hotRead(try self.head(target, "If-None-Match: \"\(old)\"\r\n")) == nil)
    }

    @Test(arguments: [
        ("/feeds/news?since=NOW&limit=1", ""), ("/feeds/news?limit=1", ""), ("/feeds/news/", ""),
        ("/feeds/news/outline", ""), ("/feeds/NEWS", ""), ("/feeds/other", ""),
        ("/feeds/news?since=", ""), ("/feeds/news?since=x", ""), ("/feeds/news?", ""),
        ("/feeds/news", "Authorization: Bearer x\r\n"),
        ("/feeds/news", "If-None-Match: \"NOW\"\r\nIf-None-Match: \"NOW\"\r\n"),
        ("/feeds/news", "Accept-Encoding: gzip;q=1\r\n"),
        ("/feeds/news?since=NOW%20", ""), ("/feeds/news?since=NOW1x", ""),
    ])
    func whatIsUnusualGoesTheLongWay(_ target: String, _ fields: String) async throws {
        let api = api()
        let now = try publish(api, 1)
        let server = InMemoryServer(api)
        for target in ["/feeds/news", "/feeds/news?since=\(now)"] {
            _ = try await server.send("GET", target, headers: [], body: [])
        }
        let head = try head(
            target.replacing("NOW", with: "\(now)"),
            fields.replacing("NOW", with: "\(now)")
        )
        #expect(api.hotRead(head) == nil)
    }

    @Test func aVersionThatIsNoLongerCurrentKeepsNothing() async throws {
        let api = api()
        _ = try publish(api, 1)
        let server = InMemoryServer(api)
        let name = try #require(FeedName("news"))
        let old = try #require(api.store.current(name))
        _ = try await server.send("GET", "/feeds/news", headers: [], body: [])
        let answers = api.bakery.answers(for: old)
        #expect(answers.byteCount > 0)
        _ = try publish(api, 2)
        _ = try await server.send("GET", "/feeds/news", headers: [], body: [])
        #expect(answers.byteCount == 0)
        #expect(answers.made(AnswerKey(kind: .snapshot)) == nil)
    }

    @Test(arguments: [
        (100, "", true), (100, "Accept-Encoding: gzip\r\n", true), (8000, "", true),
        (8000, "Accept-Encoding: gzip\r\n", false), (70_000, "", false),
    ])
    func whatTakesLongIsNotDoneAtOnce(_ size: Int, _ fields: String, _ isAtOnce: Bool) throws {
        let api = api()
        let name = try #require(FeedName("news"))
        let text = String(repeating: "x", count: size)
        let document = try FeedDocument(
            parsing: Array(#"{"items":[{"id":"x","t":"\#(text)"}]}"#.utf8)
        )
        let version = api.store.publish(name) { _ in document.snapshot }.current
        for path in ["items", "items/x"] {
            let request = Request(head: try head("/feeds/news/\(path)", fields))
            let isAnswer = if case .answer = api.receive(request) { true } else { false }
            #expect(isAnswer == isAtOnce)
        }
        let answers = api.bakery.answers(for: version)
        #expect(answers.isSmall(isCoded: !fields.isEmpty) == isAtOnce)
    }

    @Test func answersAreBoundInNumber() async throws {
        let api = api()
        _ = try publish(api, 1)
        let server = InMemoryServer(api)
        _ = try await server.send("GET", "/feeds/news", headers: [], body: [])
        for limit in 0..<200 {
            _ = try await server.send("GET", "/feeds/news?limit=\(limit)", headers: [], body: [])
        }
        let name = try #require(FeedName("news"))
        let answers = api.bakery.answers(for: try #require(api.store.current(name)))
        let kept = (0..<200).count {
            answers.made(AnswerKey(kind: .snapshot, view: FeedView(limit: $0))) != nil
        }
        #expect(kept == 64)
        #expect(
            answers.made(AnswerKey(kind: .snapshot)) != nil,
            "views push out no answer about the whole feed"
        )
    }

    @Test func allAnswersTogetherAreBoundInBytes() throws {
        let api = api()
        let bakery = Bakery(api.composer, store: api.store, byteLimit: 10_000)
        var all: [BakedAnswers] = []
        for number in 0..<20 {
            let name = try #require(FeedName("feed\(number)"))
            let document = try FeedDocument(parsing: Array(#"{"items":[]}"#.utf8))
            let version = api.store.publish(name) { _ in document.snapshot }.current
            all.append(bakery.answers(for: version))
        }
        for round in 0..<5 {
            for answers in all {
                answers.answer(AnswerKey(kind: .changes(since: round)), on: nil) {
                    let body = [UInt8](repeating: 32, count: 400)
                    return Made(
                        response: BakedResponse(Response(status: .ok, body: .bytes(body))),
                        coding: .identity
                    )
                } finish: {
                    #expect($0.response.body.count == 400)
                }
                #expect(answers.byteCount >= 400)
                #expect(bakery.byteCount == all.map(\.byteCount).reduce(0, +))
                #expect(bakery.byteCount <= 10_000)
            }
        }
        #expect(bakery.byteCount > 5_000)
        for answers in all { answers.retire() }
        #expect(bakery.byteCount == 0)
    }

    @Test(arguments: [(1, true), (4096, true), (4097, false)])
    func manyChangesAreNotKept(_ count: Int, _ isKept: Bool) throws {
        let api = api()
        let token = try publish(api, 1)
        let name = try #require(FeedName("news"))
        let answers = api.bakery.answers(for: try #require(api.store.current(name)))
        var changes = Changes()
        changes.removedItems = (0..<count).map { ExactString("\($0)") }
        answers.setDelta(since: token.version, changes)
        #expect((answers.delta(since: token.version) != nil) == isKept)
    }

    @Test func theOldestIdempotentAnswersAreForgotten() {
        let memory = IdempotencyMemory { .zero }
        @Sendable func key(_ number: Int) -> IdempotencyMemory.Key {
            IdempotencyMemory.Key(
                owner: [],
                method: "POST",
                target: [],
                value: Array("\(number)".utf8)
            )
        }
        let runs = Atomic(0)
        func ask(_ number: Int) {
            memory.begin(key(number), fingerprint: []) { decision in
                if case .run = decision {
                    runs.add(1, ordering: .relaxed)
                    memory.finished(key(number), Response(status: .ok))
                }
            }
        }
        for number in 0..<10_001 { ask(number) }
        #expect(runs.load(ordering: .relaxed) == 10_001)
        ask(10_000)
        ask(1)
        #expect(runs.load(ordering: .relaxed) == 10_001)
        ask(0)
        #expect(runs.load(ordering: .relaxed) == 10_002)
    }

    @Test func idempotencyKeysAreComparedByTheirBytes() throws {
        let api = api()
        func key(_ field: [UInt8], _ target: String = "/feeds/news") throws -> [UInt8] {
            var parser = RequestParser()
            let start =
                "PATCH \(target) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(API.key)\r\n"
                + "Content-Type: application/json\r\nIdempotency-Key: "
            let bytes = Array(start.utf8) + field + Array("\r\n\r\n".utf8)
            _ = try parser.consume(bytes.span)
            let call = try Call(Request(head: parser.head), api.access, cors: api.composer.cors)
            let request = try PublishRequest(
                call,
                api.access,
                feed: "news",
                accepting: BodyType.documents
            )
            return try #require(request.idempotency).digest
        }
        #expect(try key([0x61, 0xFF]) == key([0x61, 0xFF]))
        #expect(try key([0x61, 0xFF]) != key([0x61, 0xFE]))
        #expect(try key([0x61, 0xFF]) != key(Array("a\u{FFFD}".utf8)))
        #expect(try key([0x61]) != key([0x61], "/feeds/news?"))
        let long = "/feeds/news?" + String(repeating: "x", count: 4000)
        #expect(try key([0x61], long).count == 32)
        #expect(throws: Problem.self) { try key([UInt8](repeating: 0xFF, count: 256)) }
        #expect(try key([UInt8](repeating: 0xFF, count: 255)).count == 32)
    }

    @Test func whoWaitsForAFailureRunsNext() {
        let memory = IdempotencyMemory { .zero }
        let key = IdempotencyMemory.Key(owner: [], method: "POST", target: [], value: [1])
        let log = Mutex<[String]>([])
        func ask(_ name: String, _ fingerprint: UInt8) {
            memory.begin(key, fingerprint: [fingerprint]) { decision in
                switch decision {
                case .run: log.withLock { $0.append("\(name) runs") }
                case .replay: log.withLock { $0.append("\(name) replays") }
                case .conflict: log.withLock { $0.append("\(name) conflicts") }
                }
            }
        }
        ask("first", 1)
        ask("second", 2)
        ask("third", 2)
        ask("fourth", 1)
        #expect(log.withLock(\.self) == ["first runs"])
        memory.finished(key, nil)
        #expect(log.withLock(\.self) == ["first runs", "second runs"])
        memory.finished(key, Response(status: .ok))
        #expect(
            log.withLock(\.self)
                == ["first runs", "second runs", "third replays", "fourth conflicts"]
        )
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"),
        (1_709_251_199, "2024-02-29T23:59:59Z"), (1_709_251_200, "2024-03-01T00:00:00Z"),
        (-1, "1969-12-31T23:59:59Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
        (253_402_300_799, "9999-12-31T23:59:59Z"), (1_767_225_600, "2026-01-01T00:00:00Z"),
    ])
    func timesAreWrittenAsRFC3339Has(_ seconds: Int, _ expected: String) {
        #expect(Timestamp.rfc3339(seconds) == expected)
    }
}
