import FeedModel
import FeedStore
import TestSupport
import Testing

/// docs/PROTOCOL.md, "Rows on demand".
@Suite(.bothWays) struct RowReading {
    @Test func theOutlineHasSectionsWithoutItems() async throws {
        let api = API()
        let token = try await api.put("news", sampleFeed)
        let document = try await api.document("/feeds/news/outline")
        #expect(
            document == [
                "kind": "outline", "feed": "news", "token": .string(ExactString(token)), "total": 6,
                "sections": [
                    ["id": "today", "title": "Today", "count": 3], ["id": "empty", "count": 0],
                    ["id": "week", "title": "Week", "index": "W", "count": 3],
                ],
            ]
        )
    }

    @Test func rowsComeInFeedOrderWithTheirPlaces() async throws {
        let api = API()
        let token = try await api.put("news", sampleFeed)
        let document = try await api.document("/feeds/news/items?offset=2&limit=2")
        #expect(
            document == [
                "kind": "items", "feed": "news", "token": .string(ExactString(token)), "total": 6,
                "offset": 2,
                "items": [
                    ["in": "today", "index": 2, "item": ["id": "a3", "headline": "Three"]],
                    ["in": "week", "index": 0, "item": ["id": "b1", "n": .number("1.10")]],
                ],
                "next": .string(ExactString("?limit=2&offset=4&version=\(token)")),
            ]
        )
    }

    /// Where a page begins, and the ids that are on it.
    @Test(arguments: [
        ("", 6), ("?offset=5", 1), ("?offset=6", 0), ("?offset=99999999999999999999999", 0),
        ("?limit=1000", 6), ("?limit=1", 1), ("?offset=3&limit=3", 3),
    ])
    func aPageEndsWithTheFeed(_ query: String, _ count: Int) async throws {
        let api = API()
        try await api.put("news", sampleFeed)
        let document = try await api.document("/feeds/news/items\(query)")
        #expect(document["items"]?.list.count == count)
        #expect((document["next"] == nil) == (query != "?limit=1"))
    }

    @Test(arguments: [
        "limit=0", "limit=1001", "limit=x", "limit=", "limit=1&limit=1", "offset=-1", "offset=",
        "offset=0&offset=0", "version=x",
    ])
    func refusesWhatIsMalformed(_ query: String) async throws {
        let api = API()
        try await api.put("news", sampleFeed)
        for path in ["items", "sections/week"] {
            let answer = try await api.get("/feeds/news/\(path)?\(query)")
            #expect(answer.status == 400)
            let name = try #require(query.split(separator: "=").first)
            #expect(answer.detail.contains("\"\(name)\""))
        }
    }

    @Test(arguments: ["/feeds/news/items", "/feeds/news/sections/a%2Fb%20%C3%A9"])
    func pagesFitTogetherHoweverMuchIsPublished(_ path: String) async throws {
        let api = API()
        let items = (0..<25).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        try await api.put("news", #"{"sections":[{"id":"a/b é","items":[\#(items)]}]}"#)
        var ids: [String] = []
        var reference: String? = "?x=a%26b+c&limit=10"
        var pages = 0
        while let query = reference {
            let answer = try await api.get(path + query)
            try #require(answer.status == 200)
            #expect(answer.json["total"] == 25)
            ids += (answer.json["items"]?.list ?? []).compactMap { $0["item"]?["id"]?.string }
            reference = answer.json["next"]?.string
            #expect(answer["Link"] == reference.map { "<\($0)>; rel=\"next\"" })
            if let reference { #expect(reference.hasPrefix("?x=a%26b%20c&limit=10&offset=")) }
            try await api.put("news", #"{"sections":[{"id":"a/b é"}],"n":\#(pages)}"#)
            pages += 1
        }
        #expect(pages == 3)
        #expect(ids == (0..<25).map { "\($0)" })
    }

    @Test(arguments: [
        ("/feeds/news/items?version=VERSION&limit=7&offset=14", "?limit=7&offset=0"),
        ("/feeds/news/sections/week?version=VERSION", "?offset=0"),
        ("/feeds/news/items?id=a1&version=VERSION", "?id=a1&offset=0"),
    ])
    func aForgottenVersionSaysWhereToStartAgain(_ target: String, _ first: String) async throws {
        let api = API()
        let token = try await api.put("news", sampleFeed)
        let target = target.replacing("VERSION", with: "\(token.prefix(8)).77")
        let answer = try await api.get(target)
        #expect(answer.status == 410)
        #expect(answer.problem == "version-forgotten")
        #expect(answer["Link"] == "<\(first)>; rel=\"first\"")
        let path = try #require(target.split(separator: "?").first)
        #expect(try await api.get(path + first).status == 200)
    }

    @Test func itemsAreFoundByTheirIds() async throws {
        let api = API()
        let token = try await api.put("news", sampleFeed)
        let document = try await api.document(
            "/feeds/news/items?id=b%2F2%20%C3%A9&id=gone&id=a2&id=a2&id=no&id=gone"
        )
        #expect(
            document == [
                "kind": "items", "feed": "news", "token": .string(ExactString(token)), "total": 6,
                "items": [
                    ["in": "week", "index": 1, "item": ["id": "b/2 é", "n": 2]],
                    ["in": "today", "index": 1, "item": ["id": "a2", "headline": "Two"]],
                ],
                "missing": ["gone", "no"],
            ]
        )
    }

    @Test func anItemComesAsItWasPublished() async throws {
        let api = API()
        let token = try await api.put("news", #"{"items":[{ "n" : 1.10, "id":"a\u002Fb" }]}"#)
        let answer = try await api.get("/feeds/news/items/a%2Fb")
        #expect(answer.text == #"{"n":1.10,"id":"a\u002Fb"}"#)
        #expect(answer["ETag"] == "\"\(token)\"")
    }

    /// "é" in one scalar and in two are two ids.
    @Test func idsAreNotNormalized() async throws {
        let api = API()
        try await api.put("news", #"{"items":[{"id":"\u00e9"},{"id":"e\u0301","n":2}]}"#)
        #expect(try await api.document("/feeds/news/items/%C3%A9")["n"] == nil)
        #expect(try await api.document("/feeds/news/items/e%CC%81")["n"] == 2)
        let both = try await api.document("/feeds/news/items?id=%C3%A9&id=e%CC%81")
        #expect(both["items"]?.list.count == 2)
    }

    @Test(arguments: [
        "/feeds/news/items/gone", "/feeds/news/items/", "/feeds/news/sections/gone",
        "/feeds/news/items/a1/x", "/feeds/news/other", "/feeds/gone/items", "/feeds/gone/outline",
        "/feeds/news/sections", "/feeds/news/",
        "/metrics", "/metrics/x", "/openapi.jso", "/feeds/gone.json", "/feeds/gone.atom",
        "/feeds/gone.rss",
    ])
    func whatIsNotThereIsNotFound(_ target: String) async throws {
        let api = API()
        try await api.put("news", sampleFeed)
        let answer = try await api.get(target)
        #expect(answer.status == 404)
        #expect(answer.problem == "not-found")
        #expect(answer["Cache-Control"] == "no-store")
    }

    @Test func aSectionHasItsMembersAndItsOwnTotal() async throws {
        let api = API()
        let token = try await api.put("news", sampleFeed)
        let document = try await api.document("/feeds/news/sections/week?offset=1&limit=1")
        #expect(
            document == [
                "kind": "items", "feed": "news", "token": .string(ExactString(token)),
                "section": ["id": "week", "title": "Week", "index": "W"], "total": 3, "offset": 1,
                "items": [["in": "week", "index": 1, "item": ["id": "b/2 é", "n": 2]]],
                "next": .string(ExactString("?limit=1&offset=2&version=\(token)")),
            ]
        )
    }

    /// A link keeps what the query says, whoever has asked for the same rows before.
    @Test(arguments: ["items", "sections/main"])
    func aLinkIsThatOfItsOwnQuery(_ path: String) async throws {
        let api = API()
        let items = (0..<300).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        let token = try await api.put("news", #"{"items":[\#(items)]}"#)
        let end = "offset=100&version=\(token)"
        for (query, next) in [
            ("?limit=100", "?limit=100&\(end)"), ("", "?\(end)"),
            ("?limit=0100", "?limit=0100&\(end)"), ("?offset=0", "?\(end)"),
            ("?limit=100&x=y", "?limit=100&x=y&\(end)"), ("?limit=100", "?limit=100&\(end)"),
            ("?limit=10%30", "?limit=100&\(end)"),
        ] {
            let answer = try await api.get("/feeds/news/\(path)\(query)")
            #expect(answer.json["next"]?.string == next)
            #expect(answer["Link"] == "<\(next)>; rel=\"next\"")
        }
    }

    @Test func largePagesAreTheSameAsSmallOnes() async throws {
        let api = API()
        let items = (0..<2500).map { #"{"id":"\#($0)","text":"some text"}"# }
        let token = try await api.put("big", #"{"items":[\#(items.joined(separator: ","))]}"#)
        let answer = try await api.get("/feeds/big/items?limit=1000&offset=1000")
        #expect(answer.json["items"]?.list.count == 1000)
        #expect(answer.json["items"]?[999]?["item"]?["id"] == "1999")
        let coded = try await api.get(
            "/feeds/big/items?limit=1000&offset=1000",
            ["Accept-Encoding": "gzip"]
        )
        #expect(coded["ETag"] == "\"\(token)-gzip\"")
        #expect(gunzip(coded.body) == answer.body)
    }
}
