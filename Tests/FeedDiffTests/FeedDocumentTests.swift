import FeedDiff
import FeedModel
import Testing

private func read(_ text: String, itemLimit: Int = 1_000_000) throws(DocumentError) -> Snapshot {
    try Snapshot(publishing: Array(text.utf8), itemLimit: itemLimit)
}

extension JSONText {
    fileprivate var string: String { String(decoding: bytes, as: UTF8.self) }
}

/// docs/PUBLISHING.md, "The requests": the body of a PUT.
@Suite struct FeedDocuments {
    @Test func feedDocumentsHaveSectionsOfItems() throws {
        let snapshot = try read(
            """
            {"sections": [
              {"items": [{"n": 1.10, "id": "a"}, {"kind": "k", "id": "\\u0062"}], "id": "one",
               "title": "One", "index": "O", "count": [9]},
              {"id": "two"}], "title": "T", "x": { "y": [ ] }, "maxAge": 60}
            """
        )
        #expect(snapshot.collate == nil)
        #expect(snapshot.members.list.map(\.name) == ["title", "x", "maxAge"])
        #expect(snapshot.members["x"]?.string == #"{"y":[]}"#)
        #expect(snapshot.sections.map(\.id) == ["one", "two"])
        #expect(snapshot.sections[0].members.list.map(\.name) == ["title", "index"])
        #expect(snapshot.sections[0].items.map(\.id) == ["a", "b"])
        #expect(snapshot.sections[0].items[0].json.string == #"{"n":1.10,"id":"a"}"#)
        #expect(snapshot.sections[0].items[1].json.string == #"{"kind":"k","id":"\u0062"}"#)
        #expect(snapshot.sections[1].items.isEmpty)
        #expect(snapshot.count == 2)
    }

    @Test func feedDocumentsHaveOneSectionForItemsAlone() throws {
        let snapshot = try read(#"{"items":[{"id":"a"}]}"#)
        #expect(snapshot.sections.map(\.id) == ["main"])
        #expect(snapshot.sections[0].items.map(\.id) == ["a"])
        #expect(try read(#"{"items":[]}"#).sections.map(\.id) == ["main"])
        #expect(try read(#"{"sections":[]}"#).sections.isEmpty)
    }

    @Test(arguments: [
        #"{"collate":{"by":"name","locale":"ko"},"items":[{"id":"a"},{"id":"b"}]}"#,
        #"{"items":[{"id":"a"},{"id":"b"}],"collate":{"locale":"ko","by":"name"}}"#,
        #"{"sections":[{"id":"x","items":[{"id":"a"}]},"#
            + #"{"id":"y","title":"Y","items":[{"id":"b"}]}],"#
            + #""collate":{"by":"\u006eame","locale":"ko"}}"#,
    ])
    func feedDocumentsPutAllItemsInOneSectionForCollation(_ text: String) throws {
        let snapshot = try read(text)
        #expect(snapshot.collate == CollateRequest(by: "name", locale: "ko"))
        #expect(snapshot.sections.count == 1)
        #expect(snapshot.sections[0].items.map(\.id) == ["a", "b"])
        #expect(snapshot.members.list.map(\.name) == ["collate"])
    }

    @Test func dropTheProtocolsOwnMembers() throws {
        let text = #"""
            {"kind":"snapshot","feed":{"a":1},"token":"q7x2m5kd.42","since":null,"reason":1,
             "count":2,
             "order":"9ae0c1f3","total":[],"changes":{},"title":"T",
             "sections":[{"id":"s","count":7,"items":[{"id":"a"}]}]}
            """#
        let snapshot = try read(text)
        #expect(snapshot.members.list.map(\.name) == ["title"])
        #expect(snapshot.sections[0].members.list.isEmpty)
    }

    @Test(arguments: [
        ("[]", "", "expected an object"), ("{}", "", "neither sections nor items"),
        (#"{"title":"x"}"#, "", "neither"),
        (#"{"collate":{"by":"a","locale":"b"}}"#, "", "neither"),
        (#"{"sections":[],"items":[]}"#, "items", "not both"),
        (#"{"items":[],"sections":[]}"#, "sections", "not both"),
        (#"{"items":{}}"#, "items", "expected an array"), (#"{"items":null}"#, "items", "array"),
        (#"{"sections":{}}"#, "sections", "expected an array"),
        (#"{"sections":[[]]}"#, "sections[0]", "expected an object"),
        (#"{"sections":[{"items":[]}]}"#, "sections[0].id", "missing"),
        (#"{"sections":[{"id":1}]}"#, "sections[0].id", "expected a string, found a number at"),
        (#"{"sections":[{"id":""}]}"#, "sections[0].id", "empty"),
        (#"{"sections":[{"id":"a","items":{}}]}"#, "sections[0].items", "array"),
        (#"{"sections":[{"id":"a","title":1}]}"#, "sections[0].title", "string"),
        (#"{"sections":[{"id":"a","index":null}]}"#, "sections[0].index", "string"),
        (#"{"items":["a"]}"#, "items[0]", "expected an object"),
        (#"{"items":[{"id":"a"},{}]}"#, "items[1].id", "missing"),
        (#"{"items":[{"id":null}]}"#, "items[0].id", "expected a string, found null at"),
        (#"{"items":[{"id":""}]}"#, "items[0].id", "empty"),
        (#"{"items":[{"id":"."}]}"#, "items[0].id", "path"),
        (#"{"items":[{"id":"a\u0000"}]}"#, "items[0].id", "control"),
        (#"{"items":[{"id":"\u0085"}]}"#, "items[0].id", "control"),
        (
            #"{"items":[{"id":"a","kind":[]}]}"#, "items[0].kind",
            "expected a string, found an array"
        ),
        (#"{"items":[{"id":"a","id":"b"}]}"#, "items[0].id", "twice"),
        (#"{"items":[{"id":"a","x":1,"x":1}]}"#, "items[0].x", "twice"),
        (#"{"items":[],"title":true}"#, "title", "expected a string, found a Boolean"),
        (#"{"items":[],"title":null}"#, "title", "expected a string, found null"),
        (#"{"items":[],"maxAge":-1}"#, "maxAge", "whole number"),
        (#"{"items":[],"maxAge":1.0}"#, "maxAge", "whole number"),
        (#"{"items":[],"maxAge":"1"}"#, "maxAge", "whole number"),
        (#"{"items":[],"a":1,"a":2}"#, "a", "twice"),
        (#"{"items":[],"items":[]}"#, "items", "twice"),
        (#"{"sections":[{"id":"a","x":1,"x":1}]}"#, "sections[0].x", "twice"),
        (#"{"items":[],"collate":null}"#, "collate", "must be an object"),
        (#"{"items":[],"collate":{"by":"a"}}"#, "collate.locale", "missing"),
        (#"{"items":[],"collate":{"locale":"a"}}"#, "collate.by", "missing"),
        (#"{"items":[],"collate":{"by":1,"locale":"a"}}"#, "collate.by", "must be a string"),
        (#"{"items":[],"collate":{"by":"a","locale":"a","x":1}}"#, "collate.x", "alone"),
        (#"{"items":[],"collate":{"a.b":1}}"#, #"collate["a.b"]"#, "alone"),
        (#"{"items":[]} x"#, "", "expected the end"),
        (#"{"items":[{"id":"a","x":[01]}]}"#, "items[0].x[0]", "expected “,” or “]”"),
    ])
    func feedDocumentsAreRefused(_ text: String, at path: String, because reason: String) {
        let error = #expect(throws: DocumentError.self) { try read(text) }
        #expect(error?.kind == .malformed)
        #expect(error?.path == path)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    /// Names of any form, also of that of a step of a path.
    @Test(arguments: [
        ("x", "/collate/x"), ("a.b", "/collate/a.b"), ("[0]", "/collate/[0]"),
        ("[-1]", "/collate/[-1]"), (".", "/collate/."), ("a/b~", "/collate/a~1b~0"),
    ])
    func feedDocumentsSayWhereAMemberOfCollateStands(_ name: String, _ pointer: String) throws {
        let start = #"{"items":[],"collate":{"\#(name)":"#
        let text = start + #"1,"":[1]}}"#
        let error = try #require(throws: DocumentError.self) { try read(text) }
        let place = error.located(in: Array(text.utf8)).place
        #expect(place?.pointer == pointer)
        #expect(place?.offset == start.utf8.count)
    }

    @Test(arguments: [
        (
            #"{"sections":[{"id":"x","items":[{"id":"a"},{"id":"b"}]},"#
                + #"{"id":"y","items":[{"id":"c"},"#
                + #"{"x":{},"id":"\u0062"}]}]}"#,
            "sections[1].items[1].id", "used twice, first at sections[0].items[1]"
        ),
        (#"{"items":[{"id":"a"},{"id":"a"}]}"#, "items[1].id", "used twice, first at items[0]"),
        (
            #"{"sections":[{"id":"x"},{"items":[],"id":"x"}]}"#, "sections[1].id",
            "used twice, first at sections[0]"
        ),
    ])
    func feedDocumentsRefuseAnIDThatStandsTwice(_ text: String, at path: String, reason: String) {
        let error = #expect(throws: DocumentError.self) { try read(text) }
        #expect(error?.kind == .duplicateID)
        #expect(error?.path == path)
        #expect(error?.reason == reason)
        #expect(error?.place?.pointer.hasSuffix("/id") == true)
    }

    @Test func feedDocumentsTellIDsOfDifferentScalarsApart() throws {
        let text = #"{"items":[{"id":"é"},{"id":"e\u0301"},{"id":"A"},{"id":"a"}]}"#
        #expect(try read(text).count == 4)
    }

    @Test func feedDocumentsFindTheOneIDThatIsThereTwiceAmongMany() {
        let items = (0..<20_000).map { "{\"id\":\"i\($0)\"}" } + [#"{"id":"i777"}"#]
        let error = #expect(throws: DocumentError.self) {
            try read("{\"items\":[\(items.joined(separator: ","))]}")
        }
        #expect(error?.path == "items[20000].id")
        #expect(error?.reason == "used twice, first at items[777]")
    }

    @Test func feedDocumentsHaveNoMoreItemsThanTheLimit() throws {
        let text =
            #"{"sections":[{"id":"x","items":[{"id":"a"}]},{"id":"y","items":[{"id":"b"}]}]}"#
        #expect(try read(text, itemLimit: 2).count == 2)
        let error = #expect(throws: DocumentError.self) { try read(text, itemLimit: 1) }
        #expect(error?.kind == .tooManyItems)
        #expect(error?.path == "sections[1].items[0]")
    }

    /// An item's own object is the first level; a member is counted from its value.
    @Test func limitTheDepthOfItemsAndMembers() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        let fits =
            "{\"x\":\(nested(64)),\"sections\":[{\"id\":\"s\",\"y\":\(nested(64)),"
            + "\"items\":[{\"id\":\"a\",\"z\":\(nested(63))}]}]}"
        #expect(try read(fits).count == 1)
        for (deep, path) in [
            ("{\"items\":[{\"id\":\"a\",\"z\":\(nested(64))}]}", "items[0].z"),
            ("{\"items\":[],\"z\":\(nested(65))}", "z"),
            ("{\"sections\":[{\"id\":\"a\",\"z\":\(nested(65))}]}", "sections[0].z"),
        ] {
            let error = #expect(throws: DocumentError.self) { try read(deep) }
            #expect(error?.path.hasPrefix(path) == true)
            #expect(error?.reason.contains("limit of 64") == true)
        }
    }

    @Test func feedDocumentsAreRefusedWhereverTheyEnd() {
        let text =
            #"{"t":"","sections":[{"id":"s","items":[{"id":"é","n":[1.5]},{"id":"b"}]}],"m":1}"#
        let bytes = Array(text.utf8)
        #expect(throws: Never.self) { try Snapshot(publishing: bytes) }
        for end in bytes.indices {
            #expect(throws: DocumentError.self) { try Snapshot(publishing: Array(bytes[..<end])) }
        }
    }

    @Test func feedDocumentsComeBackFromTheirTree() throws {
        let text =
            #"{"title":"","sections":[{"id":"s","t":1,"items":[{"id":"a","n":1.10}]},{"id":"e"}]}"#
        let snapshot = try read(text)
        let expected =
            #"{"title":"","sections":[{"id":"s","t":1,"items":[{"id":"a","n":1.10}]},"#
            + #"{"id":"e","items":[]}]}"#
        #expect(snapshot.tree.text.string == expected)
        let again = try Snapshot(publishing: snapshot.tree)
        #expect(again.members == snapshot.members)
        #expect(again.sections.map(\.items) == snapshot.sections.map(\.items))
    }
}

@Suite struct IDs {
    @Test(arguments: [
        "a", "...", ".a", "a.", "é", "😀", "a/b", " ", "\u{a0}", String(repeating: "é", count: 128),
    ])
    func mostStringsCanBeIDs(_ id: String) throws {
        #expect(ExactString(id).refusalAsID == nil)
        let item = try FeedItem(
            parsing: JSONValue.object([.init(name: "id", value: .string(ExactString(id)))]).text
                .bytes
        )
        #expect(item.id == ExactString(id))
    }

    @Test(arguments: [
        "", ".", "..", "\u{0}", "a\n", "\u{1f}", "\u{7f}", "\u{80}", "x\u{9f}",
        String(repeating: "é", count: 128) + "x",
    ])
    func longAndOddStringsCannotBeIDs(_ id: String) {
        #expect(ExactString(id).refusalAsID != nil)
        let json = JSONValue.object([.init(name: "id", value: .string(ExactString(id)))]).text
        #expect(throws: DocumentError.self) { try FeedItem(parsing: json.bytes) }
    }
}
