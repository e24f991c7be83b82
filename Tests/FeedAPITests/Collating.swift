import FeedModel
import TestSupport
import Testing

/// docs/PROTOCOL.md, "Collation".
@Suite(.bothWays) struct Collating {
    private static let people = """
        {"collate":{"by":"name","locale":"sv"},"items":[
        {"id":"o","name":"Östen"},{"id":"z","name":"Zoe"},{"id":"a2","name":"anna","n":2},
        {"id":"x"},{"id":"a1","name":"Anna"},{"id":"n","name":"42"}]}
        """

    private static func layout(_ api: API) async throws -> String {
        Patching.layout(NaiveFeed(document: try await api.document("/feeds/people")))
    }

    @Test func itemsAreSortedIntoTheLettersOfTheLocale() async throws {
        let api = API()
        try await api.put("people", Collating.people)
        #expect(try await Collating.layout(api) == "A:a2,a1 Z:z Ö:o #:n,x")
        let document = try await api.document("/feeds/people")
        #expect(document["collate"] == ["by": "name", "locale": "sv"])
        #expect(document["sections"]?[0]?["title"] == "A")
        #expect(document["sections"]?[0]?["index"] == "A")
    }

    @Test func aSnapshotSentBackChangesNothing() async throws {
        let api = API()
        let token = try await api.put("people", Collating.people)
        let snapshot = try await api.get("/feeds/people")
        #expect(try await api.put("people", snapshot.text) == token)
    }

    @Test(arguments: [
        ("POST", "/items?at=end", #"{"id":"b","name":"Bo"}"#, 201, "A:a2,a1 B:b Z:z Ö:o #:n,x"),
        (
            "POST", "/items?before=gone", #"{"id":"b","name":"Bo"}"#, 201,
            "A:a2,a1 B:b Z:z Ö:o #:n,x"
        ),
        ("POST", "/items", #"{"id":"a3","name":"anna"}"#, 201, "A:a2,a3,a1 Z:z Ö:o #:n,x"),
        ("PUT", "/items/z", #"{"name":"Albert"}"#, 200, "A:z,a2,a1 Ö:o #:n,x"),
        ("DELETE", "/items/o", "", 204, "A:a2,a1 Z:z #:n,x"),
        (
            "PATCH", "", #"{"edits":[{"move":"a1","at":"start"},{"set":{"name":"Q"},"item":"x"}]}"#,
            200, "A:a2,a1 Q:x Z:z Ö:o #:n"
        ),
        ("PATCH", "", #"{"edits":[{"remove":"x"},{"move":"gone"}]}"#, 409, nil),
        ("PATCH", "", #"{"edits":[{"insertSection":{"id":"q"}}]}"#, 409, nil),
        ("PATCH", "", #"{"edits":[{"moveSection":"A"}]}"#, 409, nil),
        ("PATCH", "", #"{"edits":[{"removeSection":"A"}]}"#, 409, nil),
        ("PATCH", "", #"{"edits":[{"setSection":{"title":"B"},"section":"A"}]}"#, 409, nil),
        ("PATCH", "", #"{"edits":[{"setFeed":{},"unset":["collate"]}]}"#, 409, nil),
    ])
    func laterEditsArePlacedByTheCollation(
        _ method: String,
        _ path: String,
        _ body: String,
        status: Int,
        layout: String?
    ) async throws {
        let api = API()
        try await api.put("people", Collating.people)
        let before = try await Collating.layout(api)
        let answer = try await api.send(method, "/feeds/people" + path, body)
        #expect(answer.status == status, "\(answer.text)")
        #expect(try await Collating.layout(api) == layout ?? before)
    }

    @Test func aDocumentWithoutTheMemberEndsIt() async throws {
        let api = API()
        try await api.put("people", Collating.people)
        try await api.put("people", #"{"items":[{"id":"b","name":"B"},{"id":"a","name":"A"}]}"#)
        #expect(try await Collating.layout(api) == "main:b,a")
        let answer = try await api.send("POST", "/feeds/people/items?at=end", #"{"id":"0"}"#)
        #expect(answer.status == 201)
        #expect(try await Collating.layout(api) == "main:b,a,0")
    }

    @Test(arguments: ["xx-none", "", "klingon!"])
    func aLocaleThatIsNotKnownIsRefused(_ locale: String) async throws {
        let api = API()
        let body = #"{"items":[],"collate":{"by":"name","locale":"\#(locale)"}}"#
        let answer = try await api.send("PUT", "/feeds/people", body)
        #expect(answer.status == 400)
        #expect(answer.text.contains("collate.locale"))
    }

    @Test func onlyAWholeDocumentBeginsIt() async throws {
        let api = API()
        try await api.put("people", #"{"items":[{"id":"b","name":"B"},{"id":"a","name":"A"}]}"#)
        let edit = #"{"edits":[{"setFeed":{"collate":{"by":"name","locale":"en"}}}]}"#
        #expect(try await api.send("PATCH", "/feeds/people", edit).status == 409)
        #expect(try await Collating.layout(api) == "main:b,a")
    }
}
