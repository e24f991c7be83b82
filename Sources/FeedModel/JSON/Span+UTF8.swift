extension Span<UInt8> {
    /// Returns the index of the first malformed UTF-8 (RFC 3629 §4) between `start` and `end`;
    /// `nil` if there is none.
    ///
    /// The byte at `end` must be ASCII: the quote, backslash or forbidden byte that ends a run of
    /// characters.
    func firstNotUTF8(from start: Int, to end: Int) -> Int? {
        var position = start
        while position < end {
            let word = paddedWord(at: position)
            if word.isASCII {
                position += 8
                continue
            }
            position += word.asciiPrefixCount
            if position >= end { return nil }
            let length = paddedWord(at: position).firstScalarByteCount
            guard length > 0 else { return position }
            position += length
        }
        return nil
    }
}

/// Treats the number as eight bytes of text, the first byte lowest.
extension UInt64 {
    /// Returns a word with all bits of the lowest `count` bytes set, at most seven.
    @inline(__always)
    static func lowBytes(_ count: Int) -> UInt64 {
        (1 &<< UInt64(truncatingIfNeeded: count &* 8)) &- 1
    }

    /// Returns the byte at `position`, from 0 to 7.
    @inline(__always)
    func byte(_ position: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: self &>> UInt64(truncatingIfNeeded: position &* 8))
    }

    /// Whether all eight bytes are ASCII.
    @inline(__always)
    var isASCII: Bool { self & 0x8080_8080_8080_8080 == 0 }

    /// The number of bytes before the first one that is not ASCII; there must be one.
    @inline(__always)
    var asciiPrefixCount: Int {
        (self & 0x8080_8080_8080_8080).trailingZeroBitCount >> 3
    }

    /// The number of bytes of the scalar that begins in the lowest byte; 0 if it is malformed (The
    /// Unicode Standard, table 3-7).
    ///
    /// A zero byte is no continuation byte, so padded words are safe.
    @inline(__always)
    var firstScalarByteCount: Int {
        if self & 0x80 == 0 { return 1 }
        if self & 0xc0e0 == 0x80c0 { return self & 0x1e == 0 ? 0 : 2 }
        if self & 0xc0_c0f0 == 0x80_80e0 {
            // The scalar must be neither overlong nor a surrogate.
            let bits = self & 0x200f
            return bits != 0 && bits != 0x200d ? 3 : 0
        }
        guard self & 0xc0c0_c0f8 == 0x8080_80f0 else { return 0 }
        // The five highest bits of the scalar must be in the range from 0x10000 to 0x10ffff.
        let plane = (self & 0x07) << 2 | (self >> 12 & 0x03)
        return 1...0x10 ~= plane ? 4 : 0
    }

    /// Returns the UTF-8 of a Unicode scalar value (RFC 3629 §3).
    static func utf8(of scalar: UInt32) -> (utf8: UInt64, count: Int) {
        func bits(_ shift: UInt32, _ mask: UInt32, _ prefix: UInt32) -> UInt64 {
            UInt64(scalar >> shift & mask | prefix)
        }
        return switch scalar {
        case 0..<0x80: (UInt64(scalar), 1)
        case 0x80..<0x800: (bits(6, 0x1f, 0xc0) | bits(0, 0x3f, 0x80) << 8, 2)
        case 0x800..<0x10000:
            (bits(12, 0x0f, 0xe0) | bits(6, 0x3f, 0x80) << 8 | bits(0, 0x3f, 0x80) << 16, 3)
        default:
            (
                bits(18, 0x07, 0xf0) | bits(12, 0x3f, 0x80) << 8
                    | bits(6, 0x3f, 0x80) << 16 | bits(0, 0x3f, 0x80) << 24, 4
            )
        }
    }
}

extension Span<UInt8> {
    /// Returns eight bytes from `index` on, which must all be in the span, the first byte lowest.
    ///
    /// `HTTPWire` has its own copy of this function; neither target depends on the other.
    @inline(__always)
    func knownWord(at index: Int) -> UInt64 {
        assert(0...count - 8 ~= index)
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

    /// Returns eight bytes from `index` on, the first byte lowest, with zeros for bytes past the
    /// span's end.
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

    /// Returns the value of the four hexadecimal digits from `index` on; `nil` if there are not
    /// four.
    func hexadecimal(at index: Int) -> UInt32? {
        guard index + 4 <= count else { return nil }
        var value: UInt32 = 0
        for position in index..<index + 4 {
            guard let digit = self[position].hexValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
