import FeedModel
import FeedStore
import TestSupport
import Testing

/// What happens when the feeds take as much memory as they may.
@Suite(.bothWays) struct FullMemory {
    /// A feed with a text of that many bytes.
    private func feed(_ size: Int) -> String {
        #"{"items":[{"id":"a","text":"\#(String(repeating: "x", count: size))"}]}"#
    }

    @Test func publishesThatGrowAreRefusedAndAllElseGoesOn() async throws {
        let api = API()
        let old = try await api.put("news", feed(20_000))
        let token = try await api.put("news", feed(30_000))
        _ = try await api.get("/feeds/news")
        api.store.memoryByteLimit = api.store.cost.current + 500
        let refused = [
            try await api.send("PUT", "/feeds/news", feed(31_000)),
            try await api.send("PUT", "/feeds/other", feed(1)),
            try await api.send(
                "POST",
                "/feeds/news/items",
                feed(1000)
                    .replacing(#"{"items":["#, with: "").replacing("]}", with: "")
                    .replacing(#""id":"a""#, with: #""id":"b""#)
            ),
        ]
        for answer in refused {
            #expect(answer.status == 503)
            #expect(answer.problem == "memory")
            #expect(30...60 ~= (try #require(answer["Retry-After"].flatMap { Int($0) })))
            #expect(answer.detail.contains("\(api.store.memoryByteLimit)"))
        }
        #expect(try await api.get("/problems/memory").status == 200)
        #expect(try await api.document("/feeds/news")["token"]?.string == token)
        #expect(try await api.get("/feeds/other").status == 404)
        let since = try await api.document("/feeds/news?since=\(old)")
        #expect(since["kind"] == "snapshot")
        #expect(since["reason"] == "expired")
        let dryRun = try await api.send("PUT", "/feeds/news?dry-run=true", feed(31_000))
        #expect(dryRun.status == 200)
        try await api.put("news", feed(10_000))
        #expect(try await api.send("PUT", "/feeds/other", feed(1)).status == 201)
        #expect(try await api.send("DELETE", "/feeds/news").status == 204)
        #expect(try await api.send("DELETE", "/feeds/other").status == 204)
        #expect(api.store.cost == FeedCost())
    }

    @Test func answersAreGivenUpForRoomAndMadeAnew() async throws {
        let api = API()
        for number in 0..<10 { try await api.put("feed\(number)", feed(5000)) }
        func readAll() async throws {
            for number in 0..<10 {
                let answer = try await api.get("/feeds/feed\(number)")
                #expect(answer.json["count"]?.int == 1)
            }
        }
        try await readAll()
        let all = api.store.cost.attached
        #expect(all > 50_000)
        api.store.memoryByteLimit = api.store.cost.current + all / 2
        for _ in 0..<3 {
            try await readAll()
            #expect(api.store.cost.attached <= all / 2)
            #expect(api.store.cost.attached > all / 4)
            #expect(api.store.cost.total <= api.store.memoryByteLimit)
        }
        api.store.memoryByteLimit = api.store.cost.current
        try await readAll()
        #expect(api.store.cost.attached == 0)
        try await readAll()
    }

    /// Made-up publishes with little room, and clients that come back now and then.
    @Test(arguments: 0..<UInt64(6))
    func nothingIsLostButHistory(seed: UInt64) async throws {
        let api = API()
        var publisher = RandomPublisher(seed: seed)
        var clients = [RandomClient(), RandomClient(), RandomClient(limit: 5)]
        var token = try await api.put("news", publisher.feed.document.serialized)
        api.store.memoryByteLimit = 12_000
        var statuses: [Int: Int] = [:]
        for _ in 0..<80 {
            let before = publisher.feed
            let request = publisher.next()
            let answer = try await api.send(
                request.method,
                "/feeds/news" + request.path,
                request.body,
                ["Content-Type": request.type]
            )
            statuses[answer.status / 100, default: 0] += 1
            if answer.status == 503 { publisher.feed = before }
            let document = try await api.document("/feeds/news")
            #expect(NaiveFeed(document: document) == publisher.feed)
            token = document["token"]?.string ?? token
            for index in clients.indices where Bool.random(using: &publisher.random) {
                _ = try await clients[index].refresh(api, publisher.feed, token, coding: "gzip")
            }
            #expect(api.store.cost.current <= 12_000)
        }
        #expect(statuses[2, default: 0] > 0)
        #expect(statuses[4] == nil)
    }
}
