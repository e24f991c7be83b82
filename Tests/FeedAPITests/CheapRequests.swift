import FeedModel
import FeedStore
import HTTPServer
import TestSupport
import Testing

@testable import FeedAPI

/// What little can be asked for, however short the request is (docs/PROTOCOL.md, "Limits").
@Suite(.bothWays) struct CheapRequests {
    private static func repeated(_ name: String, _ count: Int) -> String {
        (0..<count).map { "\(name)=i\($0)" }.joined(separator: "&")
    }

    @Test(arguments: [
        ("/feeds/news?", "section"), ("/feeds/news/items?", "id"), ("/pull?feed=news&", "section"),
    ])
    func soManyNamesAreTakenAndNoMore(_ start: String, _ name: String) async throws {
        let api = API()
        try await api.put("news", sampleFeed)
        #expect(try await api.get(start + Self.repeated(name, 1000)).status == 200)
        let answer = try await api.get(start + Self.repeated(name, 1001))
        #expect(answer.status == 400)
        #expect(answer.text.contains("more than 1000 times"))
    }

    private static func members(_ count: Int) -> String {
        (0..<count).map { #""m\#($0)":\#($0)"# }.joined(separator: ",")
    }

    @Test func feedsAndSectionsHaveSoManyMembersAndNoMore() async throws {
        let api = API()
        try await api.put("news", "{\(Self.members(10_000)),\"items\":[]}")
        let section = { "{\"sections\":[{\"id\":\"a\",\(Self.members($0)),\"items\":[]}]}" }
        try await api.put("other", section(10_000))
        for (body, path) in [
            ("{\(Self.members(10_001)),\"items\":[]}", ""), (section(10_001), "sections[0]"),
        ] {
            let answer = try await api.send("PUT", "/feeds/news", body)
            #expect(answer.status == 422)
            #expect(answer.problem == "limit")
            #expect(answer.text.contains("10000 members"))
            #expect(answer.text.contains(path))
        }
        for (feed, edit) in [
            ("news", #"{"setFeed":{"new":1}}"#),
            ("other", #"{"setSection":{"new":1},"section":"a"}"#),
        ] {
            let edits = "{\"edits\":[\(edit)]}"
            let edited = try await api.send("PATCH", "/feeds/\(feed)", edits)
            #expect(edited.status == 422, "\(edited.text)")
        }
        let patch = #"[{"op":"add","path":"/new","value":1}]"#
        let type = ["Content-Type": "application/json-patch+json"]
        #expect(try await api.send("PATCH", "/feeds/news", patch, type).status == 422)
    }

    /// Each operation writes all members anew: past a budget the whole document is taken apart
    /// once.
    @Test func aPatchOfManyMembersIsCarriedOut() async throws {
        let api = API()
        try await api.put("news", "{\(Self.members(9000)),\"items\":[]}")
        let operations = (0..<2000).map { #"{"op":"replace","path":"/m\#($0)","value":"new"}"# }
        let patch = "[\(operations.joined(separator: ","))]"
        let type = ["Content-Type": "application/json-patch+json"]
        let answer = try await api.send("PATCH", "/feeds/news", patch, type)
        #expect(answer.status == 200, "\(answer.text)")
        let feed = try await api.document("/feeds/news")
        #expect(feed["m0"] == "new" && feed["m1999"] == "new" && feed["m2000"] == 2000)
    }

    @Test func aLongNameIsNotLookedUp() async throws {
        let api = API()
        try await api.put("news", sampleFeed)
        let name = String(repeating: "dry-rum_", count: 500)
        let answer = try await api.send("PUT", "/feeds/news?\(name)=1", sampleFeed)
        #expect(answer.status == 400)
        #expect(!answer.text.contains("is meant"))
        #expect(answer.text.utf8.count < 1000)
    }

    @Test(arguments: ["GET", "HEAD"])
    func aCompressedListIsNotSentAgain(_ method: String) async throws {
        let api = API()
        let title = String(repeating: "A long title. ", count: 200)
        try await api.put("news", #"{"title":"\#(title)","items":[]}"#)
        let coding = ["Accept-Encoding": "gzip"]
        let first = try await api.send(method, "/feeds", nil, coding)
        #expect(first.status == 200)
        #expect(first["Content-Encoding"] == "gzip")
        let tag = try #require(first["ETag"])
        let again = try await api.send(
            method,
            "/feeds",
            nil,
            coding.merging(["If-None-Match": tag]) { $1 }
        )
        #expect(again.status == 304)
        #expect(again["ETag"] == tag)
    }

    @Test func soManyPatternsAreFollowedAndNoMore() async throws {
        let api = API()
        let patterns = (0..<1001).map { "\"p\($0)-*\"" }
        let body = { (list: ArraySlice<String>) in #"{"match":[\#(list.joined(separator: ","))]}"# }
        let key = ["Authorization": "Bearer \(API.key)"]
        let answer = try await api.send("POST", "/events", body(patterns[...]), key)
        #expect(answer.status == 413)
        #expect(answer.problem == "limit")
    }
}
