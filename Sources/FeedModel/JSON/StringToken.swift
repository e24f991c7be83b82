/// A string in a document that has been read and found valid.
struct StringToken {
    /// The first byte inside the quotes.
    let start: Int
    /// The closing quote.
    let end: Int
    /// The hash of the characters, the same however they are escaped.
    let hash: UInt64
    let isEscaped: Bool

    /// The opening quote, where errors point to.
    var offset: Int { start - 1 }
}

extension StringToken {
    /// The string, its escapes resolved.
    func string(in bytes: [UInt8]) -> String {
        if isEscaped { return String(decoding: unescaped(in: bytes.span), as: UTF8.self) }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// Whether two strings of a document are the same.
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

    /// The UTF-8 of the string with its escapes resolved (RFC 8259 §7).
    func unescaped(in source: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(end - start)
        var index = start
        while index < end {
            let byte = source[index]
            index += 1
            if byte == UInt8(ascii: "\\"), index < end {
                Self.unescape(in: source, at: &index, to: &bytes)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// Appends what one escape stands for, or two that are a pair; `index` is past the backslash.
    private static func unescape(
        in source: Span<UInt8>,
        at index: inout Int,
        to bytes: inout [UInt8]
    ) {
        let kind = source[index]
        index += 1
        switch kind {
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "n"): bytes.append(0x0a)
        case UInt8(ascii: "f"): bytes.append(0x0c)
        case UInt8(ascii: "r"): bytes.append(0x0d)
        case UInt8(ascii: "u"):
            var scalar = source.hexadecimal(at: index) ?? 0
            index += 4
            if 0xd800...0xdbff ~= scalar, let low = source.hexadecimal(at: index + 2) {
                scalar = 0x10000 + (scalar - 0xd800) << 10 + (low &- 0xdc00) & 0x3ff
                index += 6
            }
            bytes.append(utf8Of: scalar)
        default: bytes.append(kind)
        }
    }
}

extension [UInt8] {
    /// Appends the UTF-8 of a Unicode scalar value (RFC 3629 §3).
    fileprivate mutating func append(utf8Of scalar: UInt32) {
        func byte(_ mark: UInt32, _ shift: UInt32, _ mask: UInt32) -> UInt8 {
            UInt8(truncatingIfNeeded: mark | (scalar >> shift & mask))
        }
        switch scalar {
        case 0..<0x80: append(byte(0, 0, 0x7f))
        case 0x80..<0x800:
            append(byte(0xc0, 6, 0x1f))
            append(byte(0x80, 0, 0x3f))
        case 0x800..<0x10000:
            append(byte(0xe0, 12, 0x0f))
            append(byte(0x80, 6, 0x3f))
            append(byte(0x80, 0, 0x3f))
        default:
            append(byte(0xf0, 18, 0x07))
            append(byte(0x80, 12, 0x3f))
            append(byte(0x80, 6, 0x3f))
            append(byte(0x80, 0, 0x3f))
        }
    }
}

extension Span<UInt8> {
    /// The value of four hexadecimal digits; `nil` where there are none.
    func hexadecimal(at index: Int) -> UInt32? {
        guard index + 4 <= count else { return nil }
        var value: UInt32 = 0
        for place in index..<index + 4 {
            let digit: UInt8
            switch self[place] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = self[place] - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = self[place] - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = self[place] - UInt8(ascii: "A") + 10
            default: return nil
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
