import FeedModel
import TestSupport
import Testing

/// docs/PUBLISHING.md, "The requests": `PATCH` of a feed.
@Suite(.bothWays) struct Patching {
    /// Edits of the sample, and the ids of all sections with their items afterwards.
    static let edits: [(String, String)] = [
        (#"{"insert":{"id":"x"}}"#, "today:x,a1,a2,a3 empty: week:b1,b2,b3"),
        (#"{"insert":{"id":"x"},"at":"end"}"#, "today:a1,a2,a3,x empty: week:b1,b2,b3"),
        (#"{"insert":{"id":"x"},"section":"empty"}"#, "today:a1,a2,a3 empty:x week:b1,b2,b3"),
        (
            #"{"insert":{"id":"x"},"section":"week","before":"b2"}"#,
            "today:a1,a2,a3 empty: week:b1,x,b2,b3"
        ),
        (#"{"insert":{"id":"x"},"after":"b3"}"#, "today:a1,a2,a3 empty: week:b1,b2,b3,x"),
        (#"{"move":"a3"}"#, "today:a3,a1,a2 empty: week:b1,b2,b3"),
        (#"{"move":"a1","at":"end"}"#, "today:a2,a3,a1 empty: week:b1,b2,b3"),
        (#"{"move":"a1","section":"week","at":"end"}"#, "today:a2,a3 empty: week:b1,b2,b3,a1"),
        (#"{"move":"b1","before":"a2"}"#, "today:a1,b1,a2,a3 empty: week:b2,b3"),
        (#"{"move":"a1","after":"a1"}"#, "today:a1,a2,a3 empty: week:b1,b2,b3"),
        (#"{"remove":"b2"}"#, "today:a1,a2,a3 empty: week:b1,b3"),
        (#"{"insertSection":{"id":"x"}}"#, "today:a1,a2,a3 empty: week:b1,b2,b3 x:"),
        (
            #"{"insertSection":{"id":"x","items":[{"id":"y"}]},"at":"start"}"#,
            "x:y today:a1,a2,a3 empty: week:b1,b2,b3"
        ),
        (#"{"moveSection":"today"}"#, "empty: week:b1,b2,b3 today:a1,a2,a3"),
        (#"{"moveSection":"week","after":"today"}"#, "today:a1,a2,a3 week:b1,b2,b3 empty:"),
        (#"{"removeSection":"today"}"#, "empty: week:b1,b2,b3"),
        (
            #"{"insert":{"id":"x"}},{"move":"x","section":"empty"},{"remove":"a1"}"#,
            "today:a2,a3 empty:x week:b1,b2,b3"
        ),
        (
            #"{"remove":"a1"},{"insert":{"id":"a1"},"at":"end"}"#,
            "today:a2,a3,a1 empty: week:b1,b2,b3"
        ),
        ("", "today:a1,a2,a3 empty: week:b1,b2,b3"),
    ]

    static let sample = sampleFeed.replacing("b/2 é", with: "b2")

    static func layout(_ feed: NaiveFeed) -> String {
        feed.sections.map { section in
            let ids = section.items.compactMap { $0["id"]?.string }
            return section.id.string + ":" + ids.joined(separator: ",")
        }.joined(separator: " ")
    }

    @Test(arguments: edits)
    func editsApplyInOrder(_ edits: String, _ expected: String) async throws {
        let api = API()
        try await api.put("news", Self.sample)
        let answer = try await api.send("PATCH", "/feeds/news", #"{"edits":[\#(edits)]}"#)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer["ETag"] == nil)
        let feed = NaiveFeed(document: try await api.document("/feeds/news"))
        #expect(Self.layout(feed) == expected)
    }

    @Test func editsOfMembersKeepTheRest() async throws {
        let api = API()
        try await api.put("news", Self.sample)
        let answer = try await api.send(
            "PATCH",
            "/feeds/news",
            """
            {"edits":[{"set":{"n":1.20,"new":[]},"unset":["kind","none"],"item":"a1"},
              {"replace":{"id":"a2","only":true}},{"setFeed":{"x":1},"unset":["badge"]},
              {"setSection":{"x":1},"unset":["index"],"section":"week"}]}
            """
        )
        #expect(answer.status == 200, "\(answer.text)")
        let feed = NaiveFeed(document: try await api.document("/feeds/news"))
        #expect(feed.members == ["title": "News", "x": 1])
        #expect(feed.sections[2].members == ["title": "Week", "x": 1])
        #expect(
            feed.sections[0].items[0]
                == ["id": "a1", "headline": "One", "n": .number("1.20"), "new": []]
        )
        #expect(feed.sections[0].items[1] == ["id": "a2", "only": true])
    }

    /// Edits of which the last fails.
    @Test(arguments: [
        #"{"remove":"gone"}"#, #"{"move":"gone"}"#, #"{"set":{},"item":"gone"}"#,
        #"{"replace":{"id":"gone"}}"#, #"{"insert":{"id":"a1"}}"#,
        #"{"insert":{"id":"x"},"section":"gone"}"#, #"{"insert":{"id":"x"},"before":"gone"}"#,
        #"{"insert":{"id":"x"},"section":"week","after":"a1"}"#, #"{"removeSection":"gone"}"#,
        #"{"moveSection":"gone"}"#, #"{"moveSection":"week","before":"gone"}"#,
        #"{"insertSection":{"id":"week"}}"#, #"{"setSection":{},"section":"gone"}"#,
        #"{"insertSection":{"id":"x","items":[{"id":"a1"}]}}"#,
        #"{"move":"a1","section":"gone"}"#, #"{"move":"a1","section":"week","before":"a2"}"#,
    ])
    func anEditThatFailsFailsAll(_ edit: String) async throws {
        let api = API()
        let token = try await api.put("news", Self.sample)
        let body = #"{"edits":[{"remove":"b3"},{"setFeed":{"x":1}},\#(edit)]}"#
        let answer = try await api.send("PATCH", "/feeds/news", body)
        #expect(answer.status == 409, "\(answer.text)")
        #expect(answer.problem == "edit-failed")
        #expect(answer.json["edit"] == 2)
        #expect(try await api.document("/feeds/news")["token"]?.string == token)
    }

    @Test(arguments: [
        #"{}"#, #"{"edits":{}}"#, #"{"edits":[1]}"#, #"{"edits":[{}]}"#, #"[]"#,
        #"{"edits":[{"remove":1}]}"#, #"{"edits":[{"remove":"a1","move":"a2"}]}"#,
        #"{"edits":[{"set":{"id":"x"},"item":"a1"}]}"#, #"{"edits":[{"insert":{}}]}"#,
        #"{"edits":[{"setFeed":{"token":"x"}}]}"#, #"{"edits":[{"setFeed":{},"unset":["kind"]}]}"#,
        #"{"edits":[{"setSection":{"count":1},"section":"week"}]}"#,
        #"{"edits":[{"insert":{"id":"x"},"at":"middle"}]}"#, #"{"edits":[{"explode":"a1"}]}"#,
        #"{"edits":[{"set":{},"unset":"draft","item":"a1"}]}"#,
        #"{"edits":[{"insert":{"id":"x"},"before":"a1","after":"a2"}]}"#,
        #"{"edits":[{"insertSection":{"id":"x","items":[{"id":"y"},{"id":"y"}]}}]}"#,
        #"{"edits":[{"setFeed":{"title":1}}]}"#, #"{"edits":[{"set":{"kind":1},"item":"a1"}]}"#,
    ])
    func editsOfNoFormAreMalformed(_ body: String) async throws {
        let api = API()
        let token = try await api.put("news", Self.sample)
        let answer = try await api.send("PATCH", "/feeds/news", body)
        #expect(answer.status == 400, "\(answer.text)")
        #expect(!answer.detail.isEmpty)
        #expect(try await api.document("/feeds/news")["token"]?.string == token)
    }

    @Test func aFeedThatIsNotThereCannotBePatched() async throws {
        let api = API()
        for headers in [[:], ["If-Match": "*"], ["If-None-Match": "*"]] {
            let answer = try await api.send("PATCH", "/feeds/gone", #"{"edits":[]}"#, headers)
            #expect(answer.status == 404)
        }
        #expect(try await api.send("PATCH", "/feeds/gone", "{").status == 400)
    }

    static let jsonPatch = ["Content-Type": "application/json-patch+json"]

    @Test func aJSONPatchIsOfTheDocumentOfAPut() async throws {
        let api = API()
        try await api.put("news", Self.sample)
        let patch = """
            [{"op":"test","path":"/sections/2/items/0/n","value":1.10},
             {"op":"replace","path":"/sections/0/items/0/headline","value":"1"},
             {"op":"move","from":"/sections/0/items/2","path":"/sections/1/items/0"},
             {"op":"remove","path":"/badge"},
             {"op":"copy","from":"/title","path":"/subtitle"},
             {"op":"add","path":"/sections/2/items/-","value":{"id":"x"}}]
            """
        let answer = try await api.send("PATCH", "/feeds/news", patch, Self.jsonPatch)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(
            answer.json["items"] == ["inserted": 1, "removed": 0, "moved": 1, "updated": 1]
        )
        let feed = NaiveFeed(document: try await api.document("/feeds/news"))
        #expect(Self.layout(feed) == "today:a1,a2 empty:a3 week:b1,b2,b3,x")
        #expect(feed.members == ["title": "News", "subtitle": "News"])
    }

    @Test(arguments: [
        (#"[{"op":"remove","path":"/badge"},{"op":"remove","path":"/none"}]"#, 409, 1),
        (#"[{"op":"test","path":"/sections/2/items/0/n","value":1.1}]"#, 409, 0),
        (#"[{"op":"test","path":"/title","value":"N"},{"op":"remove","path":"/x"}]"#, 409, 0),
        (#"[{"op":"add","path":"/sections/9/items/-","value":{}}]"#, 409, 0),
        (#"[{"op":"add","path":"/sections/0/items/-","value":{"id":"a1"}}]"#, 422, nil),
        (#"[{"op":"add","path":"/sections/0/items/-","value":{"id":""}}]"#, 422, nil),
        (#"[{"op":"remove","path":"/sections"}]"#, 422, nil),
        (#"[{"op":"replace","path":"","value":7}]"#, 422, nil),
        (#"[{"op":"replace","path":"/title","value":7}]"#, 422, nil),
        (#"[{"op":"explode","path":"/title"}]"#, 400, nil), (#"{"op":"x"}"#, 400, nil),
        (#"[{"op":"remove","path":"title"}]"#, 400, nil), ("[", 400, nil),
        (#"[{"op":"add","path":"/x"}]"#, 400, nil),
    ])
    func aJSONPatchIsAppliedWholeOrNotAtAll(
        _ patch: String,
        _ status: Int,
        _ edit: Int?
    ) async throws {
        let api = API()
        let token = try await api.put("news", Self.sample)
        let answer = try await api.send("PATCH", "/feeds/news", patch, Self.jsonPatch)
        #expect(answer.status == status, "\(answer.text)")
        #expect(answer.json["edit"]?.int == edit)
        #expect(!answer.detail.isEmpty)
        #expect(try await api.document("/feeds/news")["token"]?.string == token)
    }
}
