/// A 64-bit checksum for stored bytes, which finds bytes that a disk or a copy has altered.
///
/// Each word of eight bytes is folded in by a multiplication, whose 128-bit product is reduced to
/// 64 bits by an exclusive or of its halves. The checksum is equal in every process, and does not
/// protect against deliberate collisions.
package enum Checksum {
    private static let first: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let second: UInt64 = 0xD6E8_FEB8_6659_FD93

    /// Returns the checksum of bytes; `seed` is the checksum of the bytes before them, or 0 if
    /// there are none.
    package static func of(_ bytes: [UInt8], after seed: UInt64 = 0) -> UInt64 {
        var state = fold(seed ^ first, UInt64(bytes.count) &* 2 | 1)
        let span = bytes.span
        var index = 0
        while index + 8 <= span.count {
            state = fold(state ^ UInt64(littleEndian: span.word(at: index)), second)
            index += 8
        }
        var tail: UInt64 = 0
        for position in stride(from: span.count - 1, through: index, by: -1) {
            tail = tail << 8 | UInt64(span[position])
        }
        return fold(state ^ tail, first)
    }

    /// Returns a checksum with one more word folded in.
    package static func adding(_ word: UInt64, to state: UInt64) -> UInt64 {
        fold(state ^ word, second)
    }

    @inline(__always)
    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        // Without the sum, a state of zero would stay zero.
        return (product.high ^ product.low) &+ first
    }
}

extension Span<UInt8> {
    /// Returns the eight bytes from `index` on as a number.
    fileprivate func word(at index: Int) -> UInt64 {
        // The load is safe: any eight bytes are a valid number, and the call checks the bounds.
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
    }
}
