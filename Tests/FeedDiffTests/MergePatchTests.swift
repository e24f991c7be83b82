import FeedDiff
import FeedModel
import Testing

/// RFC 7396.
@Suite struct MergePatches {
    /// Appendix A, and members that keep their position.
    @Test(arguments: [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, "{}"),
        (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
        (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
        (#"{"a":"foo"}"#, "null", "null"),
        (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
        (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
        ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
        ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
        (
            #"{"a":1.0,"b":{"x":1,"y":2},"c":3}"#, #"{"d":4,"b":{"x":null,"z":3},"a":1}"#,
            #"{"a":1,"b":{"y":2,"z":3},"c":3,"d":4}"#
        ),
        (#"{"é":1}"#, #"{"e\u0301":2}"#, "{\"é\":1,\"e\u{301}\":2}"),
        (#"{"a":1,"b":2,"c":3}"#, #"{"a":null,"c":null,"b":{"d":[null]}}"#, #"{"b":{"d":[null]}}"#),
    ])
    func mergePatchesApply(target: String, patch: String, result: String) throws {
        let merged = MergePatch.apply(
            try JSONValue(parsing: Array(patch.utf8)),
            to: try JSONValue(parsing: Array(target.utf8))
        )
        #expect(String(decoding: merged.text.bytes, as: UTF8.self) == result)
        #expect(merged == (try JSONValue(parsing: Array(result.utf8))))
    }
}
