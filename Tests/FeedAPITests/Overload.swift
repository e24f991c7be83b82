import Dispatch
import FeedDiff
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire
import Platform
import StoreModel
import TestSupport
import Testing

@testable import FeedAPI

/// What is refused when there is too much to do, and what never is.
@Suite struct Overload {
    private let clock = TestClock()

    /// An API with a feed too large to be answered in a moment, and room for one piece of work.
    private func api(
        _ configure: (inout APIConfiguration) -> Void = { _ in }
    ) throws -> FeedAPI {
        var configuration = APIConfiguration()
        configuration.keys = [AccessKey(API.key)]
        configuration.waitingReads = .init(count: 1, age: .seconds(5))
        configuration.waitingPublishes = .init(count: 1, age: .seconds(5))
        configuration.clock = { [clock] in clock.now }
        configure(&configuration)
        let api = FeedAPI(store: FeedStore(), configuration: configuration)
        let items = (0..<1000).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        let document = try Snapshot(publishing: Array(#"{"items":[\#(items)]}"#.utf8))
        _ = api.store.publishInMemory(try #require(FeedName("large"))) { _ in document }
        return api
    }

    private func expectOverload(_ answer: TestResponse) throws {
        #expect(answer.status == 503)
        #expect(answer.problem == "overloaded")
        #expect(1...10 ~= (try #require(answer["Retry-After"].flatMap { Int($0) })))
    }

    @Test func costlyReadsAreRefusedAndThoseFromMemoryAreNot() async throws {
        let api = try api()
        let server = InMemoryServer(api)
        func get(_ target: String) async throws -> TestResponse {
            try await server.send("GET", target, headers: [], body: [])
        }
        #expect(try await get("/feeds/large").status == 200)
        let gates = [Gate(api.service.work.reads(.small)), Gate(api.service.work.reads(.large))]
        for target in [
            "/feeds/large?limit=999", "/feeds/large/items", "/feeds/large/outline",
            "/pull?feed=large&limit=998", "/pull?feed=none&feed=large&limit=998",
        ] {
            try expectOverload(try await get(target))
        }
        try expectOverload(try await get("/feeds"))
        for target in ["/feeds/large", "/pull?feed=large&feed=none", "/healthz", "/readyz"] {
            #expect(try await get(target).status == 200)
        }
        #expect(try await get("/readyz").text.hasPrefix("degraded: costly reads are refused"))
        clock.advance(by: .seconds(11))
        #expect(try await get("/readyz").text == "ready\n")
        for gate in gates { gate.open() }
    }

    /// A page of a listed origin can read why.
    @Test func theOperatorsReadsAreRefusedLikeOthers() async throws {
        let origin = "https://a.example"
        let api = try api {
            $0.metrics = SomeMetrics()
            $0.origins = .list([origin])
            $0.rateLimits[.readsByKey] = RateLimit(quota: 9, window: .seconds(9))
        }
        let gate = Gate(api.service.work.reads(.small))
        let answer = try await InMemoryServer(api).send(
            "GET",
            "/admin/feeds",
            headers: [("Authorization", "Bearer " + API.key), ("Origin", origin)],
            body: []
        )
        try expectOverload(answer)
        #expect(answer["Access-Control-Allow-Origin"] == origin)
        #expect(answer["RateLimit"]?.hasPrefix(#""reads-by-key";r=8"#) == true)
        gate.open()
    }

    /// What was refused is not remembered as the answer.
    @Test func aPullThatWasRefusedIsAnsweredWhenThereIsRoom() async throws {
        let api = try api()
        let server = InMemoryServer(api)
        let target = "/pull?feed=large&limit=998"
        let gate = Gate(api.service.work.reads(.small))
        try expectOverload(try await server.send("GET", target, headers: [], body: []))
        gate.open()
        // The gate's work is over a moment after it is told to end.
        var status = 503
        while status == 503 {
            status = try await server.send("GET", target, headers: [], body: []).status
        }
        #expect(status == 200)
    }

    /// The first who has a thread makes what all of them wait for.
    @Test(arguments: ["/feeds/large?limit=999", "/pull?feed=large&limit=999"])
    func theWorkOfOthersForTheSameIsNotRefused(_ target: String) async throws {
        let api = try api {
            $0.waitingReads = .init(count: 100, age: .seconds(5))
            $0.keys += (1...4).map { AccessKey("reader-\($0)", read: [.all]) }
        }
        let pool = api.service.work.reads(.small)
        let gates = (0..<max(2, MachineCores.count / 2)).map { _ in Gate(pool) }
        let start = "GET \(target) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer"
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...4 {
                let head = try RequestHead(parsing: "\(start) reader-\(number)\r\n\r\n")
                guard case .later(let take) = api.receive(Request(head: head)) else {
                    Issue.record("a large document is made on a thread")
                    continue
                }
                let (answers, answer) = AsyncStream.makeStream(of: Int.self)
                take(Responder { answer.yield($0.status.code) })
                group.addTask { await answers.first { _ in true } ?? 0 }
            }
            #expect(pool.load.waiting == 4)
            gates[0].open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == [200, 200, 200, 200])
        while pool.load != (0, gates.count - 1) {}
        #expect(api.service.work.refusals.count(.reads) == 0)
        let health = try await InMemoryServer(api).send("GET", "/readyz", headers: [], body: [])
        #expect(health.text == "ready\n")
        #expect(api.documentCount == 1)
        for gate in gates { gate.open() }
    }

    /// More than the work that may wait, they leave room for others.
    @Test func aCrowdThatWaitsForTheSameIsNotRefused() async throws {
        let readers = 1...400
        let api = try api {
            $0.waitingReads = .init(count: 200, age: .seconds(5))
            $0.keys += readers.map { AccessKey("reader-\($0)", read: [.all]) }
        }
        let pool = api.service.work.reads(.small)
        let gates = (0..<max(2, MachineCores.count / 2)).map { _ in Gate(pool) }
        let (statuses, status) = AsyncStream.makeStream(of: Int.self)
        for number in readers {
            let head = try RequestHead(
                parsing: "GET /feeds/large?limit=999 HTTP/1.1\r\nHost: a\r\n"
                    + "Authorization: Bearer reader-\(number)\r\n\r\n"
            )
            guard case .later(let take) = api.receive(Request(head: head)) else {
                Issue.record("a large document is made on a thread")
                return
            }
            take(Responder { status.yield($0.status.code) })
        }
        #expect(pool.load.waiting == VersionResponses.clientLimit)
        #expect(api.service.work.refusals.count(.reads) == 0)
        for gate in gates { gate.open() }
        for await status in statuses.prefix(readers.count) { #expect(status == 200) }
        #expect(api.documentCount == 1)
    }

    /// Of a pull that is of many feeds one piece of work waits.
    @Test(arguments: [[:], ["Accept-Encoding": "gzip"]])
    func pullsOfManyFeedsWaitAsOneEach(_ headers: [String: String]) async throws {
        let live = try LiveAPI { $0.waitingReads = .init(count: 5, age: .seconds(60)) }
        let names = (0..<100).map { "feed-\($0)" }
        let items = (0..<20).map { #"{"id":"\#($0)","text":"some words"}"# }
        for name in names { try live.put(name, #"{"items":[\#(items.joined(separator: ","))]}"#) }
        let target = "/pull?" + names.map { "feed=\($0)" }.joined(separator: "&")
        let before = live.api.documentCount
        try await withThrowingTaskGroup(of: Int.self) { group in
            for limit in [10, 11, 11, 12] {
                group.addTask { try await live.get(target + "&limit=\(limit)", headers).status }
            }
            for try await status in group { #expect(status == 200) }
        }
        // Those who ask for the same wait for the same, but for what is made at once.
        #expect(live.api.documentCount - before < 4 * names.count)
    }

    @Test(arguments: ["PUT /feeds/a", "PATCH /feeds/large", "DELETE /feeds/large"])
    func publishesAreRefusedWhenTooManyWait(_ request: String) async throws {
        let quota = try #require(RateLimit(quota: 1_000_000, window: .seconds(3600)))
        let api = try api { $0.rateLimits[.publishesByKey] = quota }
        let parts = request.split(separator: " ").map(String.init)
        func send() async throws -> TestResponse {
            try await InMemoryServer(api).send(
                parts[0],
                parts[1],
                headers: [
                    ("Authorization", "Bearer " + API.key), ("Content-Type", "application/json"),
                ],
                body: parts[0] == "DELETE" ? [] : Array(#"{"items":[],"edits":[]}"#.utf8)
            )
        }
        let gate = Gate(api.service.work.publishes(.small))
        let refused = try await send()
        try expectOverload(refused)
        #expect(refused["RateLimit"]?.hasPrefix(#""publishes-by-key""#) == true)
        gate.open()
        // The gate's work is over a moment after it is told to end.
        var status = 503
        while status == 503 { status = try await send().status }
        #expect(status < 500)
    }

    @Test func publishesThatHaveWaitedForTooLongAreRefused() async throws {
        let api = try api()
        let name = try #require(FeedName("large"))
        let head = try RequestHead(
            parsing: "DELETE /feeds/large HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "
                + "\(API.key)\r\n\r\n"
        )
        let status = await withCheckedContinuation { continuation in
            let first = QueuedWork(client: .local, time: clock.now) {
                // In line behind this piece of work, which takes six seconds.
                guard case .later(let take) = api.receive(Request(head: head)) else {
                    preconditionFailure("a publish takes its time")
                }
                take(Responder { continuation.resume(returning: $0.status.code) })
                clock.advance(by: .seconds(6))
            } refuse: {
                preconditionFailure("there is nothing else to do")
            }
            api.service.feedQueues.submit(name, .small, first)
        }
        #expect(status == 503)
        #expect(api.store.current(name) != nil)
    }

    @Test func watchersGetThroughWhenTheServerIsFull() throws {
        let api = try api()
        for (target, isEssential) in [
            ("/healthz", true), ("/readyz?x=y", true), ("/feeds/large", false), ("/", false),
        ] {
            let head = try RequestHead(parsing: "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
            var label = RequestLabel()
            _ = api.receive(Request(head: head), &label)
            #expect(label.isEssential == isEssential)
        }
    }

    /// Readers who take it slowly hold it together.
    @Test func anOldVersionIsMadeOnceForAllWhoAsk() async throws {
        let api = try api()
        let feed = try #require(FeedName("large"))
        let old = try #require(api.store.current(feed)).token
        _ = api.store.publishInMemory(feed) { _ in Snapshot() }
        let server = InMemoryServer(api)
        let before = api.documentCount
        for _ in 0..<4 {
            let answer = try await server.send(
                "GET",
                "/feeds/large?version=\(old)",
                headers: [("Accept-Encoding", "gzip")],
                body: []
            )
            #expect(answer.status == 200)
        }
        #expect(api.documentCount - before == 1)
        #expect(api.compressionCount == 1)
    }
}
