import Foundation
import TerminalReader
import Testing

@testable import freshet

/// What commands print to a terminal that may obey it.
@Suite struct ShownOutput {
    /// Scalars of each kind that a terminal obeys.
    static let obeyed: [Unicode.Scalar] = (0...0xFFFF).compactMap(Unicode.Scalar.init)
        .filter {
            $0.properties.generalCategory == .control || (0x202A...0x202E).contains($0.value)
        }

    @Test func linesHaveNothingThatATerminalObeys() {
        for scalar in Self.obeyed where scalar != "\n" && scalar != "\t" {
            let shown = ShownText.lines("a\(String(scalar))b\nc\td")
            #expect(!shown.unicodeScalars.contains(scalar), "\(scalar.value)")
            #expect(shown.hasPrefix("a") && shown.hasSuffix("b\nc\td"))
        }
    }

    @Test(arguments: ["", "\n", "a", "a\n", "\na", "a\n\nb", "\t\ta\n", "größer\n日本語", "👩‍👩‍👧"])
    func linesStayAsTheyAre(_ text: String) {
        #expect(ShownText.lines(text) == text)
    }

    @Test func longLinesStayWhole() {
        let line = String(repeating: "x", count: 100_000)
        #expect(ShownText.lines(line) == line)
    }

    @Test func jsonMeansTheSame() throws {
        for scalar in Self.obeyed where scalar.value >= 0x20 {
            let json = Array(
                "{\"a\(String(scalar))\":[\"\(String(scalar))\\\"\\\\\",1.50,\"é\"]}".utf8
            )
            let shown = ShownJSON.bytes(json)
            let text = String(decoding: shown, as: UTF8.self)
            let controls = text.unicodeScalars.contains(where: ShownText.controlsTerminal)
            #expect(!controls, "\(scalar.value)")
            let (before, after) = (try Self.object(json), try Self.object(shown))
            #expect(before == after)
        }
    }

    private static func object(_ json: [UInt8]) throws -> NSDictionary? {
        try JSONSerialization.jsonObject(with: Data(json)) as? NSDictionary
    }

    @Test(arguments: [
        // White space between tokens stays, but for carriage returns.
        ("{\r\n\t\"a\": 1\r\n}", "{\n\t\"a\": 1\n}"),
        // No JSON: a server may send anything.
        ("{\"a\":\"\u{1B}[31m\r\u{7}\"}", "{\"a\":\"\\u001b[31m\\u000d\\u0007\"}"),
        ("\u{1B}c", "\\u001bc"), ("\u{9B}31m", "\\u009b31m"), ("\u{7F}", "\\u007f"),
        ("\"\\\\\r\"", "\"\\\\\\u000d\""), ("\"\\\"\r\"", "\"\\\"\\u000d\""),
        ("{\"é\":\"日本\"}", "{\"é\":\"日本\"}"),
    ])
    func jsonEscapes(_ json: String, _ shown: String) {
        #expect(String(decoding: ShownJSON.bytes(Array(json.utf8)), as: UTF8.self) == shown)
    }

    /// A terminal of 8 bits obeys 9B alone.
    @Test func bytesThatAreNotUTF8AreReplaced() {
        #expect(ShownJSON.bytes([0x22, 0x9B, 0x22]) == Array("\"\u{FFFD}\"".utf8))
    }
}
