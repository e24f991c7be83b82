/// The range of a valid string in a document, with its hash.
package struct StringToken {
    /// The index of the first byte inside the quotes.
    let start: Int
    /// The index of the closing quote.
    let end: Int
    /// The hash of the characters, independent of their escapes.
    let hash: UInt64
    let isEscaped: Bool

    /// The index of the opening quote, which errors point to.
    var offset: Int { start - 1 }
}

extension StringToken {
    /// Returns the string with its escapes resolved.
    package func string(in bytes: ArraySlice<UInt8>) -> String {
        if isEscaped { return String(decoding: unescaped(in: bytes.span), as: UTF8.self) }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// Returns whether the string equals `text`.
    package func equals(_ text: ExactString, in bytes: ArraySlice<UInt8>) -> Bool {
        if isEscaped { return ExactString(string(in: bytes)) == text }
        let source = bytes.span
        return text.string.withUTF8Span { other in
            guard end - start == other.count else { return false }
            for position in other.indices where source[start + position] != other[position] {
                return false
            }
            return true
        }
    }

    /// Returns whether two strings of a document are equal.
    func equals(_ other: StringToken, in source: Span<UInt8>) -> Bool {
        if isEscaped || other.isEscaped {
            return unescaped(in: source) == other.unescaped(in: source)
        }
        let length = end - start
        guard length == other.end - other.start else { return false }
        for index in 0..<length where source[start + index] != source[other.start + index] {
            return false
        }
        return true
    }

    /// Returns the UTF-8 of the string with its escapes resolved (RFC 8259 §7).
    func unescaped(in source: Span<UInt8>) -> [UInt8] {
        [UInt8](capacity: end - start) { bytes in
            var index = start
            while index < end {
                let byte = source[index]
                index += 1
                if byte == UInt8(ascii: "\\"), index < end {
                    let scalar = Self.unescape(in: source, at: &index)
                    for position in 0..<scalar.count { bytes.append(scalar.utf8.byte(position)) }
                } else {
                    bytes.append(byte)
                }
            }
        }
    }

    /// Returns the character of an escape, or of a surrogate pair of escapes; `index` is after the
    /// backslash.
    private static func unescape(
        in source: Span<UInt8>,
        at index: inout Int
    ) -> (utf8: UInt64, count: Int) {
        let kind = source[index]
        index += 1
        guard kind == UInt8(ascii: "u") else {
            return (UInt64(kind.meaningAfterBackslash ?? kind), 1)
        }
        var scalar = source.hexadecimal(at: index) ?? 0
        index += 4
        if 0xd800...0xdbff ~= scalar, let low = source.hexadecimal(at: index + 2) {
            scalar = 0x10000 + (scalar - 0xd800) << 10 + (low &- 0xdc00) & 0x3ff
            index += 6
        }
        return UInt64.utf8(of: scalar)
    }
}
