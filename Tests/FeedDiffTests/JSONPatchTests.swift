import FeedDiff
import FeedModel
import TestSupport
import Testing

private func value(_ json: String) throws(DocumentError) -> JSONValue {
    try JSONValue(parsing: Array(json.utf8))
}

private func apply(_ patch: String, to document: String) throws -> String {
    let result = try JSONPatch(parsing: Array(patch.utf8)).applied(to: value(document))
    return String(decoding: result.text.bytes, as: UTF8.self)
}

/// RFC 6902.
@Suite struct JSONPatches {
    /// Appendix A, as far as it succeeds, and the corners of section 4.
    @Test(arguments: [
        (
            #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#,
            #"{"foo":"bar","baz":"qux"}"#
        ),
        (
            #"{"foo":["bar","baz"]}"#, #"[{"op":"add","path":"/foo/1","value":"qux"}]"#,
            #"{"foo":["bar","qux","baz"]}"#
        ),
        (#"{"baz":"qux","foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":"bar"}"#),
        (
            #"{"foo":["bar","qux","baz"]}"#, #"[{"op":"remove","path":"/foo/1"}]"#,
            #"{"foo":["bar","baz"]}"#
        ),
        (
            #"{"baz":"qux","foo":"bar"}"#, #"[{"op":"replace","path":"/baz","value":"boo"}]"#,
            #"{"baz":"boo","foo":"bar"}"#
        ),
        (
            #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
            #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
            #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#
        ),
        (
            #"{"foo":["all","grass","cows","eat"]}"#,
            #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
            #"{"foo":["all","cows","eat","grass"]}"#
        ),
        (
            #"{"baz":"qux","foo":["a",2,"c"]}"#,
            #"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]"#,
            #"{"baz":"qux","foo":["a",2,"c"]}"#
        ),
        (
            #"{"foo":"bar"}"#, #"[{"op":"add","path":"/child","value":{"grandchild":{}}}]"#,
            #"{"foo":"bar","child":{"grandchild":{}}}"#
        ),
        (
            #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux","xyz":123}]"#,
            #"{"foo":"bar","baz":"qux"}"#
        ),
        (#"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10}]"#, #"{"/":9,"~1":10}"#),
        (
            #"{"foo":["bar"]}"#, #"[{"op":"add","path":"/foo/-","value":["abc","def"]}]"#,
            #"{"foo":["bar",["abc","def"]]}"#
        ),
        (#"{"a":1,"b":2}"#, #"[{"op":"add","path":"/a","value":3}]"#, #"{"a":3,"b":2}"#),
        (
            "[1]", #"[{"op":"add","path":"/1","value":2},{"op":"add","path":"/0","value":0}]"#,
            "[0,1,2]"
        ),
        ("1", #"[{"op":"replace","path":"","value":{"a":null}}]"#, #"{"a":null}"#),
        ("[1]", #"[{"op":"add","path":"","value":null}]"#, "null"),
        (
            #"{"a":{"b":1}}"#, #"[{"op":"copy","from":"/a","path":"/a/c"}]"#,
            #"{"a":{"b":1,"c":{"b":1}}}"#
        ),
        (#"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a","path":""}]"#, #"{"b":1}"#),
        (#"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a/b","path":"/a"}]"#, #"{"a":1}"#),
        (#"{"a":1}"#, #"[{"op":"move","from":"/a","path":"/a"}]"#, #"{"a":1}"#),
        (#"{"":{"":1}}"#, #"[{"op":"replace","path":"//","value":2}]"#, #"{"":{"":2}}"#),
        (#"{"a~b/c":1}"#, #"[{"op":"replace","path":"/a~0b~1c","value":2}]"#, #"{"a~b/c":2}"#),
        (#"{"-":1,"01":2}"#, #"[{"op":"remove","path":"/-"},{"op":"remove","path":"/01"}]"#, "{}"),
        (
            #"{"a":{"x":1,"y":[1.0]}}"#, #"[{"op":"test","path":"/a","value":{"y":[1.0],"x":1}}]"#,
            #"{"a":{"x":1,"y":[1.0]}}"#
        ),
        ("{}", "[]", "{}"),
    ])
    func jsonPatchesApply(document: String, patch: String, result: String) throws {
        #expect(try FeedDiffTests.apply(patch, to: document) == result)
    }

    @Test(arguments: [
        (#"{"baz":"qux"}"#, #"[{"op":"test","path":"/baz","value":"bar"}]"#, 0),
        (#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz/bat","value":"qux"}]"#, 0),
        (#"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":"10"}]"#, 0),
        ("[1]", #"[{"op":"add","path":"/2","value":1}]"#, 0),
        ("[1]", #"[{"op":"add","path":"/01","value":1}]"#, 0),
        ("[1]", #"[{"op":"add","path":"/+1","value":1}]"#, 0),
        ("[1]", #"[{"op":"add","path":"/","value":1}]"#, 0),
        ("[1]", #"[{"op":"add","path":"/99999999999999999999","value":1}]"#, 0),
        ("[1]", #"[{"op":"remove","path":"/-"}]"#, 0),
        ("[1]", #"[{"op":"remove","path":"/1"}]"#, 0),
        ("[1]", #"[{"op":"replace","path":"/-","value":1}]"#, 0),
        ("[[1]]", #"[{"op":"add","path":"/-/0","value":1}]"#, 0),
        ("{}", #"[{"op":"remove","path":"/a"}]"#, 0), ("{}", #"[{"op":"remove","path":""}]"#, 0),
        ("{}", #"[{"op":"replace","path":"/a","value":1}]"#, 0),
        (
            #"{"a":1}"#,
            #"[{"op":"test","path":"/a","value":1},{"op":"test","path":"/a","value":1.0}]"#, 1
        ),
        (#"{"a":{"b":{}}}"#, #"[{"op":"move","from":"/a","path":"/a/b/c"}]"#, 0),
        (#"{"a":{"b":{}}}"#, #"[{"op":"move","from":"","path":"/a"}]"#, 0),
        (#"{"a":1}"#, #"[{"op":"move","from":"/x","path":"/x"}]"#, 0),
        (#"{"a":1}"#, #"[{"op":"copy","from":"/x","path":"/y"}]"#, 0),
        (#"{"a":"b"}"#, #"[{"op":"add","path":"/a/0","value":1}]"#, 0),
        (
            "{}",
            #"[{"op":"add","path":"/a","value":1},{"op":"remove","path":"/a"},"#
                + #"{"op":"remove","path":"/a"}]"#,
            2
        ),
    ])
    func jsonPatchesFailAsAWhole(document: String, patch: String, index: Int) throws {
        let patch = try JSONPatch(parsing: Array(patch.utf8))
        let document = try value(document)
        let failure = #expect(throws: JSONPatch.Failure.self) { try patch.applied(to: document) }
        guard case .failed(index, let reason) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(!reason.isEmpty)
    }

    @Test(arguments: [
        ("{}", ""), ("[", "[0]"), ("[1]", "[0]"), ("[[]]", "[0]"),
        (#"[{"path":"","value":1}]"#, "[0].op"),
        (#"[{"op":1,"path":""}]"#, "[0].op"), (#"[{"op":"ADD","path":"","value":1}]"#, "[0].op"),
        (#"[{"op":"remove","path":""},{"op":"add","path":"/a"}]"#, "[1].value"),
        (#"[{"op":"test","path":""}]"#, "[0].value"),
        (#"[{"op":"replace","path":""}]"#, "[0].value"),
        (#"[{"op":"remove"}]"#, "[0].path"), (#"[{"op":"remove","path":1}]"#, "[0].path"),
        (#"[{"op":"remove","path":"a"}]"#, "[0].path"),
        (#"[{"op":"remove","path":"/~"}]"#, "[0].path"),
        (#"[{"op":"remove","path":"/~2"}]"#, "[0].path"),
        (#"[{"op":"move","path":"/a"}]"#, "[0].from"),
        (#"[{"op":"copy","path":"/a","from":"b"}]"#, "[0].from"),
        (#"[{"op":"add","op":"add","path":"","value":1}]"#, "[0].op"),
    ])
    func jsonPatchesAreMalformed(_ patch: String, at path: String) {
        let failure = #expect(throws: JSONPatch.Failure.self) {
            try JSONPatch(parsing: Array(patch.utf8))
        }
        guard case .malformed(let error) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(error.kind == .malformed)
        #expect(error.path == path)
    }

    @Test func jsonPatchesCannotDoubleADocumentWithoutEnd() throws {
        let copies = Array(repeating: #"{"op":"copy","from":"/a","path":"/a/-"}"#, count: 200)
        let patch = try JSONPatch(parsing: Array("[\(copies.joined(separator: ","))]".utf8))
        // A long text, of which few copies come to much.
        let text = String(repeating: "x", count: 4096)
        let document = try value(#"{"a":["\#(text)"]}"#)
        let failure = #expect(throws: JSONPatch.Failure.self) { try patch.applied(to: document) }
        guard case .failed(let index, let reason) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        // Each copy doubles what is there: the limit, 32 MiB, is reached after some twelve.
        #expect(10..<16 ~= index)
        #expect(reason == "copies more than \(32 << 20) bytes in all")
    }

    @Test func jsonPatchesCannotNestADocumentWithoutEnd() throws {
        let nested = String(repeating: "[", count: 70) + String(repeating: "]", count: 70)
        let path = String(repeating: "/0", count: 69)
        let patches = [
            #"[{"op":"copy","from":"/0","path":"\#(path)/0"}]"#,
            #"[{"op":"add","path":"\#(path)/0","value":\#(nested)}]"#,
            #"[{"op":"replace","path":"\#(path)","value":\#(nested)}]"#,
        ]
        for patch in patches {
            let patch = try JSONPatch(parsing: Array(patch.utf8))
            let document = try value(nested)
            let failure = #expect(throws: JSONPatch.Failure.self) {
                try patch.applied(to: document)
            }
            guard case .failed(0, let reason) = failure else {
                Issue.record("\(String(describing: failure))")
                continue
            }
            #expect(reason.contains("deeper"))
        }
    }

    @Test func jsonPatchesLeaveTheDocumentTheyWereAppliedToAsItWas() throws {
        let document = try value(#"{"x":1,"sections":[{"items":[{"id":"a"},{"id":"b"}]}]}"#)
        let before = document.text.bytes
        let patch = try JSONPatch(
            parsing: Array(
                #"[{"op":"remove","path":"/sections/0/items/0"},{"op":"remove","path":"/x"}]"#
                    .utf8
            )
        )
        let after = try patch.applied(to: document)
        #expect(document.text.bytes == before)
        #expect(after != document)
    }
}
