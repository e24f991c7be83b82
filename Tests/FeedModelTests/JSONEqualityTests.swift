import FeedModel
import TestSupport
import Testing

/// docs/PROTOCOL.md, "Ids and values": what counts when two values are compared.
@Suite struct JSONEquality {
    @Test(arguments: [
        ("{}", " { } "), (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#), (#""é""#, #""\u00e9""#),
        (#""a/b""#, #""\u0061\/b""#), (#"[1,{"x":[]}]"#, #"[1, {"x": [ ]}]"#),
        (#"{"é":{"a":"\n","b":null}}"#, #"{"\u00E9":{"b":null,"\u0061":"\u000a"}}"#),
        (#""😀 and more than eight""#, #""\ud83d\ude00 and more than eight""#),
    ])
    func holds(_ left: String, _ right: String) throws {
        let left = try JSONText(parsing: Array(left.utf8))
        let right = try JSONText(parsing: Array(right.utf8))
        #expect(left == right)
        #expect(left.valueHash == right.valueHash)
        #expect(JSONValue(left) == JSONValue(right))
        #expect(JSONValue(left).text.valueHash == left.valueHash)
    }

    @Test(arguments: [
        ("1", "1.0"), ("1e2", "1E2"), ("0", "-0"), ("1", #""1""#), ("[1,2]", "[2,1]"),
        ("[]", "{}"), ("null", "false"), ("true", "false"), (#""""#, "null"), ("[]", "[[]]"),
        ("[null]", "[]"), (#"{"a":1}"#, #"{"a":2}"#), (#"{"a":1}"#, #"{"b":1}"#),
        (#"{"a":1}"#, #"{"a":1,"b":1}"#), (#"{"a":"b"}"#, #"{"b":"a"}"#), (#""é""#, #""e\u0301""#),
        (#""a""#, #""a\u0000""#), (#"{"a":{"b":1},"c":2}"#, #"{"a":{"c":2},"b":1}"#),
        (#"[[1],2]"#, "[1,[2]]"), (#""12345678""#, #""12345678\u0000""#),
        (#"{"a":1,"b":2}"#, #"{"a":2,"b":1}"#), (#"{"é":1}"#, #"{"e\u0301":1}"#),
    ])
    func fails(_ left: String, _ right: String) throws {
        let left = try JSONText(parsing: Array(left.utf8))
        let right = try JSONText(parsing: Array(right.utf8))
        #expect(left != right)
        #expect(left.valueHash != right.valueHash)
        #expect(JSONValue(left) != JSONValue(right))
        let disguised = JSONText(checked: right.bytes, valueHash: left.valueHash)
        #expect(left != disguised, "equal hashes prove nothing")
    }

    @Test func readsStringsAndWholeNumbers() throws {
        func text(_ json: String) throws -> JSONText { try JSONText(parsing: Array(json.utf8)) }
        #expect(try text(#""a\u00e9\n\ud83d\ude00""#).stringValue == "aé\n😀")
        #expect(try text("12").stringValue == nil)
        #expect(try text("12").wholeNumber == 12)
        #expect(try text("0").wholeNumber == 0)
        #expect(try text("0").isWholeNumber)
        #expect(try text("9223372036854775807").wholeNumber == Int.max)
        for other in ["-0", "-1", "1.0", "1e2", "9223372036854775808", #""1""#, "null", "[1]"] {
            #expect(try text(other).wholeNumber == nil)
            #expect(try text(other).isWholeNumber == (other.first == "9"))
        }
    }
}
