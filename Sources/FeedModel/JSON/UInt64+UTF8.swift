/// Operations on eight bytes of text, the first byte lowest.
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
        func bits(_ shift: UInt32, _ mask: UInt32, _ mark: UInt32) -> UInt64 {
            UInt64(scalar >> shift & mask | mark)
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
