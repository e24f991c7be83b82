import FeedModel
import Testing

extension JSONText {
    fileprivate init(_ json: String) throws(DocumentError) {
        try self.init(parsing: Array(json.utf8))
    }
    fileprivate var string: String { String(decoding: bytes, as: UTF8.self) }
}

extension Member {
    fileprivate init(_ name: ExactString, _ json: String) throws(DocumentError) {
        self.init(name: name, value: try JSONText(json))
    }
}

extension FeedItem {
    fileprivate convenience init(_ json: String, id: ExactString? = nil) throws(DocumentError) {
        try self.init(parsing: Array(json.utf8), id: id)
    }
}

@Suite struct Items {
    @Test func itemsGiveTheirMembersInOrder() throws {
        let members = try FeedItem(#"{ "b":[1, 2], "\u0069d":"x", "a":{"c":"\u00e9"} }"#).members
        #expect(members.list.map(\.name) == ["b", "id", "a"])
        #expect(members.list.map(\.value.string) == ["[1,2]", #""x""#, #"{"c":"\u00e9"}"#])
        #expect(members["a"]?.valueHash == (try JSONText(#"{"c":"é"}"#)).valueHash)
    }

    @Test func itemsKeepWhatAnEditDoesNotName() throws {
        let item = try FeedItem(#"{"x":1.10,"id":"a","\u0062":"\u00e9","gone":{},"é":[1]}"#)
        let edit = Changes.MemberEdit(
            set: [try Member("n\"w", "[true]"), try Member("b", "2"), try Member("x", "0")],
            unset: ["gone", "never"]
        )
        let edited = item.applying(edit)
        #expect(edited.json.string == #"{"x":0,"id":"a","\u0062":2,"é":[1],"n\"w":[true]}"#)
        #expect(edited.json.valueHash == (try JSONText(parsing: edited.json.bytes)).valueHash)
        #expect(edited.id == "a")
    }

    @Test func itemsKeepTheirIDWhateverAnEditSays() throws {
        let item = try FeedItem(#"{"id":"a","x":1}"#)
        let edited = item.applying(.init(set: [try Member("id", #""b""#)], unset: ["id", "x"]))
        #expect(edited == (try FeedItem(#"{"id":"a"}"#)))
    }

    @Test func itemsAreEqualByIDAndValue() throws {
        #expect(try FeedItem(#"{"id":"a","x":[1]}"#) == FeedItem(#"{"x":[1],"\u0069d":"\u0061"}"#))
        #expect(try FeedItem(#"{"id":"a","x":1}"#) != FeedItem(#"{"id":"a","x":2}"#))
        #expect(try FeedItem(#"{"id":"a"}"#) != FeedItem(#"{"id":"b"}"#))
    }

    @Test(arguments: [
        ("{}", #"{"id":"p\"q"}"#), (#"{ "x" : 1 }"#, #"{"id":"p\"q","x":1}"#),
        (#"{"x":1,"id":"p\u0022q"}"#, #"{"x":1,"id":"p\u0022q"}"#),
    ])
    func itemsGetTheIDOfTheirPath(_ json: String, _ expected: String) throws {
        let item = try FeedItem(json, id: "p\"q")
        #expect(item.id == "p\"q")
        #expect(item.json.string == expected)
        #expect(item.json == (try JSONText(expected)))
        #expect(item.json.valueHash == (try JSONText(expected)).valueHash)
    }

    @Test(arguments: [
        (#"{"id":"b"}"#, "id"), (#"{"id":1}"#, "id"), ("[]", ""), (#"{"id":"a"} 1"#, ""),
        (#"{"x":[tru]}"#, "x[0]"), (#"{"kind":null}"#, "kind"),
    ])
    func itemsAreRefused(_ json: String, at path: String) {
        let error = #expect(throws: DocumentError.self) { try FeedItem(json, id: "a") }
        #expect(error?.kind == .malformed)
        #expect(error?.path == path)
    }

    @Test func itemsAreRefusedWithoutAnIDAnywhere() {
        #expect(throws: DocumentError(kind: .malformed, path: "id", reason: "is missing")) {
            try FeedItem(#"{"x":1}"#)
        }
        #expect(throws: DocumentError.self) { try FeedItem("{}", id: "..") }
    }

    @Test func itemsOfATreeSayWhereItStands() throws {
        let tree = try JSONValue(parsing: Array(#"{"x":1.0,"id":"a"}"#.utf8))
        let item = try FeedItem(made: tree.bytes, path: "edits[0].insert")
        #expect(item.json.string == #"{"x":1.0,"id":"a"}"#)
        for (json, path) in [
            (#"{"x":1}"#, "edits[0].insert.id"), ("[]", "edits[0].insert"),
            (#"{"id":"a","kind":[]}"#, "edits[0].insert.kind"),
        ] {
            let value = try JSONValue(parsing: Array(json.utf8))
            let error = #expect(throws: DocumentError.self) {
                try FeedItem(made: value.bytes, path: "edits[0].insert")
            }
            #expect(error?.path == path)
        }
    }
}

@Suite struct MembersEdits {
    private func members(_ json: String) throws -> Members {
        guard case .object(let entries) = try JSONValue(parsing: Array(json.utf8)) else {
            return Members()
        }
        return Members(entries.map { Member(name: $0.name, value: $0.value.text) })
    }

    @Test func membersEditsKeepPlaces() throws {
        let edit = Changes.MemberEdit(
            set: [try Member("z", "1"), try Member("b", "2"), try Member("a", "3")],
            unset: ["c"]
        )
        let edited = try members(#"{"a":0,"c":0,"b":0}"#).applying(edit)
        #expect(edited.list.map(\.name) == ["a", "b", "z"])
        #expect(edited.list.map(\.value.string) == ["3", "2", "1"])
    }
}
