import HTTPWire
import Platform

/// Escapes texts from clients for log lines, so that no byte can end a line or a quotation, or
/// control a terminal.
extension [UInt8] {
    /// Appends a text with control characters, quotes, backslashes and bytes that are not ASCII
    /// escaped as `\xHH`, like nginx and Apache.
    ///
    /// - Parameter isQuoted: Whether the text stands between quotes; `false`: its quotes are not
    ///   escaped.
    package mutating func appendLogText(_ text: ArraySlice<UInt8>, isQuoted: Bool = true) {
        guard !text.isPlainInLog else {
            self += text
            return
        }
        for byte in text {
            if byte.isPlainInLog || !isQuoted && byte == UInt8(ascii: "\"") {
                append(byte)
            } else {
                self += "\\x".utf8
                append(hexadecimal: byte, digitCount: 2)
            }
        }
    }

    /// Appends a text as a JSON string with its quotes (RFC 8259 §7); invalid UTF-8 becomes U+FFFD,
    /// and control characters are escaped, including those beyond ASCII.
    package mutating func appendLogJSON(_ text: ArraySlice<UInt8>) {
        append(UInt8(ascii: "\""))
        if text.isPlainInLog {
            self += text
        } else {
            for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
                appendLogJSON(scalar)
            }
        }
        append(UInt8(ascii: "\""))
    }

    private mutating func appendLogJSON(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x22, 0x5C: self += [UInt8(ascii: "\\"), UInt8(scalar.value)]
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029:
            self += "\\u".utf8
            append(hexadecimal: UInt16(scalar.value), digitCount: 4)
        default: self += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        }
    }

    private mutating func append(hexadecimal value: some FixedWidthInteger, digitCount: Int) {
        for index in (0..<digitCount).reversed() {
            let digit = UInt8(truncatingIfNeeded: value >> (4 * index)) & 15
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") - 10 + digit)
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate var isPlainInLog: Bool { allSatisfy(\.isPlainInLog) }
}

extension UInt8 {
    fileprivate var isPlainInLog: Bool {
        0x20..<0x7F ~= self && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
    }
}

/// Formats times for log lines, in UTC.
extension [UInt8] {
    /// Appends a time in seconds since 1970 as in the Common Log Format:
    /// `21/Nov/2026:19:24:15 +0000`.
    mutating func appendCommonLogTime(_ seconds: Int) {
        let date = HTTPDate.format(seconds)
        self += date[5..<7] + [UInt8(ascii: "/")] + date[8..<11] + [UInt8(ascii: "/")]
        self += date[12..<16] + [UInt8(ascii: ":")] + date[17..<25]
        self += " +0000".utf8
    }

    /// Appends a time in nanoseconds since 1970 as in RFC 3339 §5.6: `2026-11-21T19:24:15.123456Z`.
    package mutating func appendLogTime(nanoseconds: Int) {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        CivilDate(seconds: seconds).appendRFC3339(to: &self, then: ".")
        append(rest / 1000, digits: 6, then: "Z")
    }
}
