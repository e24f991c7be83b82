import FeedModel
import TestSupport
import Testing

@testable import FeedDiff

@Suite struct EditReading {
    static let example = """
        {"edits": [{"insert": {"id": "b1"}, "section": "now", "before": "a2"},
                   {"set": {"likes": 4}, "unset": ["draft"], "item": "a9"},
                   {"replace": {"id": "a2", "headline": "…"}},
                   {"move": "a7", "section": "week", "at": "end"},
                   {"remove": "a1"},
                   {"insertSection": {"id": "now", "title": "Now"}, "at": "start"},
                   {"setSection": {"title": "Today"}, "unset": [], "section": "today"},
                   {"moveSection": "week", "after": "today"},
                   {"removeSection": "old"},
                   {"setFeed": {"title": "News"}, "unset": []}]}
        """

    @Test func readsTheProtocolsExample() throws {
        let list = try Edit.list(parsing: Array(Self.example.utf8))
        #expect(
            list.map { "\($0)" }.map { $0.prefix { $0 != "(" } } == [
                "insert", "set", "replace", "move", "remove", "insertSection", "setSection",
                "moveSection", "removeSection", "setFeed",
            ]
        )
        guard case .insert(let item, section: "now", at: .before("a2")) = list[0] else {
            Issue.record("\(list[0])")
            return
        }
        #expect(item.id == "b1")
        guard case .set(let edit, item: "a9") = list[1] else {
            Issue.record("\(list[1])")
            return
        }
        let likes = try JSONText(parsing: Array("4".utf8))
        #expect(
            edit == Changes.MemberEdit(set: [Member(name: "likes", value: likes)], unset: ["draft"])
        )
        guard case .move("a7", section: "week", at: .end) = list[3],
            case .moveSection("week", at: .after("today")) = list[7]
        else {
            Issue.record("\(list[3]), \(list[7])")
            return
        }
    }

    @Test func noStartOfADocumentIsOne() {
        let bytes = Array(Self.example.utf8)
        for end in bytes.indices {
            #expect(throws: DocumentError.self) { try Edit.list(parsing: Array(bytes[..<end])) }
        }
    }

    @Test(arguments: [
        ("[]", ""), ("3", ""), ("{}", "edits"), (#"{"edits": {}}"#, "edits"),
        (#"{"edits": [], "dryRun": true}"#, "dryRun"), (#"{"edits": [3]}"#, "edits[0]"),
    ])
    func refusesADocument(_ json: String, at path: String) {
        expectMalformed(json, at: path)
    }

    @Test(
        arguments: [
            // No operation, several, or members that do not belong to it.
            (#"{}"#, ""), (#"{"item": "a"}"#, ""), (#"{"unset": ["b"], "item": "a"}"#, ""),
            (#"{"insert": {"id": "a"}, "move": "a"}"#, ".move"),
            (#"{"remove": "a", "remove2": "a"}"#, ".remove2"),
            (#"{"remove": "a", "at": "end"}"#, ".at"),
            (#"{"remove": "a", "section": "s"}"#, ".section"),
            (#"{"replace": {"id": "a"}, "before": "b"}"#, ".before"),
            (#"{"set": {}, "item": "a", "section": "s"}"#, ".section"),
            (#"{"setFeed": {}, "item": "a"}"#, ".item"),
            (#"{"insertSection": {"id": "s"}, "section": "s"}"#, ".section"),
            (#"{"moveSection": "s", "section": "s"}"#, ".section"),
            // What is missing.
            (#"{"set": {}}"#, ".item"), (#"{"setSection": {}}"#, ".section"),
            (#"{"insert": {}}"#, ".insert.id"), (#"{"insertSection": {}}"#, ".insertSection.id"),
            // Of another type.
            (#"{"insert": "a"}"#, ".insert"), (#"{"replace": []}"#, ".replace"),
            (#"{"set": [], "item": "a"}"#, ".set"), (#"{"set": {}, "item": 1}"#, ".item"),
            (#"{"set": {}, "item": "a", "unset": "b"}"#, ".unset"),
            (#"{"set": {}, "item": "a", "unset": ["b", 1]}"#, ".unset[1]"),
            (#"{"move": {"id": "a"}}"#, ".move"), (#"{"remove": null}"#, ".remove"),
            (#"{"move": "a", "section": 1}"#, ".section"),
            (#"{"insertSection": "s"}"#, ".insertSection"),
            (#"{"moveSection": 1}"#, ".moveSection"),
            (#"{"removeSection": {}}"#, ".removeSection"), (#"{"setFeed": null}"#, ".setFeed"),
            // Places.
            (#"{"move": "a", "at": "top"}"#, ".at"), (#"{"move": "a", "at": 0}"#, ".at"),
            (#"{"move": "a", "before": 1}"#, ".before"),
            (#"{"move": "a", "after": null}"#, ".after"),
            (#"{"move": "a", "before": "b", "after": "c"}"#, ".after"),
            (#"{"move": "a", "at": "end", "before": "b"}"#, ".before"),
            (#"{"moveSection": "a", "after": "b", "at": "start"}"#, ".after"),
            // Ids.
            (#"{"insert": {"id": ""}}"#, ".insert.id"),
            (#"{"insert": {"id": ".."}}"#, ".insert.id"),
            (#"{"insertSection": {"id": "."}}"#, ".insertSection.id"),
            (#"{"insertSection": {"id": "a\n"}}"#, ".insertSection.id"),
            // Members that belong to the protocol.
            (#"{"set": {"id": "b"}, "item": "a"}"#, ".set.id"),
            (#"{"set": {}, "unset": ["x", "id"], "item": "a"}"#, ".unset[1]"),
            (#"{"setSection": {"count": 1}, "section": "s"}"#, ".setSection.count"),
            (#"{"setSection": {"items": []}, "section": "s"}"#, ".setSection.items"),
            (#"{"setSection": {}, "unset": ["id"], "section": "s"}"#, ".unset[0]"),
            (#"{"setFeed": {"token": "x"}}"#, ".setFeed.token"),
            (#"{"setFeed": {}, "unset": ["sections"]}"#, ".unset[0]"),
            (#"{"insertSection": {"id": "s", "count": 0}}"#, ".insertSection.count"),
            // Both ways at once.
            (#"{"set": {"b": 1}, "unset": ["b"], "item": "a"}"#, ".unset[0]"),
            (#"{"set": {"b": 1, "b": 2}, "item": "a"}"#, nil),
            // What a PUT would refuse.
            (#"{"set": {"kind": 1}, "item": "a"}"#, ".set.kind"),
            (#"{"setSection": {"title": 1}, "section": "s"}"#, ".setSection.title"),
            (#"{"setSection": {"index": []}, "section": "s"}"#, ".setSection.index"),
            (#"{"setFeed": {"title": null}}"#, ".setFeed.title"),
            (#"{"setFeed": {"maxAge": -1}}"#, ".setFeed.maxAge"),
            (#"{"setFeed": {"maxAge": "1"}}"#, ".setFeed.maxAge"),
            (#"{"insert": {"id": "a", "kind": 1}}"#, ".insert.kind"),
            (#"{"insertSection": {"id": "s", "title": 1}}"#, ".insertSection.title"),
            (#"{"insertSection": {"id": "s", "items": {}}}"#, ".insertSection.items"),
            (
                #"{"insertSection": {"id": "s", "items": [{"id": "a"}, {}]}}"#,
                ".insertSection.items[1].id"
            ),
        ] as [(String, String?)]
    )
    func refuses(_ edit: String, at path: String?) {
        expectMalformed(
            #"{"edits": [{"remove": "z"}, \#(edit)]}"#,
            at: path.map { "edits[1]" + $0 }
        )
    }

    @Test func anInsertedSectionHasEachItemOnce() {
        let json = #"{"insertSection": {"id": "s", "items": [{"id": "a"}, {"id": "a"}]}}"#
        let error = #expect(throws: DocumentError.self) { try edits(json) }
        #expect(error?.kind == .duplicateID)
        #expect(error?.path == "edits[0].insertSection.items[1].id")
        #expect(error?.reason.contains("edits[0].insertSection.items[0]") == true)
    }

    @Test(arguments: [
        (#"{"set": {"x": VALUE}, "item": "a"}"#, 63, ".set.x"),
        (#"{"setSection": {"x": VALUE}, "section": "a"}"#, 64, ".setSection.x"),
        (#"{"setFeed": {"x": VALUE}}"#, 64, ".setFeed.x"),
    ])
    func valuesGoAsDeepAsInAPut(_ edit: String, levels: Int, path: String) throws {
        func json(_ levels: Int) -> String {
            let value =
                String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
            return #"{"edits": [\#(edit)]}"#.replacing("VALUE", with: value)
        }
        #expect(try Edit.list(parsing: Array(json(levels).utf8)).count == 1)
        expectMalformed(json(levels + 1), at: "edits[0]" + path)
    }

    private func expectMalformed(_ json: String, at path: String?) {
        let error = #expect(throws: DocumentError.self) {
            try Edit.list(parsing: Array(json.utf8))
        }
        #expect(error?.kind == .malformed)
        if let path { #expect(error?.path == path, "\(json)") }
    }
}
