import FeedModel
import HTTPWire
import TestSupport
import Testing

@testable import HTTPServer

@Suite struct LogTexts {
    @Test(arguments: [
        ("plain /a?b=c", "plain /a?b=c"), (#"a"b\c"#, #"a\x22b\x5Cc"#),
        ("a\r\nb\u{0}\u{1B}[31m", #"a\x0D\x0Ab\x00\x1B[31m"#), ("é", #"\xC3\xA9"#),
        ("\u{7F}", #"\x7F"#), ("", ""),
    ])
    func logTextsAreEscapedAsNginxAndApacheDo(_ text: String, _ expected: String) {
        var line: [UInt8] = []
        line.appendLogText(Array(text.utf8)[...])
        #expect(String(decoding: line, as: UTF8.self) == expected)
    }

    @Test(arguments: [
        (Array("plain".utf8), #""plain""#), (Array(#"a"b\c"#.utf8), #""a\"b\\c""#),
        (Array("a\r\n\u{0}é".utf8), #""a\u000D\u000A\u0000é""#),
        (Array("\u{85}\u{2028}\u{1B}".utf8), #""\u0085\u2028\u001B""#),
        ([0x61, 0xFF, 0xC3], "\"a\u{FFFD}\u{FFFD}\""), ([], #""""#),
    ])
    func logTextsAreStringsOfJSON(_ text: [UInt8], _ expected: String) {
        var line: [UInt8] = []
        line.appendLogJSON(text[...])
        #expect(String(decoding: line, as: UTF8.self) == expected)
    }

    /// Whatever bytes come: a line stays one line, and JSON stays JSON.
    @Test(arguments: 0..<20) func logTextsStaySingleLines(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let text = (0..<200).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        var line: [UInt8] = []
        line.appendLogText(text[...])
        #expect(line.allSatisfy { 0x20..<0x7F ~= $0 && $0 != UInt8(ascii: "\"") })
        line = []
        line.appendLogJSON(text[...])
        #expect(!line.contains { $0 < 0x20 })
        #expect(TestJSON(line)?.string == String(decoding: text, as: UTF8.self))
    }

    @Test(arguments: [0, 7, 10, 304, 1_000_000, Int.max]) func numbersAreDecimal(_ number: Int) {
        var line: [UInt8] = []
        line.append(decimal: number)
        #expect(String(decoding: line, as: UTF8.self) == "\(number)")
    }

    @Test func timesAreInUTC() {
        var line: [UInt8] = []
        line.appendCommonLogTime(1_709_251_199)
        #expect(String(decoding: line, as: UTF8.self) == "29/Feb/2024:23:59:59 +0000")
        line = []
        line.appendLogTime(nanoseconds: 1_709_251_199_012_345_678)
        #expect(String(decoding: line, as: UTF8.self) == "2024-02-29T23:59:59.012345Z")
    }
}
