import Yams

/// Messages for the mistakes that the YAML parser finds, without the terms of YAML.
extension ConfigurationIssue {
    /// Makes an issue from an error of the parser in a file's text.
    init(_ error: YamlError, in text: String) {
        switch error {
        case .scanner(let context, let problem, let mark, _),
            .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            self.init(problem, context, mark, in: Lines(text))
        case .duplicatedKeysInMapping(let names, let context):
            self.init(
                place: Place(context.mark),
                path: names.joined(separator: ", "),
                reason: "is there more than once"
            )
        case .reader(let problem, _, _, _):
            let isControl = problem.contains("control characters")
            self.init(
                place: nil,
                path: "",
                reason: isControl ? "has control characters, which nothing can show" : problem
            )
        default:
            self.init(place: nil, path: "", reason: "cannot be read: \(error)")
        }
    }

    private init(_ problem: String, _ context: YamlError.Context?, _ mark: Mark, in lines: Lines) {
        var place = Place(mark)
        let reason: String
        if problem.contains("alias") || context?.text.contains("alias") == true {
            // The parser's mark is at the asterisk, or just after it.
            if lines.character(place) != "*" {
                place = Place(line: place.line, column: place.column - 1)
            }
            reason = "a text that begins with * stands in quotes: \"\(lines.word(place))\""
        } else if problem.contains("tab character") || lines.character(place) == "\t" {
            reason = "a tab cannot indent a line: use spaces"
        } else if problem.contains("cannot start any token") {
            let sign = lines.character(place).map { "\($0)" } ?? "this"
            reason = "a text that begins with \(sign) stands in quotes"
        } else if problem.contains("mapping values") {
            reason =
                lines.hasColon(before: place)
                ? "\": \" is there for a second time: a value with it stands in quotes"
                : "begins in another column than the settings before, or the line before has no "
                    + "\":\""
        } else if problem.contains("end of stream"), let start = context?.mark {
            place = Place(start)
            reason = "a text in quotes has no quote at its end"
        } else if problem.contains("could not find expected ':'"), let start = context?.mark {
            place = Place(start)
            reason = "has no \": \" between a name and a value"
        } else if problem.contains("node content") {
            let sign = lines.character(place)
            reason =
                sign.map { "a value is missing before \($0)" } ?? "a value is missing at the end"
        } else {
            let all = problem + " " + (context?.text ?? "")
            let found = ConfigurationIssue.words.first { all.contains($0.problem) }
            reason = found?.reason ?? "is not written as YAML is (\(problem))"
        }
        self.init(place: place, path: "", reason: reason)
    }

    /// Parts of the parser's messages, and the words that replace the messages.
    private static let words: [(problem: String, reason: String)] = [
        ("',' or ']'", "a list that begins with [ has neither , nor ] here"),
        ("',' or '}'", "settings that begin with { have neither , nor } here"),
        ("escape character", "a \\ in \"…\" means another sign: write \\\\, or use '…'"),
        ("escape code", "a \\ in \"…\" means another sign: write \\\\, or use '…'"),
        ("hexdecimal", "a \\ in \"…\" means another sign: write \\\\, or use '…'"),
        (
            "did not find expected key",
            "is no setting as \"name: value\", or begins in another column"
        ),
        ("'-' indicator", "is no element of the list before, each of which begins with \"- \""),
        ("block sequence entries", "a list begins on a line of its own"),
        ("mapping keys are not allowed", "a text that begins with ? stands in quotes"),
        ("end of stream", "ends too early"),
        ("unexpected ':'", "a text with : between brackets stands in quotes"),
        ("document start", "begins in another column than the settings before"),
        ("document indicator", "--- or ... stands in a text: put that text into quotes"),
        ("single document", "has a second document after ---, but a configuration is one"),
        ("directive", "a line that begins with % stands in quotes"),
        ("comment or line break", "a text that begins with | or > stands in quotes"),
        ("indentation indicator", "a text that begins with | or > stands in quotes"),
        ("anchor", "a text that begins with & stands in quotes"),
        ("tag", "a text that begins with ! stands in quotes"),
        ("whitespace or line break", "a text that begins with ! or & stands in quotes"),
    ]

    /// The lines of a file, to examine the text at the position of a mistake.
    private struct Lines {
        private let lines: [[Unicode.Scalar]]

        init(_ text: String) {
            lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                .map { Array($0.unicodeScalars) }
        }

        /// Returns the code point at a position; `nil`: the line ends there.
        func character(_ place: Place) -> Unicode.Scalar? {
            guard lines.indices.contains(place.line - 1) else { return nil }
            let line = lines[place.line - 1]
            return line.indices.contains(place.column - 1) ? line[place.column - 1] : nil
        }

        /// Returns the text from a position to the next space, comma or bracket.
        func word(_ place: Place) -> String {
            guard lines.indices.contains(place.line - 1) else { return "*" }
            let rest = lines[place.line - 1].dropFirst(max(0, place.column - 1))
            let word = rest.prefix { !" \t,:[]{}\"'".unicodeScalars.contains($0) }
            return String(String.UnicodeScalarView(word))
        }

        /// Returns whether a line has a colon before a position.
        func hasColon(before place: Place) -> Bool {
            guard lines.indices.contains(place.line - 1) else { return false }
            let line = lines[place.line - 1].prefix(max(0, place.column - 1))
            return line.contains(":")
        }
    }
}
