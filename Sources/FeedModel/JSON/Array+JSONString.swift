extension [UInt8] {
    /// Appends a string in quotes, with only the escapes that RFC 8259 §7 requires.
    package mutating func append(jsonString string: String) {
        append(UInt8(ascii: "\""))
        let start = count
        append(contentsOf: string.utf8)
        if let first = string.withUTF8Span({ $0.firstEscape }) {
            let rest = Array(self[(start + first)...])
            removeLast(rest.count)
            var (plain, index) = (0, 0)
            while index < rest.count {
                if rest[index].needsEscape {
                    append(contentsOf: rest[plain..<index])
                    append(escaped: rest[index])
                    plain = index + 1
                }
                index += 1
            }
            append(contentsOf: rest[plain...])
        }
        append(UInt8(ascii: "\""))
    }

    /// - Parameter byte: A byte that ``UInt8/needsEscape``.
    private mutating func append(escaped byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0a: append(UInt8(ascii: "n"))
        case 0x0c: append(UInt8(ascii: "f"))
        case 0x0d: append(UInt8(ascii: "r"))
        case 0x00...0x1f:
            let digits = String(byte, radix: 16)
            append(contentsOf: (digits.utf8.count == 1 ? "u000" : "u00").utf8)
            append(contentsOf: digits.utf8)
        default: append(byte)
        }
    }
}

extension Span<UInt8> {
    /// The index of the first byte that must be escaped in a string.
    fileprivate var firstEscape: Int? {
        var index = 0
        while index < count {
            if self[index].needsEscape { return index }
            index += 1
        }
        return nil
    }
}

extension UInt8 {
    /// Whether the byte must be escaped in a string.
    fileprivate var needsEscape: Bool {
        self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
    }
}
