extension Span<UInt8> {
    /// Returns eight bytes from `index` on, which must all be in the span, the first byte lowest.
    ///
    /// `HTTPWire` has its own copy of this function; neither target depends on the other.
    @inline(__always)
    func knownWord(at index: Int) -> UInt64 {
        assert(index >= 0 && index + 8 <= count)
        return UInt64(
            littleEndian: unsafe bytes.unsafeLoadUnaligned(
                fromUncheckedByteOffset: index,
                as: UInt64.self
            )
        )
    }

    /// Returns the bytes from `index` to `end`, at most seven, the first byte lowest.
    @inline(__always)
    func tail(from index: Int, to end: Int) -> UInt64 {
        paddedWord(at: index) & .lowBytes(end - index)
    }

    /// Returns eight bytes from `index` on, which is in the span or at its end, the first byte
    /// lowest; zeros past the end.
    @inline(__always)
    func paddedWord(at index: Int) -> UInt64 {
        index + 8 <= count ? knownWord(at: index) : lastWord(at: index)
    }

    private func lastWord(at index: Int) -> UInt64 {
        var word: UInt64 = 0
        for position in stride(from: count - 1, through: index, by: -1) {
            word = word << 8 | UInt64(self[position])
        }
        return word
    }

    /// Returns the value of four hexadecimal digits; `nil` if they are not there.
    func hexadecimal(at index: Int) -> UInt32? {
        guard index + 4 <= count else { return nil }
        var value: UInt32 = 0
        for position in index..<index + 4 {
            let digit: UInt8
            switch self[position] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = self[position] - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"):
                digit = self[position] - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"):
                digit = self[position] - UInt8(ascii: "A") + 10
            default: return nil
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
