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
