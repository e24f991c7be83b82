import FeedModel
import TestSupport
import Testing

/// docs/PUBLISHING.md, "The requests": `?dry-run=true`.
@Suite(.bothWays) struct DryRuns {
    @Test(arguments: ConditionalPublishing.requests)
    func dryRunsChangeNothing(
        _ method: String,
        _ target: String,
        _ body: String,
        _ type: String
    ) async throws {
        let api = API()
        let token = try await api.put("news", Patching.sample)
        let headers = ["Content-Type": type].filter { !$0.value.isEmpty }
        let answer = try await api.send(method, target + "?dry-run=true", body, headers)
        #expect(answer.status == 200)
        #expect(answer["Location"] == nil)
        #expect(answer.json["kind"] == "published")
        #expect(answer.json["dryRun"] == true)
        #expect(answer.json["changed"] == true)
        #expect(answer.json["since"]?.string == token)
        #expect(answer.json["token"] == nil)
        // What is deleted needs no list of what goes.
        #expect((answer.json["changes"] == nil) == (method == "DELETE"))
        guard let changes = answer.json["changes"] else {
            #expect(try await api.document("/feeds/news")["token"]?.string == token)
            return
        }
        var feed = NaiveFeed(document: try await api.document("/feeds/news"))
        #expect(try await api.document("/feeds/news")["token"]?.string == token)
        feed.apply(changes)
        // What was foretold is what comes of it.
        let done = try await api.send(method, target, body, headers)
        #expect(done.status < 300)
        #expect(feed == NaiveFeed(document: try await api.document("/feeds/news")))
        #expect(done.json["items"] == answer.json["items"])
    }

    @Test func aNewFeedIsNotMade() async throws {
        let api = API()
        let answer = try await api.send("PUT", "/feeds/news?dry-run=true", sampleFeed)
        #expect(answer.status == 200)
        #expect(answer.json["since"] == nil)
        #expect(answer.json["token"] == nil)
        #expect(answer.json["changes"]?["sections"]?["insert"]?.list.count == 3)
        #expect(try await api.get("/feeds/news").status == 404)
    }

    @Test func dryRunsFailLikeTheRealThing() async throws {
        let api = API()
        try await api.put("news", sampleFeed)
        let target = "/feeds/news?dry-run=true"
        #expect(try await api.send("PUT", target, "{").status == 400)
        let stale = try await api.send(
            "PUT",
            target,
            sampleFeed,
            ["If-Match": "\"aaaaaaaa.1\""]
        )
        #expect(stale.status == 412)
        let edit = try await api.send("PATCH", target, #"{"edits":[{"remove":"gone"}]}"#)
        #expect(edit.status == 409)
        #expect(try await api.send("DELETE", "/feeds/gone?dry-run=true").status == 404)
    }

    @Test func falseIsNoDryRun() async throws {
        let api = API()
        let answer = try await api.send("PUT", "/feeds/news?dry-run=false", sampleFeed)
        #expect(answer.status == 201)
    }

    @Test(arguments: ["", "1", "yes", "TRUE", "true&dry-run=true"])
    func otherValuesAreRefused(_ value: String) async throws {
        let api = API()
        let answer = try await api.send("PUT", "/feeds/news?dry-run=\(value)", sampleFeed)
        #expect(answer.status == 400)
        #expect(answer.detail.contains("dry-run"))
    }
}
