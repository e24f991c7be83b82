import FeedDiff
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire
import Platform
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedAPI

/// What cannot be seen from outside: that responses are made once and given up in time.
@Suite struct ResponseCaching {
    private func api() -> FeedAPI {
        var configuration = APIConfiguration()
        configuration.keys = [AccessKey(API.key)]
        return FeedAPI(store: FeedStore(), configuration: configuration)
    }

    private func head(_ target: String, _ fields: String = "") throws -> RequestHead {
        try RequestHead(parsing: "GET \(target) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n")
    }

    private func publish(
        _ api: FeedAPI,
        _ number: Int,
        _ feed: String = "news"
    ) throws -> Token {
        try version(api, number, feed).token
    }

    private func version(
        _ api: FeedAPI,
        _ number: Int,
        _ feed: String = "news"
    ) throws -> Version {
        let name = try #require(FeedName(feed))
        let document = try Snapshot(
            publishing: Array(#"{"n":\#(number),"items":[{"id":"x"}]}"#.utf8)
        )
        return api.store.publishInMemory(name) { _ in document }.current
    }

    /// What becomes of a request, its `NOW` and `OLD` standing for the two versions of a feed.
    private func receive(
        _ api: FeedAPI,
        _ target: String,
        _ fields: String = ""
    ) throws -> Payload? {
        let request = Request(head: try head(target, fields))
        guard case .response(let reply) = api.receive(request), let response = reply.payload else {
            return nil
        }
        return response
    }

    /// Feed readers whose pages were sent by other settings all get the whole page.
    @Test func aPageInPlaceOfNewsIsMadeOnce() async throws {
        let api = api()
        let old = try publish(api, 1)
        _ = try publish(api, 2)
        let server = InMemoryServer(api)
        var texts: Set<[UInt8]> = []
        for check in 0..<5 {
            let response = try await server.send(
                "GET",
                "/feeds/news.atom",
                headers: [("A-IM", "feed"), ("If-None-Match", "\"\(old)-0000000\(check)\"")],
                body: []
            )
            #expect(response.status == 200)
            texts.insert(response.body)
        }
        #expect(texts.count == 1)
        #expect(api.documentCount == 1)
    }

    /// The page is stored by caches, or not, with the same body.
    @Test(arguments: ["", "gzip"])
    func aPageIsTheSameForAllReaders(_ coding: String) async throws {
        let api = api()
        _ = try publish(api, 1)
        let server = InMemoryServer(api)
        var bodies: Set<[UInt8]> = []
        for manipulations in ["", "feed"] {
            let response = try await server.send(
                "GET",
                "/feeds/news.atom",
                headers: [("A-IM", manipulations), ("Accept-Encoding", coding)],
                body: []
            )
            #expect(response.status == 200)
            #expect((response["Cache-Control"] == "no-store") == (manipulations == "feed"))
            bodies.insert(response.body)
        }
        #expect(bodies.count == 1)
    }

    /// However long the client would wait; a long response to it is not kept.
    @Test(arguments: ["", "gzip"])
    func aPreferenceChangesOnlyTheHead(_ coding: String) async throws {
        let api = api()
        _ = try publish(api, 1)
        let server = InMemoryServer(api)
        var bodies: Set<[UInt8]> = []
        for preference in ["", "wait=1", "wait=2"] {
            let response = try await server.send(
                "GET",
                "/feeds/news",
                headers: [("Prefer", preference), ("Accept-Encoding", coding)],
                body: []
            )
            #expect(response.status == 200)
            #expect(response["Preference-Applied"] ?? "" == preference)
            bodies.insert(response.body)
        }
        #expect(bodies.count == 1)
        #expect(api.documentCount == 1)
        #expect(api.compressionCount <= 1)
    }

    /// With a key and without, whatever else is in the request.
    @Test(arguments: [
        "/feeds/news", "/feeds/news?since=NOW", "/feeds/news?since=OLD", "/feeds/news?limit=1",
        "/feeds/news?section=main", "/feeds/news/outline", "/feeds/news/items?limit=5",
        "/feeds/news/items?version=NOW&offset=0", "/feeds/news/items/x",
        "/feeds/news/sections/main", "/feeds/news?since=OLD&format=json-patch",
        "/feeds/n%65ws?since=NOW", "/feeds/news?since=%22NOW%22", "/feeds/none",
        "/feeds/news?wait=9", "/feeds/news?since=OLD&wait=9",
    ])
    func aResponseIsMadeOnce(_ target: String) throws {
        let api = api()
        let old = try publish(api, 1)
        let now = try publish(api, 2)
        let target = target.replacing("NOW", with: "\(now)").replacing("OLD", with: "\(old)")
        guard !target.contains("since=\(now)&wait") else { return }
        let fields = [
            "", "Accept-Encoding: gzip, br\r\n", "Accept-Encoding: Deflate,br\r\n",
            "Accept-Encoding: gzip;q=0.5, x\r\n", "Authorization: bearer  \(API.key)\r\n",
            "Origin: https://a.example\r\nTraceparent: 1\r\n",
        ]
        for fields in fields {
            let first = try #require(try receive(api, target, fields))
            let made = api.documentCount
            let second = try #require(try receive(api, target, "X-Number: 2\r\n" + fields))
            #expect(first === second, "\(target) \(fields)")
            #expect(api.documentCount == made)
        }
    }

    /// What is put together of documents that are there is what making them gave.
    @Test(
        arguments: [
            "feed=news", "feed=news@OLD", "feed=news@NOW", "feed=news@OLD&feed=other",
            "feed=other&feed=n%65ws%40OLD&limit=0", "feed=news@OLD&as=changes",
            "feed=news&section=main&section=x", "feed=news&feed=none", "feed=none",
            "feed=news@aaaaaaaa.7&feed=other",
        ],
        ["", "gzip", "deflate"]
    )
    func pullsAreTheSameWhetherTheirDocumentsAreThere(
        _ query: String,
        _ coding: String
    ) async throws {
        let api = api()
        let old = try publish(api, 1)
        let now = try publish(api, 2)
        _ = try publish(api, 3, "other")
        let target = "/pull?\(query)".replacing("NOW", with: "\(now)").replacing(
            "OLD",
            with: "\(old)"
        )
        let server = InMemoryServer(api)
        var headers = coding.isEmpty ? [] : [("Accept-Encoding", coding)]
        let first = try await server.send("GET", target, headers: headers, body: [])
        let made = api.documentCount
        let second = try await server.send("GET", target, headers: headers, body: [])
        #expect(first.status == 200 && second.status == 200)
        #expect(first.body == second.body)
        #expect(ResponseCaching.lines(first) == ResponseCaching.lines(second))
        #expect(api.documentCount == made)
        headers.append(("If-None-Match", try #require(first["ETag"])))
        let third = try await server.send("GET", target, headers: headers, body: [])
        #expect(third.status == 304)
        #expect(third["ETag"] == first["ETag"])
    }

    /// The fields, but for those that the time changes.
    private static func lines(_ response: TestResponse) -> [String] {
        response.headers.map { "\($0.0.lowercased()): \($0.1)" }
            .filter { !$0.hasPrefix("date:") && !$0.hasPrefix("refresh-after:") }.sorted()
    }

    /// Keys that differ in what anybody can choose do not meet in one place of a table.
    @Test func keysThatAnybodyCanMakeHaveHashesOfTheirOwn() {
        let ids = (0..<1000).map { ExactString("i\($0)") }
        for keys in [
            ids.map { ResponseKey(kind: .item($0)) }, ids.map { ResponseKey(kind: .items([$0])) },
            ids.map { ResponseKey(kind: .snapshot, view: FeedView(sections: ["a", $0])) },
        ] {
            #expect(Set(keys.map(\.hashValue)).count > 990)
        }
    }

    /// Not everything is made at once for a pull of many feeds.
    ///
    /// Many feeds may be long, and sections may be asked for that no feed has.
    @Test(arguments: [(400, 0), (1, 400)])
    func pullsOfManyFeedsDoNotKeepALoopForLong(_ items: Int, _ sections: Int) throws {
        let api = api()
        let items = (0..<items).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        let document = try Snapshot(publishing: Array("{\"items\":[\(items)]}".utf8))
        for number in 0..<20 {
            let name = try #require(FeedName("f\(number)"))
            _ = api.store.publishInMemory(name) { _ in document }
        }
        let query =
            ((0..<20).map { "feed=f\($0)" } + (0..<sections).map { "section=s\($0)" })
            .joined(separator: "&")
        guard case .later = api.receive(Request(head: try self.head("/pull?\(query)"))) else {
            Issue.record("all documents are made on the loop")
            return
        }
        #expect(1...3 ~= api.documentCount)
    }

    @Test(arguments: ["/feeds/news", "/feeds/news?since=NOW", "/feeds/news/items?limit=1"])
    func aNotModifiedResponseIsMadeOnce(_ target: String) throws {
        let api = api()
        let old = try publish(api, 1)
        let now = try publish(api, 2)
        let target = target.replacing("NOW", with: "\(now)")
        for value in ["\"\(now)\"", "W/\"\(now)-gzip\"", "\(now)-deflate"] {
            let condition = "If-None-Match: \(value)\r\n"
            let first = try #require(try receive(api, target, condition))
            #expect(first.status == 304)
            #expect(try receive(api, target, condition + "X: y\r\n") === first)
        }
        let other = try receive(api, target, "If-None-Match: \"\(old)\"\r\n")
        #expect(other?.status == 200)
        #expect(api.documentCount == 1)
    }

    @Test func listedOriginsShareWhatIsMade() async throws {
        var configuration = APIConfiguration()
        configuration.keys = [AccessKey(API.key)]
        configuration.openFeeds = []
        configuration.origins = .list(["https://a.example", "https://b.example"])
        let api = FeedAPI(store: FeedStore(), configuration: configuration)
        _ = try publish(api, 1)
        let key = "Authorization: Bearer \(API.key)\r\n"
        let first = try receive(api, "/feeds/news", key + "Origin: https://a.example\r\n")
        let second = try receive(api, "/feeds/news", key + "Origin: https://b.example\r\n")
        #expect(first != nil && first === second)
        let server = InMemoryServer(api)
        for origin in ["https://a.example", "https://b.example"] {
            let headers = [("Authorization", "Bearer \(API.key)"), ("Origin", origin)]
            let answer = try await server.send("GET", "/feeds/news", headers: headers, body: [])
            #expect(answer["Access-Control-Allow-Origin"] == origin)
        }
    }

    @Test func aVersionThatIsNoLongerCurrentKeepsNothing() async throws {
        let api = api()
        _ = try publish(api, 1)
        let server = InMemoryServer(api)
        let name = try #require(FeedName("news"))
        let old = try #require(api.store.current(name))
        _ = try await server.send("GET", "/feeds/news", headers: [], body: [])
        let responses = api.cache.responses(for: old)
        #expect(responses.byteCount > 0)
        _ = try publish(api, 2)
        _ = try await server.send("GET", "/feeds/news", headers: [], body: [])
        #expect(responses.byteCount == 0)
        #expect(responses[ResponseKey(kind: .snapshot)] == nil)
    }

    @Test(arguments: [
        (100, "", true), (100, "Accept-Encoding: gzip\r\n", true), (8000, "", true),
        (8000, "Accept-Encoding: gzip\r\n", false), (140_000, "", false),
    ])
    func whatTakesLongIsNotDoneAtOnce(_ size: Int, _ fields: String, _ isAtOnce: Bool) throws {
        let api = api()
        let name = try #require(FeedName("news"))
        let text = String(repeating: "x", count: size)
        let document = try Snapshot(
            publishing: Array(#"{"items":[{"id":"x","t":"\#(text)"}]}"#.utf8)
        )
        let version = api.store.publishInMemory(name) { _ in document }.current
        for path in ["items", "items/x"] {
            let request = Request(head: try head("/feeds/news/\(path)", fields))
            let isLater = if case .later = api.receive(request) { true } else { false }
            #expect(isLater != isAtOnce)
        }
        let coding = CodingChoice(fields.isEmpty ? .identity : .gzip)
        let key = ResponseKey(kind: .snapshot, coding: coding)
        let choice = DocumentChoice(key, of: version, in: api.cache.responses(for: version))
        #expect(choice.isInstant == isAtOnce)
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
        let responses = api.cache.responses(for: try #require(api.store.current(name)))
        let kept = (0..<200).count {
            responses[ResponseKey(kind: .snapshot, view: FeedView(limit: $0))] != nil
        }
        #expect(kept == 64)
        #expect(
            responses[ResponseKey(kind: .snapshot)] != nil,
            "views push out no answer about the whole feed"
        )
    }

    /// Its making is given up a moment before.
    @Test func whoComesWhenAllOthersHaveLeftIsAnswered() throws {
        let api = api()
        let responses = api.cache.responses(for: try version(api, 1))
        let made = Payload(Response(status: .ok, body: .bytes([32])))
        let key = ResponseKey(kind: .snapshot)
        let finished = Mutex<[String]>([])
        @Sendable func waiter(_ name: String, isWanted: Bool) -> VersionResponses.Waiter {
            .init { _ in
                isWanted
            } finish: { response in
                finished.withLock { $0.append(response == nil ? "no \(name)" : name) }
            }
        }
        let next = Mutex<QueuedWork?>(nil)
        let left = waiter("left", isWanted: false)
        let work = responses.join(key, for: .key(1), at: .zero, left) { isWanted in
            #expect(!isWanted())
            let comes = waiter("comes", isWanted: true)
            let work = responses.join(key, for: .key(2), at: .zero, comes) { _ in made }
            next.withLock { $0 = work }
            return nil
        }
        try #require(work).run()
        #expect(finished.withLock(\.self) == ["no left"])
        let second = next.withLock(\.self)
        try #require(second).run()
        #expect(finished.withLock(\.self) == ["no left", "comes"])
        #expect(responses[key] != nil)
    }

    /// Its work was found to be for nobody a moment before.
    @Test func whoComesWhenTheWorkIsDroppedIsAnswered() throws {
        let api = api()
        let responses = api.cache.responses(for: try version(api, 1))
        let made = Payload(Response(status: .ok, body: .bytes([32])))
        let key = ResponseKey(kind: .snapshot)
        let finished = Mutex<[Payload?]>([])
        let comes = VersionResponses.Waiter { _ in
            true
        } finish: { response in
            finished.withLock { $0.append(response) }
        }
        let hasCome = Atomic(false)
        let left = VersionResponses.Waiter { _ in
            if !hasCome.exchange(true, ordering: .relaxed) {
                let work = responses.join(key, for: .key(1), at: .zero, comes) { _ in made }
                #expect(work == nil, "its client has work for the response")
            }
            return false
        } finish: { _ in
        }
        let work = responses.join(key, for: .key(1), at: .zero, left) { _ in made }
        try #require(work).runIfWanted(true)
        #expect(finished.withLock { $0.count == 1 && $0[0] === made })
    }

    /// Half-closed connections count as left only for work that has waited long.
    @Test func workThatIsDroppedWhileOtherWorkRunsRefusesNobody() throws {
        let api = api()
        let responses = api.cache.responses(for: try version(api, 1))
        let made = Payload(Response(status: .ok, body: .bytes([32])))
        let key = ResponseKey(kind: .snapshot)
        let finished = Mutex<[Payload?]>([])
        let halfClosed = VersionResponses.Waiter { presumesLeft in
            !presumesLeft
        } finish: { response in
            finished.withLock { $0.append(response) }
        }
        let second = Mutex<QueuedWork?>(nil)
        let first = responses.join(key, for: .key(1), at: .zero, halfClosed) { _ in
            second.withLock(\.self)?.runIfWanted(false)
            return made
        }
        let other = responses.join(key, for: .key(2), at: .zero, halfClosed) { _ in made }
        second.withLock { $0 = other }
        try #require(first).runIfWanted(false)
        #expect(finished.withLock { $0.map { $0 === made } } == [true, true])
    }

    @Test func changesAndViewsPushOutOnlyTheirOwn() throws {
        let api = api()
        let responses = api.cache.responses(for: try version(api, 1))
        let made = Payload(Response(status: .ok, body: .bytes([32])))
        let views = (0..<100).map { ResponseKey(kind: .snapshot, view: FeedView(limit: $0)) }
        let changes = (0..<300).map { ResponseKey(kind: .changes(since: $0)) }
        for _ in 0..<2 {
            for key in views + changes { responses.keep(made, key) }
            #expect(views.count { responses[$0] != nil } == 64)
            #expect(changes.count { responses[$0] != nil } == 256)
            #expect(responses[views[99]] != nil && responses[changes[299]] != nil)
        }
        responses.retire()
        #expect(responses.byteCount == 0)
    }

    /// What is kept is known by what it was asked by, which may be longer than the answer.
    @Test func whatNamesAnAnswerIsCounted() throws {
        let api = api()
        let responses = api.cache.responses(for: try version(api, 1))
        let made = Payload(Response(status: .ok, body: .bytes([32])))
        let names = Set((0..<1000).map { ExactString("section \($0)") })
        for limit in 0..<100 {
            let view = FeedView(sections: names, limit: limit)
            responses.keep(made, ResponseKey(kind: .snapshot, view: view))
        }
        #expect(responses.byteCount > 64 * 1000 * 32)
        #expect(responses.byteCount < VersionResponses.byteLimit)
        responses.retire()
        #expect(responses.byteCount == 0)
    }

    @Test func allAnswersTogetherAreBoundInBytes() throws {
        let api = api()
        let cache = ResponseCache(api.store, byteLimit: 10_000)
        var all: [VersionResponses] = []
        for number in 0..<20 {
            let name = try #require(FeedName("feed\(number)"))
            let document = try Snapshot(publishing: Array(#"{"items":[]}"#.utf8))
            let version = api.store.publishInMemory(name) { _ in document }.current
            all.append(cache.responses(for: version))
        }
        for round in 0..<5 {
            for responses in all {
                let body = [UInt8](repeating: 32, count: 400)
                let made = Payload(Response(status: .ok, body: .bytes(body)))
                responses.keep(made, ResponseKey(kind: .changes(since: round)))
                #expect(responses.byteCount >= 400)
                #expect(cache.byteCount == all.map(\.byteCount).reduce(0, +))
                #expect(cache.byteCount <= 10_000)
            }
            // While a version has one answer at most, no more is given up than is too much.
            if round == 0 { #expect(cache.byteCount > 5_000) }
        }
        for responses in all { responses.retire() }
        #expect(cache.byteCount == 0)
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
            let head = parser.head
            var (quota, label) = (RateLimiter.Quota?.none, RequestLabel())
            let routed = try RoutedRequest(
                Request(head: head),
                Route(head),
                Query(head.bytes, head.targetParts.query),
                by: api,
                quota: &quota,
                label: &label
            )
            let request = try PublishRequest(
                routed,
                api.access,
                accepting: BodyType.documents
            )
            return try #require(request.idempotency).digest.bytes
        }
        #expect(try key([0x61, 0xFF]) == key([0x61, 0xFF]))
        #expect(try key([0x61, 0xFF]) != key([0x61, 0xFE]))
        #expect(try key([0x61, 0xFF]) != key(Array("a\u{FFFD}".utf8)))
        #expect(try key([0x61]) != key([0x61], "/feeds/news?"))
        let long = "/feeds/news?" + String(repeating: "&", count: 4000)
        #expect(try key([0x61], long).count == 32)
        let problem = #expect(throws: Problem.self) {
            try key([UInt8](repeating: 0xFF, count: 256))
        }
        #expect(problem?.status == .badRequest)
        #expect(try key([UInt8](repeating: 0xFF, count: 255)).count == 32)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"),
        (1_709_251_199, "2024-02-29T23:59:59Z"), (1_709_251_200, "2024-03-01T00:00:00Z"),
        (-1, "1969-12-31T23:59:59Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
        (253_402_300_799, "9999-12-31T23:59:59Z"), (1_767_225_600, "2026-01-01T00:00:00Z"),
    ])
    func timesAreWrittenAsRFC3339Has(_ seconds: Int, _ expected: String) {
        #expect(CivilDate.rfc3339(seconds) == expected)
    }
}
