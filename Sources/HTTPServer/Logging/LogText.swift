import HTTPWire
import Platform

/// Escapes clients' texts for log lines, so that no byte can end a line or a quotation, or control
/// a terminal.
package enum LogText {
    /// Appends `text` as nginx and Apache do between quotes: control characters, quotes,
    /// backslashes and bytes that are not ASCII as `\xHH`.
    ///
    /// - Parameters:
    ///   - text: The text to append.
    ///   - line: The line to append it to.
    ///   - isQuoted: Whether the text stands between quotes; otherwise it may contain quotes.
    package static func append(
        _ text: ArraySlice<UInt8>,
        to line: inout [UInt8],
        isQuoted: Bool = true
    ) {
        guard !isPlain(text) else {
            line += text
            return
        }
        for byte in text {
            if isPlain(byte) || !isQuoted && byte == UInt8(ascii: "\"") {
                line.append(byte)
            } else {
                line += [UInt8(ascii: "\\"), UInt8(ascii: "x"), digit(byte >> 4), digit(byte & 15)]
            }
        }
    }

    /// Appends `text` as a JSON string with its quotes (RFC 8259 §7); invalid UTF-8 becomes U+FFFD,
    /// and control characters are escaped, including those beyond ASCII.
    package static func appendJSON(_ text: ArraySlice<UInt8>, to line: inout [UInt8]) {
        line.append(UInt8(ascii: "\""))
        if isPlain(text) {
            line += text
        } else {
            for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
                append(scalar, to: &line)
            }
        }
        line.append(UInt8(ascii: "\""))
    }

    private static func append(_ scalar: Unicode.Scalar, to line: inout [UInt8]) {
        switch scalar.value {
        case 0x22, 0x5C: line += [UInt8(ascii: "\\"), UInt8(scalar.value)]
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029:
            line += "\\u".utf8
            for shift in [12, 8, 4, 0] { line.append(digit(UInt8(scalar.value >> shift & 15))) }
        default: line += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        }
    }

    private static func isPlain(_ text: ArraySlice<UInt8>) -> Bool {
        let bytes = text.span
        var others: UInt8 = 0
        // The loop has no early exit, so that the compiler can vectorize it.
        for index in bytes.indices { others |= isPlain(bytes[index]) ? 0 : 1 }
        return others == 0
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        0x20..<0x7F ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value
    }
}

/// Times in log lines, in UTC.
extension LogText {
    /// Appends a time as in the Common Log Format: `21/Nov/2026:19:24:15 +0000`.
    package static func appendCommonTime(_ seconds: Int, to line: inout [UInt8]) {
        let date = HTTPDate.format(seconds)
        line += date[5..<7] + [UInt8(ascii: "/")] + date[8..<11] + [UInt8(ascii: "/")]
        line += date[12..<16] + [UInt8(ascii: ":")] + date[17..<25]
        line += " +0000".utf8
    }

    /// Appends a time as in RFC 3339: `2026-11-21T19:24:15.123456Z`.
    package static func appendTime(nanoseconds: Int, to line: inout [UInt8]) {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        CivilDate(seconds: seconds).appendRFC3339(to: &line, then: ".")
        line.append(rest / 1000, digits: 6, then: "Z")
    }
}
