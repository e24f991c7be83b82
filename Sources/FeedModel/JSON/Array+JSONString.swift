extension [UInt8] {
    /// Appends a string in quotes, escaped no more than RFC 8259 §7 asks.
    package mutating func append(jsonString string: String) {
        append(UInt8(ascii: "\""))
        let start = count
        append(contentsOf: string.utf8)
        if let first = self[start...].firstIndex(where: \.needsEscape) {
            let rest = Array(self[first...])
            removeSubrange(first...)
            var plain = 0
            for index in rest.indices where rest[index].needsEscape {
                append(contentsOf: rest[plain..<index])
                append(escaped: rest[index])
                plain = index + 1
            }
            append(contentsOf: rest[plain...])
        }
        append(UInt8(ascii: "\""))
    }

    /// - Parameter byte: One that ``UInt8/needsEscape``.
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

extension UInt8 {
    /// Whether it cannot stand in a string as it is.
    fileprivate var needsEscape: Bool {
        self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
    }
}
