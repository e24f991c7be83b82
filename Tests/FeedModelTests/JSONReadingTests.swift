import FeedModel
import TestSupport
import Testing

/// RFC 8259, with the rules of docs/PROTOCOL.md, "Ids and values".
@Suite struct JSONReading {
    @Test(arguments: [
        "null", "true", "false", "0", "-0", "1", "-1", "10", "1.5", "-1.50", "0.0", "1e5", "1E+5",
        "1e-05", "0e0", "123456789012345678901234567890", #""""#, #""a""#, "[]", "{}", "[[]]",
        "[1,2]", #"{"a":1,"b":[{}]}"#, #"" ~ \u007f""#, "\"\u{7f}\u{80}é€😀\u{10ffff}\u{feff}\"",
        #""\"\\\/\b\f\n\r\t\u0000\u00e9\u20AC\ud83d\ude00\uDBFF\uDFFF\uFFFF""#,
        #"{"":0}"#, #"{"e\u0301":1,"é":2}"#, #"{"a":{"a":{"a":1}}}"#, #"{"A":1,"a":2}"#,
    ])
    func keepsAsItIs(_ text: String) throws {
        let bytes = Array(text.utf8)
        #expect(try JSONText(parsing: bytes).bytes == bytes)
        #expect(try JSONText(parsing: Array(" \t\r\n\(text) \t\r\n".utf8)).bytes == bytes)
        #expect(throws: DocumentError.self) { try JSONText(parsing: bytes + [0x30, 0x78]) }
    }

    @Test(arguments: [
        "", " ", "nul", "nulll", "True", "NaN", "Infinity", "-Infinity", "-", "+1", "01", "-01",
        "00", "1.", ".5", "1.e5", "1e", "1e+", "1e5.5", "0x10", "1_000", "1 2", "1,", ",", "[1,]",
        "[,1]", "[1 2]", "[1,,2]", "[", "]", "[}", "[1", "{", "}", "{]", #"{"a"}"#, #"{"a":}"#,
        #"{"a":1,}"#, #"{,"a":1}"#, #"{"a":1"b":2}"#, #"{"a" 1}"#, "{1:1}", "{a:1}", "{null:1}",
        "'a'", #"""#, #""a"#, #""\""#, #""\x41""#, #""\u00""#, #""\u00g0""#, #""\U0041""#,
        #""\ud800""#, #""\udc00""#, #""\ud800\u0041""#, #""\ud800\ud800""#, #""\ud800x""#,
        #""\ud800\n""#, #""\ud800\u""#, #""\udc00\ud800""#, "\"\u{0}\"", "\"\n\"", "\"\t\"",
        "\"\u{1f}\"", "/**/1", "1//", "[1]#", "\u{feff}1", "\u{a0}1", "\u{b}1", "\u{c}1", "1\u{0}",
        "\u{0}", #"{"a":1}{"b":2}"#, "\"a\"\"b\"",
    ])
    func refuses(_ text: String) {
        #expect(throws: DocumentError.self) { try JSONText(parsing: Array(text.utf8)) }
        #expect(throws: DocumentError.self) { try JSONValue(parsing: Array(text.utf8)) }
    }

    /// The Unicode Standard, table 3-7: what is beside the well-formed sequences.
    @Test(
        arguments: [
            [0x80], [0xbf], [0xc0, 0x80], [0xc1, 0xbf], [0xc2], [0xc2, 0x20], [0xc2, 0xc2],
            [0xe0, 0x80, 0x80], [0xe0, 0x9f, 0xbf], [0xe1, 0x80], [0xe1, 0x80, 0x20],
            [0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf], [0xef, 0xbf], [0xf0, 0x80, 0x80, 0x80],
            [0xf0, 0x8f, 0xbf, 0xbf], [0xf1, 0x80, 0x80], [0xf4, 0x90, 0x80, 0x80],
            [0xf5, 0x80, 0x80, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80], [0xfe], [0xff],
        ] as [[UInt8]]
    )
    func refusesBytesThatAreNotUTF8(_ bytes: [UInt8]) {
        for padding in 0..<10 {
            let spaces = [UInt8](repeating: 0x61, count: padding)
            let text = [0x22] + spaces + bytes + [0x22]
            #expect(throws: DocumentError.self) { try JSONText(parsing: text) }
            #expect(throws: DocumentError.self) {
                try JSONText(parsing: [0x7b] + text + Array(":1}".utf8))
            }
        }
    }

    @Test(
        arguments: [
            [0xff, 0xfe, 0x31, 0x00], [0xfe, 0xff, 0x00, 0x31], [0x31, 0x00], [0x00, 0x31],
            [0xef, 0xbb, 0xbf, 0x31], [0xff, 0xfe, 0x00, 0x00, 0x31, 0x00, 0x00, 0x00],
        ] as [[UInt8]]
    )
    func refusesOtherEncodingsAndByteOrderMarks(_ bytes: [UInt8]) {
        #expect(throws: DocumentError.self) { try JSONText(parsing: bytes) }
    }

    /// Every scalar that JSON lets stand as it is, at every position of an eight-byte word.
    @Test(arguments: 0..<8)
    func agreesWithTheStandardLibraryOnEveryScalar(padding: Int) throws {
        let pad = String(repeating: "x", count: padding)
        let notable: [UInt32] = [
            0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff,
        ]
        for value in Array(UInt32(0)..<0x300) + notable {
            let scalar = try #require(Unicode.Scalar(value))
            let string = "\(pad)\(scalar)\(pad)"
            let text = JSONText(string: string)
            #expect(try JSONText(parsing: text.bytes) == text)
            let read = try #require(text.stringValue)
            #expect(ExactString(read) == ExactString(string))
            let mustEscape = value < 0x20 || value == 0x22 || value == 0x5c
            let raw = Array("\"\(string)\"".utf8)
            #expect((text.bytes != raw) == mustEscape)
            if mustEscape {
                #expect(throws: DocumentError.self) { try JSONText(parsing: raw) }
            }
        }
    }

    @Test func refusesEveryPartOfADocument() {
        let text = #"{"a" : [1.5e-3, "x\"\u00e9\ud83d\ude00é", {"b":true , "c":null}], "d" :{}}"#
        let bytes = Array(text.utf8)
        #expect(throws: Never.self) { try JSONText(parsing: bytes) }
        for end in bytes.indices {
            let part = Array(bytes[..<end])
            #expect(throws: DocumentError.self) { try JSONText(parsing: part) }
            #expect(throws: DocumentError.self) { try JSONValue(parsing: part) }
        }
    }

    @Test func takesOutWhiteSpaceBetweenTokensAlone() throws {
        let text = "\t{ \"a b\" :\n[ 1 , \" \\t \" ,\r{ } , [ ] ] , \"c\":true }\n"
        let kept = #"{"a b":[1," \t ",{},[]],"c":true}"#
        #expect(try JSONText(parsing: Array(text.utf8)).bytes == Array(kept.utf8))
        for length in 0..<40 {
            let space = String(repeating: " ", count: length)
            let string = String(repeating: "s", count: length)
            let spaced = "[\(space)\"\(string)\"\(space),\(space)\"\(string)\"\(space)]"
            #expect(
                try JSONText(parsing: Array(spaced.utf8)).bytes
                    == Array("[\"\(string)\",\"\(string)\"]".utf8)
            )
        }
    }

    @Test(arguments: [4_094, 4_095, 4_096, 4_097, 8_192, 8_193, 20_000])
    func takesOutAnyNumberOfSpaces(count: Int) throws {
        let elements = (1...count).map(String.init)
        let spaced = Array("[\(elements.joined(separator: ", "))]".utf8)
        let kept = Array("[\(elements.joined(separator: ","))]".utf8)
        #expect(try JSONText(parsing: spaced).bytes == kept)
        let rest = #", "items": [ ], "b" : [ 1 ] }"#
        let document = Array(#"{"a": "#.utf8) + spaced + Array(rest.utf8)
        let members = try Snapshot(parsing: document).members
        #expect(members["a"]?.bytes == kept)
        #expect(members["b"]?.bytes == Array("[1]".utf8))
    }

    @Test(arguments: [1, 2, 64, 80])
    func refusesWhatIsNestedDeeper(limit: Int) throws {
        for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
            let core = open == "[" ? "" : "0"
            let fits =
                String(repeating: open, count: limit) + core
                + String(repeating: close, count: limit)
            #expect(try JSONText(parsing: Array(fits.utf8), depth: limit).bytes == Array(fits.utf8))
            let deeper = open + fits + close
            let error = #expect(throws: DocumentError.self) {
                try JSONText(parsing: Array(deeper.utf8), depth: limit)
            }
            #expect(error?.reason.contains("limit of \(limit)") == true)
        }
    }

    @Test func survivesAMillionBrackets() {
        for open in ["[", #"{"a":"#, "[[{\"b\":"] {
            let bytes = Array(String(repeating: open, count: 1_000_000).utf8)
            #expect(throws: DocumentError.self) { try JSONText(parsing: bytes) }
            #expect(throws: DocumentError.self) { try JSONValue(parsing: bytes) }
            #expect(throws: DocumentError.self) { try Snapshot(parsing: bytes) }
        }
    }
}

/// docs/PROTOCOL.md, "Ids and values": an object with the same member twice is malformed.
@Suite struct RepeatedMembers {
    @Test(arguments: [
        (#"{"a":1,"a":1}"#, "a"), (#"{"a":1,"b":2,"\u0061":3}"#, "a"),
        (#"[0,{"x":{"é":1,"\u00e9":2}}]"#, "[1].x.é"), (#"{"":1,"":2}"#, #"[""]"#),
        (#"{"😀":1,"\ud83d\ude00":2}"#, #"["😀"]"#),
    ])
    func repeatedMembersAreRefused(_ text: String, at path: String) {
        let error = #expect(throws: DocumentError.self) {
            try JSONText(parsing: Array(text.utf8))
        }
        #expect(error?.kind == .malformed)
        #expect(error?.path == (path == "[1].x.é" ? #"[1].x["é"]"# : path))
        #expect(error?.reason.contains("twice") == true)
    }

    @Test(arguments: [2, 15, 16, 17, 18, 33, 5_000, 20_000])
    func repeatedMembersAreFoundInLargeObjects(count: Int) throws {
        let members = (0..<count).map { "\"m\($0)\":{\"m0\":\($0)}" }
        #expect(throws: Never.self) {
            try JSONText(parsing: Array("{\(members.joined(separator: ","))}".utf8))
        }
        for again in [0, count / 2, count - 1] {
            let all = members + ["\"\\u006d\(again)\":0"]
            let error = #expect(throws: DocumentError.self) {
                try JSONText(parsing: Array("{\(all.joined(separator: ","))}".utf8))
            }
            #expect(error?.path == "m\(again)")
        }
    }
}
