import FeedModel

extension JSONText {
    /// A string of at most so many scalars, with "…" in the place of what it has more; any other
    /// value as it is.
    ///
    /// Nothing behind them is looked at.
    func beginning(scalarLimit: Int) -> [UInt8] {
        guard bytes.first == UInt8(ascii: "\"") else { return bytes }
        let last = bytes.count - 1
        var (end, count) = (1, 0)
        while count < scalarLimit, end < last {
            end += byteCount(ofScalarAt: end)
            count += 1
        }
        guard end < last else { return bytes }
        return Array(bytes[..<end]) + Array("…\"".utf8)
    }

    /// The bytes of a scalar in a string, which is one with its escapes.
    private func byteCount(ofScalarAt index: Int) -> Int {
        switch bytes[index] {
        case UInt8(ascii: "\\"):
            guard bytes[index + 1] == UInt8(ascii: "u") else { return 2 }
            return isHighSurrogate(at: index + 2) ? 12 : 6
        case ..<0x80: return 1
        case ..<0xe0: return 2
        case ..<0xf0: return 3
        default: return 4
        }
    }

    /// Whether four hexadecimal digits are the first half of a pair (RFC 8259 §7).
    private func isHighSurrogate(at index: Int) -> Bool {
        guard bytes[index] | 0x20 == UInt8(ascii: "d") else { return false }
        switch bytes[index + 1] | 0x20 {
        case UInt8(ascii: "8"), UInt8(ascii: "9"), UInt8(ascii: "a"), UInt8(ascii: "b"): return true
        default: return false
        }
    }
}
