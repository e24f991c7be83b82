import FeedModel
import Foundation
import TestSupport
import Testing

/// Whole documents of the classes that parsers differ on.
@Suite struct JSONCorpus {
    private static let documents = [
        "[]", "{}", "[[[]]]", #"{"":{"":[]}}"#, "[0,-0,0.0,-0.0e-0,1E40,123456789012345678901]",
        "[1e5,1E+5,1e-5,0.1e1,-1.25]", "[true,false,null]", " [\t1 ,\r\n2 ] ", "\"\u{7f}\"",
        #"["\"\\\/\b\f\n\r\t","\u0000\u001f\u007F","\ud83d\ude00\uD83D\uDE00x"]"#,
        #"["é","뉴스를 읽다","😀 and text long enough for a block of thirty-two bytes 😀"]"#,
        #"["ends in an escape\n","\\","\\\\","\"","a\u00e9b뉴\u0041😀"]"#,
        #"{"a":"b","c":{"a":"b","\u0063":[{"a":1},{"a":2}]},"A":3,"a ":4}"#,
        "[\"\u{feff}\",\"\u{2028}\u{2029}\",\"\u{fffe}\",\"\u{1fffe}\",\"\u{0}\"]"
            .replacingOccurrences(of: "\u{0}", with: "\\u0000"),
    ]

    @Test(arguments: documents)
    func jsonCorpusIsReadWholeAndRefusedCutAnywhere(_ text: String) throws {
        let bytes = Array(text.utf8)
        let whole = try JSONText(parsing: bytes)
        #expect(try JSONText(parsing: whole.bytes).bytes == whole.bytes)
        #expect(try JSONValue(parsing: bytes).text == whole)
        #expect(throws: Never.self) {
            try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
        }
        let end = bytes.lastIndex { $0 != 0x20 } ?? 0
        for cut in 0..<end {
            #expect(throws: DocumentError.self) { try JSONText(parsing: Array(bytes[..<cut])) }
            #expect(throws: DocumentError.self) { try JSONValue(parsing: Array(bytes[..<cut])) }
        }
    }

    /// Only a number may still be one when its end is missing.
    @Test func takesNumbersForWhatIsThere() throws {
        let bytes = Array("-12.50e+3".utf8)
        let valid = bytes.indices.filter { end in
            (try? JSONText(parsing: Array(bytes[..<end]))) != nil
        }
        #expect(valid == [2, 3, 5, 6])
    }

    @Test(arguments: 0..<40)
    func hashesAnEscapeAnywhereAlike(length: Int) throws {
        let characters = Array("abcdefghijklmnopqrstuvwxyz0123456789ABCD".unicodeScalars)
        let plain = characters.prefix(length).map { String($0) }
        let text = try JSONText(parsing: Array("\"\(plain.joined())é뉴\"".utf8))
        for position in plain.indices {
            for count in 1...3 where position + count <= length {
                var parts = plain
                for index in position..<position + count {
                    let digits = String(characters[index].value, radix: 16)
                    parts[index] = "\\u00" + digits
                }
                for ending in ["é뉴", "\\u00e9뉴", "é\\ub274", "\\u00E9\\uB274"] {
                    let other = Array("\"\(parts.joined())\(ending)\"".utf8)
                    let escaped = try JSONText(parsing: other)
                    #expect(escaped.valueHash == text.valueHash)
                    #expect(escaped.stringValue == text.stringValue)
                }
            }
        }
    }

    /// What comes first is what is wrong, though UTF-8 is checked when the string ends.
    @Test(arguments: ["\\x", "\\ud800", "\u{1}", "\\u12", ""])
    func namesTheFirstFaultOfAString(_ second: String) {
        let bytes = Array("[\"some text ".utf8) + [0xff] + Array(" and more \(second)".utf8)
        let error = #expect(throws: DocumentError.self) { try JSONText(parsing: bytes) }
        #expect(error?.reason == "holds bytes that are not UTF-8")
        let other = Array("[\"some text \(second)".utf8) + [0xff]
        let later = #expect(throws: DocumentError.self) { try JSONText(parsing: other) }
        #expect((later?.reason == "holds bytes that are not UTF-8") == second.isEmpty)
    }

    /// Names are kept on one stack: an object goes on where it was when one inside it has ended.
    @Test(arguments: [1, 15, 16, 17, 40], [1, 16, 17, 40])
    func keepsNamesOfNestedObjectsApart(outer: Int, inner: Int) throws {
        let inside = (0..<inner).map { "\"m\($0)\":[]" }.joined(separator: ",")
        let members = (0..<outer).map { "\"m\($0)\":{\(inside)}" }
        let text = "[{\(members.joined(separator: ","))},{\(inside)}]"
        #expect(throws: Never.self) { try JSONText(parsing: Array(text.utf8)) }
        for again in Set([0, outer / 2, outer - 1]) {
            let all = (members + ["\"m\(again)\":1"]).joined(separator: ",")
            let error = #expect(throws: DocumentError.self) {
                try JSONText(parsing: Array("[{\(all)}]".utf8))
            }
            #expect(error?.path == "[0].m\(again)")
        }
    }
}
