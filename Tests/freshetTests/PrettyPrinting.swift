import Testing

@testable import freshet

@Suite struct PrettyPrinting {
    @Test(arguments: [
        ("{}", "{}"), ("[ ]", "[]"), ("\"a\"", "\"a\""), ("[[],{}]", "[\n  [],\n  {}\n]"),
        (
            #"{"a":[1.10,-2e+3,true,null],"b":{"c":"x"}}"#,
            """
            {
              "a": [
                1.10,
                -2e+3,
                true,
                null
              ],
              "b": {
                "c": "x"
              }
            }
            """
        ),
        (
            #"["{\"a\":[1,2]}\\", "é \u00e9"]"#,
            "[\n  \"{\\\"a\\\":[1,2]}\\\\\",\n  \"é \\u00e9\"\n]"
        ),
        // No JSON: a server may send anything.
        ("[\"\u{1B}\"\u{9B}]", "[\n  \"\\u001b\"\\u009b\n]"),
        ("]", "\n]"), ("}]", "\n}\n]"), ("a]\n]", "a\n]\n]"), ("[]]}[1", "[]\n]\n}[\n  1"),
        ("[\n 1,\t[2]\r\n]", "[\n  1,\n  [\n    2\n  ]\n]"),
    ])
    func breaksLinesAndKeepsValues(_ json: String, _ pretty: String) {
        let bytes = ShownJSON.bytes(Array(json.utf8), isPretty: true)
        #expect(String(decoding: bytes, as: UTF8.self) == pretty)
    }

    @Test func prettyPrintingIsTheSameDoneTwice() {
        let once = ShownJSON.bytes(Array(#"{"a":[{"b":[]},"\\\""],"c":{}}"#.utf8), isPretty: true)
        #expect(ShownJSON.bytes(once, isPretty: true) == once)
    }
}
