import FeedModel
import TerminalReader

/// JSON without characters that a terminal would obey, even if a server sent some.
enum ShownJSON {
    /// Returns the document with escapes for the characters that a terminal would obey
    /// (``ShownText``): C0, DEL, C1, and controls of the text's direction.
    ///
    /// Numbers and strings stay as they are spelled otherwise.
    ///
    /// - Parameters:
    ///   - json: JSON, or a server's content that should be JSON; bytes that are not UTF-8 become
    ///     U+FFFD.
    ///   - isPretty: Whether each member and element has a line, indented by two spaces a level.
    ///     Otherwise line feeds, tabs and spaces between tokens stay.
    static func bytes(_ json: [UInt8], isPretty: Bool = false) -> [UInt8] {
        let isPlain = json.allSatisfy { 0x20...0x7E ~= $0 || $0 == UInt8(ascii: "\n") }
        if isPlain, !isPretty { return json }
        var writer = Writer(isPretty: isPretty)
        writer.output.reserveCapacity(json.count + 64)
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            writer.take(scalar)
        }
        return writer.output
    }

    /// Returns the escape of a scalar of the first plane (RFC 8259 §7).
    static func escape(_ scalar: Unicode.Scalar) -> String {
        "\\u" + UInt16(scalar.value).hexadecimal
    }

    private struct Writer {
        let isPretty: Bool
        var output: [UInt8] = []
        private var depth = 0
        private var isInString = false
        private var isEscaped = false
        /// Whether a bracket was opened and nothing came after it yet.
        private var isAtOpening = false

        init(isPretty: Bool) { self.isPretty = isPretty }

        mutating func take(_ scalar: Unicode.Scalar) {
            guard isInString else { return takeOutsideString(scalar) }
            append(scalar)
            isInString = isEscaped || scalar != "\""
            isEscaped = !isEscaped && scalar == "\\"
        }

        private mutating func takeOutsideString(_ scalar: Unicode.Scalar) {
            switch scalar {
            case "\r": break  // It takes a terminal back to the start of the line.
            case " ", "\t", "\n": if !isPretty { output.append(UInt8(ascii: scalar)) }
            case "}", "]":
                depth = max(0, depth - 1)
                if !isAtOpening { breakLine() }
                isAtOpening = false
                append(scalar)
            case ",":
                append(scalar)
                breakLine()
            case ":":
                append(scalar)
                if isPretty { output.append(UInt8(ascii: " ")) }
            default:
                if isAtOpening { breakLine() }
                isAtOpening = scalar == "{" || scalar == "["
                if isAtOpening { depth += 1 }
                isInString = scalar == "\""
                append(scalar)
            }
        }

        private mutating func append(_ scalar: Unicode.Scalar) {
            if ShownText.controlsTerminal(scalar) {
                output += ShownJSON.escape(scalar).utf8
            } else {
                output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }

        private mutating func breakLine() {
            guard isPretty else { return }
            output.append(UInt8(ascii: "\n"))
            output += repeatElement(UInt8(ascii: " "), count: 2 * depth)
        }
    }
}
