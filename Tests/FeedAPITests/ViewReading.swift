import FeedModel
import TestSupport
import Testing

/// docs/PROTOCOL.md, "Views".
@Suite(.bothWays) struct ViewReading {
    /// A query, the sections that it shows, and the items.
    static let views: [(String, [String], [String])] = [
        ("limit=0", ["today", "empty", "week"], []),
        ("limit=4", ["today", "empty", "week"], ["a1", "a2", "a3", "b1"]),
        ("limit=99", ["today", "empty", "week"], ["a1", "a2", "a3", "b1", "b/2 é", "b3"]),
        (
            "limit=99999999999999999999", ["today", "empty", "week"],
            ["a1", "a2", "a3", "b1", "b/2 é", "b3"]
        ),
        ("section=week", ["week"], ["b1", "b/2 é", "b3"]),
        (
            "section=week&section=today", ["today", "week"],
            ["a1", "a2", "a3", "b1", "b/2 é", "b3"]
        ),
        ("section=week&section=week", ["week"], ["b1", "b/2 é", "b3"]),
        ("section=gone", [], []),
        ("section=", [], []),
        ("section=week&limit=1&section=gone", ["week"], ["b1"]),
        ("limit=002", ["today", "empty", "week"], ["a1", "a2"]),
    ]

    @Test(arguments: views)
    func showsAPart(_ query: String, _ sections: [String], _ items: [String]) async throws {
        let api = API()
        let token = try await api.put("news", sampleFeed)
        for _ in 0..<2 {
            let answer = try await api.get("/feeds/news?\(query)")
            #expect(answer.status == 200)
            #expect(answer["ETag"] == "\"\(token)\"")
            let feed = NaiveFeed(document: answer.json)
            #expect(feed.sections.map(\.id.string) == sections)
            #expect(feed.itemIDs.map(\.string) == items)
            #expect(answer.json["count"]?.int == items.count)
            #expect(answer.json["total"] == 6)
            #expect(answer.json["order"]?.string == feed.order)
            let full = ["today": 3, "empty": 0, "week": 3]
            for section in answer.json["sections"]?.list ?? [] {
                #expect(section["count"]?.int == full[section["id"]?.string ?? ""])
            }
        }
    }

    @Test func aWholeFeedHasNoTotal() async throws {
        let api = API()
        try await api.put("news", sampleFeed)
        #expect(try await api.document("/feeds/news")["total"] == nil)
    }

    @Test func aVersionIsShownAsLongAsItIsRemembered() async throws {
        let api = API()
        let old = try await api.put("news", sampleFeed)
        try await api.put("news", #"{"items":[]}"#)
        for form in [old, "%22\(old)%22", "\(old)-gzip", "\(old)-deflate"] {
            let document = try await api.document("/feeds/news?version=\(form)&limit=2")
            #expect(document["token"]?.string == old)
            #expect(NaiveFeed(document: document).itemIDs == ["a1", "a2"])
        }
        for token in ["\(old.prefix(8)).99", "aaaaaaaa.1"] {
            let answer = try await api.get("/feeds/news?version=\(token)")
            #expect(answer.status == 410)
            #expect(answer.problem == "version-forgotten")
        }
    }

    @Test func changesAreThoseOfTheView() async throws {
        let api = API()
        let old = try await api.put("news", sampleFeed)
        let answer = try await api.send(
            "PATCH",
            "/feeds/news",
            #"{"edits":[{"remove":"a1"},{"remove":"b3"},{"insertSection":{"id":"new"}}]}"#
        )
        try #require(answer.status == 200)
        let first = try await api.document("/feeds/news?since=\(old)&limit=2")
        #expect(first["kind"] == "changes")
        #expect(first["count"] == 2)
        #expect(first["total"] == 4)
        #expect(
            first["changes"] == [
                "sections": [
                    "insert": [["index": 3, "section": ["id": "new", "count": 0]]],
                    "update": [["id": "today", "count": 2], ["id": "week", "count": 2]],
                ],
                "items": [
                    "remove": ["a1"],
                    "insert": [
                        [
                            "section": "today", "index": 1,
                            "item": ["id": "a3", "headline": "Three"],
                        ]
                    ],
                ],
            ]
        )
        let untouched = try await api.document("/feeds/news?since=\(old)&section=empty")
        #expect(untouched["kind"] == "changes")
        #expect(untouched["changes"] == [:])
    }
}
