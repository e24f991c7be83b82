import FeedModel
import TestSupport
import Testing

@testable import FeedDiff

/// The routes of one item.
@Suite struct ItemEdits {
    @Test(arguments: [
        ("a2", "today: a1 a2 | week: a7"), ("a7", "today: a1 a2 | week: a7"),
        ("b", "today: a1 a2 | week: b a7"),
    ])
    func itemEditsPutReplacesWhereTheItemIsOrInserts(_ id: String, outline: String) throws {
        let feed = try snapshot(
            #"""
            {"sections": [{"id": "today", "items": [{"id": "a1"}, {"id": "a2"}]},
                          {"id": "week", "items": [{"id": "a7"}]}]}
            """#
        )
        let new = try item(#"{"id": "\#(id)", "n": 1}"#)
        let result = try feed.applying([.put(new, section: "week", at: nil)])
        #expect(result.outline == outline)
        #expect(result.item(new.id) === new)
    }

    @Test func itemEditsPutIntoAnEmptyFeedMakesMain() throws {
        let result = try Snapshot().applying([.put(item(#"{"id": "a"}"#), section: nil, at: .end)])
        #expect(result.outline == "main: a")
    }

    @Test(arguments: [
        (#"{"n": 2, "draft": null}"#, #"{"id": "a", "n": 2}"#),
        (#"{"o": {"p": null, "q": 1}}"#, #"{"id": "a", "n": 1, "draft": true, "o": {"q": 1}}"#),
        (#"{"id": "a"}"#, #"{"id": "a", "n": 1, "draft": true}"#),
    ])
    func aMergePatchReplaces(_ patch: String, _ result: String) throws {
        let old = try item(#"{"id": "a", "n": 1, "draft": true}"#)
        let edit = try Edit.merging(JSONValue(parsing: Array(patch.utf8)), into: old)
        guard case .replace(let new) = edit else {
            Issue.record("\(edit)")
            return
        }
        #expect(try new == item(result))
    }

    /// They may be long, so they are not taken apart.
    @Test func membersThatAMergePatchDoesNotNameStayAsTheyWereWritten() throws {
        let old = try item(#"{"id": "a", "url": "https:\/\/a.example", "n": {"u": "\u0041"}}"#)
        let patch = try JSONValue(parsing: Array(#"{"draft": true}"#.utf8))
        guard case .replace(let new) = try Edit.merging(patch, into: old) else {
            Issue.record("no item is replaced")
            return
        }
        let text = String(decoding: new.json.bytes, as: UTF8.self)
        #expect(
            text == #"{"id":"a","url":"https:\/\/a.example","n":{"u":"\u0041"},"draft":true}"#
        )
    }

    @Test(arguments: [#"{"id": "b"}"#, #"{"id": null}"#, "3", "[]", #"{"kind": 1}"#])
    func aMergePatchCannotGiveWhatNoItemIs(_ patch: String) throws {
        let old = try item(#"{"id": "a", "kind": "story"}"#)
        let patch = try JSONValue(parsing: Array(patch.utf8))
        #expect(throws: DocumentError.self) { try Edit.merging(patch, into: old) }
    }

    @Test func aMergePatchThatChangesTheIDIsToldBoth() throws {
        let error = #expect(throws: DocumentError.self) {
            let patch = try JSONValue(parsing: Array(#"{"id": "b"}"#.utf8))
            return try Edit.merging(patch, into: item(#"{"id": "a"}"#))
        }
        #expect(error?.reason.contains(#"from "a" to "b""#) == true)
    }

    @Test func findsAnItem() throws {
        let feed = try snapshot(
            #"{"sections": [{"id": "s", "items": []}, {"id": "t", "items": [{"id": "a"}]}]}"#
        )
        #expect(feed.item("a") === feed.sections[1].items[0])
        #expect(feed.item("s") == nil)
    }
}
