import FeedAPI
import FeedModel
import TestSupport
import Testing

/// docs/PUBLISHING.md, "The requests": `Idempotency-Key`.
@Suite(.bothWays) struct IdempotencyKeys {
    static let keyed = ["Idempotency-Key": "once"]

    @Test func theFirstAnswerComesAgain() async throws {
        let api = API()
        try await api.put("news", Patching.sample)
        let first = try await api.send("POST", "/feeds/news/items", #"{"id":"x"}"#, Self.keyed)
        try #require(first.status == 201)
        let token = try await api.put("news", #"{"items":[]}"#)
        let second = try await api.send("POST", "/feeds/news/items", #"{"id":"x"}"#, Self.keyed)
        #expect(second.status == 201)
        #expect(second.body == first.body)
        #expect(second["Location"] == first["Location"])
        #expect(second["Access-Control-Allow-Origin"] == "*")
        #expect(try await api.document("/feeds/news")["token"]?.string == token)
    }

    @Test func anIdempotencyKeyIsLookedUpBeforeAnyCondition() async throws {
        let api = API()
        let token = try await api.put("news", Patching.sample)
        let headers = Self.keyed.merging(["If-Match": "\"\(token)\""]) { $1 }
        let body = #"{"edits":[{"remove":"a1"}]}"#
        let first = try await api.send("PATCH", "/feeds/news", body, headers)
        try #require(first.status == 200)
        let second = try await api.send("PATCH", "/feeds/news", body, headers)
        #expect(second.status == 200)
        #expect(second.body == first.body)
    }

    @Test func anotherBodyIsRefused() async throws {
        let api = API()
        try await api.put("news", Patching.sample)
        _ = try await api.send("POST", "/feeds/news/items", #"{"id":"x"}"#, Self.keyed)
        for body in [#"{"id":"y"}"#, #"{"id": "x"}"#] {
            let other = try await api.send("POST", "/feeds/news/items", body, Self.keyed)
            #expect(other.status == 422)
            #expect(other.problem == "idempotency-key")
        }
    }

    @Test func anotherMediaTypeIsAnotherBody() async throws {
        let api = API()
        try await api.put("news", Patching.sample)
        let first = try await api.send("PATCH", "/feeds/news", #"{"edits":[]}"#, Self.keyed)
        #expect(first.status == 200)
        let type = ["Content-Type": "application/json-patch+json"]
        let second = try await api.send(
            "PATCH",
            "/feeds/news",
            #"{"edits":[]}"#,
            Self.keyed.merging(type) { $1 }
        )
        #expect(second.status == 422)
        #expect(second.detail.hasSuffix("media type"))
    }

    @Test func belongsToKeyMethodAndTarget() async throws {
        let api = API { $0.keys.append(AccessKey("another")) }
        try await api.put("news", #"{"items":[]}"#)
        try await api.put("other", #"{"items":[]}"#)
        let body = #"{"edits":[{"setFeed":{"n":1}}]}"#
        let changed = try await api.send("PATCH", "/feeds/news", body, Self.keyed)
        #expect(changed.json["changed"] == true)
        for (target, key) in [
            ("/feeds/other", API.key), ("/feeds/news?dry-run=false", API.key),
            ("/feeds/news", "another"),
        ] {
            let answer = try await api.send(
                "PATCH",
                target,
                body,
                Self.keyed.merging(["Authorization": "Bearer \(key)"]) { $1 }
            )
            #expect(answer.status == 200)
            #expect(answer.body != changed.body)
        }
    }

    @Test func failuresAreNotKept() async throws {
        let api = API()
        try await api.put("news", Patching.sample)
        let first = try await api.send("POST", "/feeds/news/items", #"{"id":"a1"}"#, Self.keyed)
        #expect(first.status == 409)
        #expect(try await api.send("DELETE", "/feeds/news/items/a1").status == 204)
        let second = try await api.send("POST", "/feeds/news/items", #"{"id":"a1"}"#, Self.keyed)
        #expect(second.status == 201)
    }

    @Test func aDryRunIsNotRemembered() async throws {
        let api = API()
        try await api.put("news", #"{"items":[]}"#)
        let target = "/feeds/news?dry-run=true"
        let body = #"{"edits":[{"setFeed":{"n":1}}]}"#
        #expect(try await api.send("PATCH", target, body, Self.keyed).status == 200)
        try await api.put("news", #"{"n":1,"items":[]}"#)
        let again = try await api.send("PATCH", target, body, Self.keyed)
        #expect(again.json["changed"] == false)
    }

    @Test func anIdempotencyKeyIsForgottenAfterTenMinutes() async throws {
        let clock = TestClock()
        let api = API { $0.clock = { clock.now } }
        try await api.put("news", #"{"items":[]}"#)
        let body = #"{"id":"x"}"#
        #expect(try await api.send("POST", "/feeds/news/items", body, Self.keyed).status == 201)
        clock.advance(by: .seconds(599))
        #expect(try await api.send("POST", "/feeds/news/items", body, Self.keyed).status == 201)
        clock.advance(by: .seconds(2))
        #expect(try await api.send("POST", "/feeds/news/items", body, Self.keyed).status == 409)
    }

    @Test(arguments: ConditionalPublishing.requests)
    func everyPublishTakesOne(
        _ method: String,
        _ target: String,
        _ body: String,
        _ type: String
    ) async throws {
        let api = API()
        try await api.put("news", Patching.sample)
        var headers = Self.keyed
        headers["Content-Type"] = type.isEmpty ? nil : type
        let first = try await api.send(method, target, body, headers)
        try #require(first.status < 300, "\(first.text)")
        // The key outlives the feed, and comes before its absence.
        _ = try await api.send("DELETE", "/feeds/news")
        let second = try await api.send(method, target, body, headers)
        #expect(second.status == first.status)
        #expect(second.body == first.body)
        #expect(second["Location"] == first["Location"])
        #expect(second["Content-Type"] == first["Content-Type"])
        #expect(try await api.get("/feeds/news").status == 404)
        guard !body.isEmpty else { return }
        let other = try await api.send(method, target, body + " ", headers)
        #expect(other.problem == "idempotency-key")
    }

    @Test func rightsFormAndSizeComeFirst() async throws {
        let api = API {
            $0.bodyByteLimit = 100
            $0.keys.append(AccessKey("reader", read: [.all], write: []))
        }
        let first = try await api.send("PUT", "/feeds/news", #"{"items":[]}"#, Self.keyed)
        try #require(first.status == 201)
        for (status, headers, body) in [
            (401, ["Authorization": "Bearer unknown"], "{}"),
            (403, ["Authorization": "Bearer reader"], "{}"),
            (413, [:], String(repeating: " ", count: 101)),
            (415, ["Content-Type": "text/plain"], "{}"),
        ] {
            let headers = Self.keyed.merging(headers) { $1 }
            let answer = try await api.send("PUT", "/feeds/news", body, headers)
            #expect(answer.status == status)
        }
    }

    @Test(arguments: [(0, 400), (1, 201), (255, 201), (256, 400)])
    func anIdempotencyKeyHasOneToTwoHundredAndFiftyFiveBytes(_ count: Int, _ status: Int)
        async throws
    {
        let api = API()
        try await api.put("news", #"{"items":[]}"#)
        let answer = try await api.send(
            "POST",
            "/feeds/news/items",
            #"{"id":"x"}"#,
            ["Idempotency-Key": String(repeating: "k", count: count)]
        )
        #expect(answer.status == status)
    }

    @Test func ofManyAtOnceOneRuns() async throws {
        let api = API()
        try await api.put("news", #"{"items":[]}"#)
        let bodies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let answer = try await api.send(
                        "POST",
                        "/feeds/news/items",
                        #"{"id":"x"}"#,
                        Self.keyed
                    )
                    #expect(answer.status == 201)
                    return answer.body
                }
            }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(bodies.count == 1)
        #expect(try await api.document("/feeds/news")["token"]?.string?.hasSuffix(".2") == true)
    }
}
