import Dispatch
import FeedDiff
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire
import TestSupport
import Testing

@testable import FeedAPI

/// What is refused when there is too much to do, and what never is.
@Suite struct Overload {
    private let clock = TestClock()

    private func admission(count: Int, byteCount: Int = .max) -> Admission {
        Admission(
            .init(count: count, byteCount: byteCount, age: .seconds(5)),
            clock: { [clock] in clock.now }
        )
    }

    @Test func soManyAreLetInAndNoMore() throws {
        let admission = admission(count: 2)
        var tickets = [try #require(admission.enter()), try #require(admission.enter())]
        #expect(admission.isFull)
        #expect(admission.enter() == nil)
        tickets.removeLast()
        #expect(!admission.isFull)
        #expect(admission.enter() != nil)
        #expect(admission.enter() != nil)
    }

    @Test func whatTheyHoldIsLimitedTooButOneIsAlwaysLetIn() throws {
        let admission = admission(count: 10, byteCount: 100)
        var tickets = [try #require(admission.enter(holding: 1000))]
        #expect(admission.isFull)
        #expect(admission.enter(holding: 1) == nil)
        tickets.removeAll()
        tickets.append(try #require(admission.enter(holding: 60), "the first has gone"))
        #expect(admission.enter(holding: 60) == nil)
        #expect(admission.enter(holding: 40) != nil)
        #expect(tickets.count == 1)
    }

    @Test func whatHasWaitedForTooLongIsStale() throws {
        let admission = admission(count: 1)
        let ticket = try #require(admission.enter())
        clock.advance(by: .seconds(5))
        #expect(!ticket.isStale)
        clock.advance(by: .milliseconds(1))
        #expect(ticket.isStale)
    }

    /// An API with a feed too large to be answered in a moment, and room for one piece of work.
    private func api() throws -> FeedAPI {
        var configuration = APIConfiguration()
        configuration.keys = [AccessKey(API.key)]
        configuration.waitingReads = .init(count: 1, age: .seconds(5))
        configuration.waitingPublishes = .init(count: 1, age: .seconds(5))
        configuration.clock = { [clock] in clock.now }
        let api = FeedAPI(store: FeedStore(), configuration: configuration)
        let items = (0..<1000).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        let document = try FeedDocument(parsing: Array(#"{"items":[\#(items)]}"#.utf8))
        _ = api.store.publish(try #require(FeedName("large"))) { _ in document.snapshot }
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
        // The answer comes a moment before its work is over.
        api.workQueue.sync(flags: .barrier) {}
        let ticket = try #require(api.waitingReads.enter())
        for target in [
            "/feeds/large?limit=999", "/feeds/large/items", "/feeds/large/outline",
            "/pull?feed=large&limit=998", "/pull?feed=none&feed=large&limit=998",
        ] {
            try expectOverload(try await get(target))
        }
        try expectOverload(try await get("/feeds"))
        for target in [
            "/feeds/large", "/pull?feed=large&feed=none", "/healthz", "/readyz",
        ] {
            #expect(try await get(target).status == 200)
        }
        withExtendedLifetime(ticket) {}
    }

    /// What was refused is not remembered as the answer.
    @Test func aPullThatWasRefusedIsAnsweredWhenThereIsRoom() async throws {
        let api = try api()
        let server = InMemoryServer(api)
        let target = "/pull?feed=large&limit=998"
        do {
            let ticket = try #require(api.waitingReads.enter())
            try expectOverload(try await server.send("GET", target, headers: [], body: []))
            withExtendedLifetime(ticket) {}
        }
        #expect(try await server.send("GET", target, headers: [], body: []).status == 200)
    }

    /// However many documents streams wait for, an answer is made as soon as ever.
    @Test func streamsHoldUpNobodyElse() async throws {
        let api = try api()
        let server = try HTTPServer(
            host: "127.0.0.1",
            port: 0,
            loops: 1,
            handler: api,
            limits: .patient
        )
        server.start()
        let gate = DispatchSemaphore(value: 0)
        api.streamQueue.async { gate.wait() }
        let result = Result {
            defer { gate.signal() }
            let streams = try (0..<3).map { number in
                try EventReader(server.port, "/feeds/large/events?limit=\(990 + number)")
            }
            let client = try RawClient(port: server.port)
            try client.send("GET /feeds/large?limit=989 HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.receive().status == 200)
            gate.signal()
            for (number, stream) in streams.enumerated() {
                #expect(try stream.next().data["count"]?.int == 990 + number)
            }
        }
        await server.stopped(within: .zero)
        try result.get()
    }

    @Test(arguments: ["PUT /feeds/a", "PATCH /feeds/large", "DELETE /feeds/large"])
    func publishesAreRefusedWhenTooManyWait(_ request: String) async throws {
        let api = try api()
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
        do {
            let ticket = try #require(api.waitingPublishes.enter())
            try expectOverload(try await send())
            withExtendedLifetime(ticket) {}
        }
        #expect(try await send().status != 503)
    }

    @Test func publishesThatHaveWaitedForTooLongAreRefused() async throws {
        let api = try api()
        let name = try #require(FeedName("large"))
        let head = try RequestHead(
            parsing: "DELETE /feeds/large HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "
                + "\(API.key)\r\n\r\n"
        )
        let status = await withCheckedContinuation { continuation in
            api.feedQueues.submit(name) {
                // In line behind this piece of work, which takes six seconds.
                guard case .later(let take) = api.receive(Request(head: head)) else {
                    preconditionFailure("a publish takes its time")
                }
                take(Responder { continuation.resume(returning: $0.status.code) })
                clock.advance(by: .seconds(6))
            }
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
            #expect(api.isEssential(Request(head: head)) == isEssential)
        }
    }

    /// Each of them is made for one reader, who may take it slowly.
    @Test func oldVersionsAreRefusedWhenReadersHoldTooMuchOfThem() async throws {
        let api = FeedAPI(store: FeedStore())
        let feed = try #require(FeedName("large"))
        let text = String(repeating: "x", count: 2000)
        for count in [3000, 1] {
            let items = (0..<count).map { #"{"id":"\#($0)","x":"\#(text)"}"# }
            let body = #"{"items":[\#(items.joined(separator: ","))]}"#
            let snapshot = try FeedDocument(parsing: Array(body.utf8)).snapshot
            _ = api.store.publish(feed) { _ in snapshot }
        }
        let epoch = try #require(api.store.current(feed)).token.epoch
        var limits = ServerLimits.patient
        limits.heldByteLimit = 4 << 20
        let server = try HTTPServer(
            host: "127.0.0.1",
            port: 0,
            loops: 1,
            handler: api,
            limits: limits
        )
        server.start()
        let request = "GET /feeds/large?version=\(epoch).1 HTTP/1.1\r\nHost: a\r\n\r\n"
        let answers = Result {
            try (0..<4).map { _ in
                let client = try RawClient(port: server.port, receiveByteCount: 4096)
                try client.send(request)
                return (client, try RawResponse(head: client.readHead()).status)
            }
        }
        await server.stopped(within: .zero)
        #expect(try answers.get().map(\.1) == [200, 503, 503, 503])
    }
}
