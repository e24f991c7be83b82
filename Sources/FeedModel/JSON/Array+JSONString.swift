extension [UInt8] {
    /// Appends a string in quotes, escaped no more than RFC 8259 §7 asks.
    package mutating func append(jsonString string: String) {
        append(UInt8(ascii: "\""))
        let start = count
        append(contentsOf: string.utf8)
        if self[start...].contains(where: \.needsEscape) {
            removeSubrange(start...)
            for byte in string.utf8 { append(escaped: byte) }
        }
        append(UInt8(ascii: "\""))
    }

    private mutating func append(escaped byte: UInt8) {
        guard byte.needsEscape else { return append(byte) }
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
