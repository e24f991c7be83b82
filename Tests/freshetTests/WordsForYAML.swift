import TestSupport
import Testing

@testable import freshet

/// Mistakes in YAML itself, told without YAML's own words.
@Suite struct WordsForYAML {
    private func lines(_ text: String) -> [String] {
        do throws(ConfigurationIssues) {
            _ = try ConfigurationFile(parsing: Array(text.utf8))
            return []
        } catch {
            return error.list.map { $0.line(file: "f") }
        }
    }

    @Test(arguments: [
        ("keys:\n  - write: [*]\n", "f:2:13: a text that begins with * stands in quotes: \"*\""),
        ("open-feeds: *\n", "f:1:13: a text that begins with * stands in quotes: \"*\""),
        ("open-feeds: [*-x, a]\n", "f:1:14: a text that begins with * stands in quotes: \"*-x\""),
        ("feeds:\n  *: {guard: 5}\n", "f:2:3: a text that begins with * stands in quotes: \"*\""),
        ("keys:\n\t- a\n", "f:2:1: a tab cannot indent a line: use spaces"),
        ("limits:\n\tconnections: 1\n", "f:2:1: a tab cannot indent a line: use spaces"),
        (
            "e\u{301}e\u{301}x: [*y]\n",
            "f:1:9: a text that begins with * stands in quotes: \"*y\""
        ),
        ("host: @x\n", "f:1:7: a text that begins with @ stands in quotes"),
        (
            "host: a: b\n",
            "f:1:8: \": \" is there for a second time: a value with it stands in quotes"
        ),
        (
            "host: a\n port: 1\n",
            "f:2:6: begins in another column than the settings before, or the line before has no \":\""
        ),
        ("host: \"abc\nport: 1\n", "f:1:7: a text in quotes has no quote at its end"),
        (
            "open-feeds: [a, b\nport: 1\n",
            "f:2:5: a list that begins with [ has neither , nor ] here"
        ),
        ("port: 1\nport 80\nhost: x\n", "f:2:1: has no \": \" between a name and a value"),
        (
            "limits: {head-size: 1:}\n",
            "f:1:22: a text with : between brackets stands in quotes"
        ),
        ("host: ]\n", "f:1:7: a value is missing before ]"),
        ("port: [", "f:2:1: a value is missing at the end"),
        ("a: b\n---\nc: d\n", "f:2:1: has a second document after ---, but a configuration is one"),
    ])
    func arePlain(_ text: String, _ line: String) {
        #expect(lines(text) == [line])
    }

    /// The words of the parser that say nothing to people who only write a configuration.
    private static let jargon = [
        "scalar", "token", "alias", "anchor", "flow", "block", "mapping", "sequence", "node",
        "stream", "indicator", "directive", "scanning", "parsing", "context", "YamlError",
    ]

    /// A sign too many, or the end of the file, anywhere in a configuration.
    @Test(arguments: [
        "*", "\t", "[", "]", "{", "}", "\"", "'", ": ", "@", "&", "!", "|", ">", "%", "- ", "? ",
        "#", ",", "\\", "\n", "", " ",
    ])
    func areNoJargon(_ sign: String) {
        let text = Array(
            """
            host: a
            keys:
              - name: "x y"
                write: [news, 'wire-*']
            limits: {head-size: 1MiB}
            """
        )
        for index in text.indices {
            let wrong = String(text[..<index]) + sign + (sign.isEmpty ? "" : String(text[index...]))
            for line in lines(wrong) {
                let found = Self.jargon.filter { line.contains($0) }
                #expect(found.isEmpty, "\(line)\n\(wrong)")
            }
        }
    }
}
