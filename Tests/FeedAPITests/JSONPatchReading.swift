import FeedModel
import TestSupport
import Testing

/// docs/PROTOCOL.md, "JSON Patch".
@Suite(.bothWays) struct JSONPatchReading {
    @Test func leadsFromOneDocumentToTheOther() async throws {
        let api = API()
        let old = try await api.put("news", sampleFeed)
        let before = NaiveFeed(document: try await api.document("/feeds/news")).document
        let new = try await api.put("news", sampleFeed.replacing("One", with: "1"))
        let after = NaiveFeed(document: try await api.document("/feeds/news")).document
        for _ in 0..<2 {
            let answer = try await api.get("/feeds/news?format=json-patch&since=\(old)")
            #expect(answer.status == 200)
            #expect(answer["Content-Type"] == "application/json-patch+json")
            #expect(answer["ETag"] == "\"\(new)\"")
            #expect(try NaivePatch.apply(answer.json, to: before) == after)
        }
    }

    @Test func nothingNewIsAnEmptyPatch() async throws {
        let api = API()
        let token = try await api.put("news", sampleFeed)
        let answer = try await api.get("/feeds/news?format=json-patch&since=\(token)")
        #expect(answer.text == "[]")
        #expect(answer["Cache-Control"] == "no-store")
    }

    @Test(arguments: ["", "&since=aaaaaaaa.1", "&since=EPOCH.99"])
    func withoutAKnownVersionTheDocumentIsReplaced(_ query: String) async throws {
        let api = API()
        let token = try await api.put("news", sampleFeed)
        let query = query.replacing("EPOCH", with: token.prefix(8))
        let answer = try await api.get("/feeds/news?format=json-patch\(query)")
        let document = NaiveFeed(document: try await api.document("/feeds/news")).document
        #expect(answer.json == [["op": "replace", "path": "", "value": document]])
    }

    @Test func comesInGzipWithItsOwnMediaType() async throws {
        let api = API()
        let items = (0..<100).map { #"{"id":"i\#($0)","text":"much the same"}"# }
        try await api.put("long", #"{"items":[\#(items.joined(separator: ","))]}"#)
        let plain = try await api.get("/feeds/long?format=json-patch")
        let coded = try await api.get(
            "/feeds/long?format=json-patch",
            ["Accept-Encoding": "gzip"]
        )
        #expect(coded["Content-Type"] == "application/json-patch+json")
        #expect(gunzip(coded.body) == plain.body)
    }
}
