import FeedDiff
import FeedModel
import TestSupport
import Testing

/// docs/PUBLISHING.md, "The requests": single items.
@Suite(.bothWays) struct ItemPublishing {
    @Test(arguments: [
        ("", "today:x,a1,a2,a3 empty: week:b1,b2,b3"),
        ("?at=start", "today:x,a1,a2,a3 empty: week:b1,b2,b3"),
        ("?at=end", "today:a1,a2,a3,x empty: week:b1,b2,b3"),
        ("?section=empty", "today:a1,a2,a3 empty:x week:b1,b2,b3"),
        ("?section=week&at=end", "today:a1,a2,a3 empty: week:b1,b2,b3,x"),
        ("?before=b2", "today:a1,a2,a3 empty: week:b1,x,b2,b3"),
        ("?after=a3&section=today", "today:a1,a2,a3,x empty: week:b1,b2,b3"),
    ])
    func oneIsInserted(_ query: String, _ expected: String) async throws {
        for method in ["POST", "PUT"] {
            let api = API()
            try await api.put("news", Patching.sample)
            let path = method == "POST" ? "items" : "items/x"
            let answer = try await api.send(method, "/feeds/news/\(path)\(query)", #"{"id":"x"}"#)
            #expect(answer.status == 201, "\(answer.text)")
            #expect(answer["ETag"] == nil)
            #expect(answer.json["items"]?["inserted"] == 1)
            let feed = NaiveFeed(document: try await api.document("/feeds/news"))
            #expect(Patching.layout(feed) == expected)
        }
    }

    @Test func itsPlaceIsNamed() async throws {
        let api = API()
        try await api.put("news", #"{"items":[]}"#)
        let answer = try await api.send("POST", "/feeds/news/items", #"{"id":"a/b é?"}"#)
        #expect(answer.status == 201)
        #expect(answer["Location"] == "items/a%2Fb%20%C3%A9%3F")
        let item = try await api.document("/feeds/news/" + (try #require(answer["Location"])))
        #expect(item == ["id": "a/b é?"])
    }

    @Test func aFeedWithoutSectionsGetsMain() async throws {
        let api = API()
        try await api.put("news", #"{"sections":[]}"#)
        #expect(try await api.send("POST", "/feeds/news/items", #"{"id":"x"}"#).status == 201)
        let feed = NaiveFeed(document: try await api.document("/feeds/news"))
        #expect(Patching.layout(feed) == "main:x")
    }

    @Test(arguments: [
        ("POST", "items", #"{"id":"a1"}"#, 409),
        ("POST", "items?section=gone", #"{"id":"x"}"#, 409),
        ("POST", "items?before=gone", #"{"id":"x"}"#, 409),
        ("POST", "items?section=week&after=a1", #"{"id":"x"}"#, 409),
        ("POST", "items?at=middle", #"{"id":"x"}"#, 400),
        ("POST", "items?at=start&before=a1", #"{"id":"x"}"#, 400),
        ("POST", "items?at=start&at=end", #"{"id":"x"}"#, 400), ("POST", "items", "{}", 400),
        ("POST", "items", "[1]", 400), ("POST", "items", "[{}", 400),
        ("PATCH", "items/a1", #"{"id":null}"#, 422),
        ("POST", "items", #"{"id":""}"#, 400),
        ("POST", "items", #"{"id":"x","kind":1}"#, 400), ("POST", "items", "", 400),
        ("POST", "items?dry-run=maybe", #"{"id":"x"}"#, 400),
        ("PUT", "items/a1", #"{"id":"a2"}"#, 400), ("PUT", "items/x?section=gone", "{}", 409),
        ("PUT", "items/%00", "{}", 400), ("PUT", "items/", "{}", 400),
        ("PUT", "items/%7F?at=end", "{}", 400), ("PATCH", "items/gone", "{}", 404),
        ("PATCH", "items/a1", "{", 400), ("PATCH", "items/a1", "[]", 422),
        ("PATCH", "items/a1", "null", 422), ("PATCH", "items/a1", #"{"id":"a2"}"#, 422),
        ("PATCH", "items/a1", #"{"id":"x"}"#, 422), ("PATCH", "items/a1", #"{"id":7}"#, 422),
        ("PATCH", "items/a1", #"{"kind":7}"#, 422), ("DELETE", "items/gone", "", 404),
    ])
    func whatCannotBeDoneChangesNothing(
        _ method: String,
        _ path: String,
        _ body: String,
        _ status: Int
    ) async throws {
        let api = API()
        let token = try await api.put("news", Patching.sample)
        let type = method == "PATCH" ? "application/merge-patch+json" : "application/json"
        let answer = try await api.send(
            method,
            "/feeds/news/\(path)",
            body,
            ["Content-Type": type]
        )
        #expect(answer.status == status, "\(answer.text)")
        #expect(!answer.detail.isEmpty)
        #expect(try await api.document("/feeds/news")["token"]?.string == token)
    }

    @Test(arguments: ["POST items", "PUT items/x", "PATCH items/x", "DELETE items/x"])
    func aFeedMustBeThere(_ request: String) async throws {
        let parts = request.split(separator: " ").map(String.init)
        let type = parts[0] == "PATCH" ? "application/merge-patch+json" : "application/json"
        let answer = try await API().send(
            parts[0],
            "/feeds/gone/\(parts[1])",
            #"{"id":"x"}"#,
            ["Content-Type": type, "If-Match": "*"]
        )
        #expect(answer.status == 404)
    }

    @Test func oneIsReplacedWhereItIs() async throws {
        let api = API()
        try await api.put("news", Patching.sample)
        let answer = try await api.send(
            "PUT",
            "/feeds/news/items/a2?at=end",
            #"{"headline":"2","n":1.0}"#
        )
        #expect(answer.status == 200)
        #expect(answer.json["items"]?["updated"] == 1)
        let feed = NaiveFeed(document: try await api.document("/feeds/news"))
        #expect(Patching.layout(feed) == "today:a1,a2,a3 empty: week:b1,b2,b3")
        #expect(
            feed.sections[0].items[1] == ["id": "a2", "headline": "2", "n": .number("1.0")]
        )
    }

    @Test(arguments: ["application/merge-patch+json", "application/json"])
    func aMergePatchChangesSomeMembers(_ type: String) async throws {
        let api = API()
        try await api.put("news", #"{"items":[{"id":"x","a":1.10,"b":{"c":1,"d":2},"e":[1]}]}"#)
        let answer = try await api.send(
            "PATCH",
            "/feeds/news/items/x",
            #"{"b":{"c":null,"f":{"g":null}},"e":null,"id":"x"}"#,
            ["Content-Type": type]
        )
        #expect(answer.status == 200, "\(answer.text)")
        let item = try await api.document("/feeds/news/items/x")
        #expect(item == ["id": "x", "a": .number("1.10"), "b": ["d": 2, "f": [:]]])
    }

    @Test func oneIsRemoved() async throws {
        let api = API()
        try await api.put("news", sampleFeed)
        let answer = try await api.send("DELETE", "/feeds/news/items/b%2F2%20%C3%A9")
        #expect(answer.status == 204)
        #expect(answer.body.isEmpty)
        #expect(try await api.document("/feeds/news")["count"] == 5)
    }
}
