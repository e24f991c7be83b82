/// Breaks JSON into indented lines; numbers and strings stay as they are spelled.
enum PrettyJSON {
    /// Returns the document with a line for each member and element, indented by two spaces a
    /// level.
    ///
    /// - Parameter json: Valid JSON (RFC 8259), with white space between tokens or without.
    /// - Returns: The lines, without a line feed after the last.
    static func bytes(_ json: [UInt8]) -> [UInt8] {
        var writer = Writer()
        for byte in json {
            writer.take(byte)
        }
        return writer.output
    }

    private struct Writer {
        var output: [UInt8] = []
        private var depth = 0
        private var isInString = false
        private var isEscaped = false
        /// Whether a bracket was opened and nothing came after it yet.
        private var isAtOpening = false

        mutating func take(_ byte: UInt8) {
            if isInString {
                output.append(byte)
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else {
                takeOutsideString(byte)
            }
        }

        private mutating func takeOutsideString(_ byte: UInt8) {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                return
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                // A server may send anything.
                depth = max(0, depth - 1)
                if !isAtOpening { breakLine() }
                isAtOpening = false
                output.append(byte)
            case UInt8(ascii: ","):
                output.append(byte)
                breakLine()
            case UInt8(ascii: ":"):
                output += [byte, UInt8(ascii: " ")]
            default:
                if isAtOpening { breakLine() }
                isAtOpening = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
                if isAtOpening { depth += 1 }
                isInString = byte == UInt8(ascii: "\"")
                output.append(byte)
            }
        }

        private mutating func breakLine() {
            output.append(UInt8(ascii: "\n"))
            output += repeatElement(UInt8(ascii: " "), count: 2 * depth)
        }
    }
}
