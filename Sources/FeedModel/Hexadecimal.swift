extension FixedWidthInteger where Self: UnsignedInteger {
    /// The number in lower-case hexadecimal digits, with zeros before them up to its width.
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.utf8.count) + digits
    }
}

extension Sequence<UInt8> {
    /// The bytes in lower-case hexadecimal digits, two for each.
    package var hexadecimal: String { map(\.hexadecimal).joined() }
}

extension UInt8 {
    /// The value of a hexadecimal digit; `nil` for any other byte.
    package var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension [UInt8] {
    /// Parses hexadecimal digits, two for each byte; `nil`: the text is something else.
    package init?(hexadecimal text: some StringProtocol) {
        let digits = text.utf8.compactMap(\.hexValue)
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
