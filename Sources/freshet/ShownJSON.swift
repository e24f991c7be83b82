import FeedModel
import TerminalReader

/// JSON without characters that a terminal would obey, even if a server sent some.
enum ShownJSON {
    /// Returns the document with escapes for the characters that a terminal would obey
    /// (``ShownText``): C0, DEL, C1, and controls of the text's direction.
    ///
    /// Line feeds and tabs between tokens stay.
    ///
    /// - Parameter json: JSON, or a server's content that should be JSON; bytes that are not UTF-8
    ///   become U+FFFD.
    static func bytes(_ json: [UInt8]) -> [UInt8] {
        let isPlain = json.allSatisfy { 0x20...0x7E ~= $0 || $0 == UInt8(ascii: "\n") }
        if isPlain { return json }
        var output: [UInt8] = []
        output.reserveCapacity(json.count + 64)
        var (isInString, isEscaped) = (false, false)
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            if !isInString, ["\n", "\t", "\r"].contains(scalar) {
                // A carriage return takes a terminal back to the start of the line.
                if scalar != "\r" { output.append(UInt8(ascii: scalar)) }
                continue
            }
            if ShownText.controlsTerminal(scalar) {
                output += ShownJSON.escape(scalar).utf8
                isEscaped = false
                continue
            }
            output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            if scalar == "\"", !isEscaped { isInString.toggle() }
            isEscaped = isInString && !isEscaped && scalar == "\\"
        }
        return output
    }

    /// Returns the escape of a scalar of the first plane (RFC 8259 §7).
    static func escape(_ scalar: Unicode.Scalar) -> String {
        "\\u" + UInt16(scalar.value).hexadecimal
    }
}
