import FeedAPI
import FeedModel
import TestSupport
import Testing

/// docs/PUBLISHING.md, "The requests": several items at once.
@Suite(.bothWays) struct ItemArrays {
    private static let several = #"[{"id":"x"},{"id":"y","n":1},{"id":"z"}]"#

    @Test(arguments: [
        ("", "today:x,y,z,a1,a2,a3 empty: week:b1,b2,b3"),
        ("?at=start&section=week", "today:a1,a2,a3 empty: week:x,y,z,b1,b2,b3"),
        ("?at=end", "today:a1,a2,a3,x,y,z empty: week:b1,b2,b3"),
        ("?section=empty", "today:a1,a2,a3 empty:x,y,z week:b1,b2,b3"),
        ("?before=b2", "today:a1,a2,a3 empty: week:b1,x,y,z,b2,b3"),
        ("?after=a3&section=today", "today:a1,a2,a3,x,y,z empty: week:b1,b2,b3"),
    ])
    func theyStandInTheirOrder(_ query: String, _ layout: String) async throws {
        let api = API()
        try await api.put("news", Patching.sample)
        let answer = try await api.send("POST", "/feeds/news/items" + query, Self.several)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(answer["Location"] == nil)
        #expect(answer.json["items"]?["inserted"] == 3)
        let feed = NaiveFeed(document: try await api.document("/feeds/news"))
        #expect(Patching.layout(feed) == layout)
    }

    @Test func oneInAnArrayHasNoLocation() async throws {
        let api = API()
        try await api.put("news", #"{"sections":[]}"#)
        let answer = try await api.send("POST", "/feeds/news/items", #" [{"id":"x"}] "#)
        #expect(answer.status == 201)
        #expect(answer["Location"] == nil)
        let feed = NaiveFeed(document: try await api.document("/feeds/news"))
        #expect(Patching.layout(feed) == "main:x")
    }

    @Test func noneChangesNothing() async throws {
        let api = API()
        let token = try await api.put("news", #"{"sections":[]}"#)
        let answer = try await api.send("POST", "/feeds/news/items", "[]")
        #expect(answer.status == 200)
        #expect(answer.json["changed"] == false)
        #expect(answer.json["token"]?.string == token)
        #expect(try await api.send("POST", "/feeds/gone/items", "[]").status == 404)
        let late = ["If-Match": "\"aaaaaaaa.1\""]
        #expect(try await api.send("POST", "/feeds/news/items", "[]", late).status == 412)
    }

    @Test(arguments: [
        (#"[{"id":"x"},{"id":"y"},{"id":"x"}]"#, "", 400, "duplicate-id", nil as Int?),
        (#"[{"id":"x"},{"id":"a1"},{"id":"a2"}]"#, "", 409, "conflict", 1),
        (#"[{"id":"x"},{"id":"y"}]"#, "?before=gone", 409, "conflict", nil),
        (#"[{"id":"x"},{"kind":1,"id":"y"}]"#, "", 400, "malformed", nil),
        (#"[{"id":"x"},7]"#, "", 400, "malformed", nil),
        (#"[{"id":"x"}],"#, "", 400, "malformed", nil),
        (#"{"id":"a1"}"#, "", 409, "conflict", nil),
        (
            "[" + (0..<5).map { #"{"id":"n\#($0)"}"# }.joined(separator: ",") + "]", "", 422,
            "limit", nil
        ),
    ])
    func allOrNone(
        _ body: String,
        _ query: String,
        _ status: Int,
        _ problem: String,
        _ item: Int?
    ) async throws {
        let api = API { $0.itemLimit = 10 }
        let token = try await api.put("news", Patching.sample)
        let answer = try await api.send("POST", "/feeds/news/items" + query, body)
        #expect(answer.status == status)
        #expect(answer.problem == problem)
        #expect(answer.json["item"] == item.map { .number("\($0)") })
        #expect(try await api.document("/feeds/news")["token"]?.string == token)
    }

    @Test func inACollatedFeedEachGoesToItsPlace() async throws {
        let api = API()
        let feed = #"{"collate":{"by":"name","locale":"en"},"items":[{"id":"m","name":"Mia"}]}"#
        let made = try await api.send("PUT", "/feeds/names", feed)
        // Without a library that knows locales there is nothing to collate by.
        guard made.status == 201 else { return }
        let body = #"[{"id":"z","name":"Zoe"},{"id":"a","name":"Ada"}]"#
        let answer = try await api.send("POST", "/feeds/names/items?at=start", body)
        #expect(answer.status == 201, "\(answer.text)")
        let names = NaiveFeed(document: try await api.document("/feeds/names"))
        #expect(Patching.layout(names) == "A:a M:m Z:z")
    }
}
