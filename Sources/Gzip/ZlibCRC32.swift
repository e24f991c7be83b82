import CZlib

/// Computes the CRC-32 of the gzip format (RFC 1952 §8) with zlib: a remainder modulo a polynomial
/// over GF(2), whose coefficients are the bits of a number, from its highest bit on.
///
/// `CRC32Part` of `FeedModel`, which does not use zlib so that apps need not have it, has its own
/// copy of ``product(_:_:)``: neither target depends on the other. Before 1.2.12, zlib has no
/// function for the product.
enum ZlibCRC32 {
    private static let polynomial: UInt32 = 0xedb8_8320

    /// Returns the CRC-32 of a range of bytes together with the bytes before them, whose CRC-32 is
    /// `check`; it is 0 if there are none.
    static func check(_ bytes: [UInt8], _ range: Range<Int>, after check: UInt32) -> UInt32 {
        bytes.withBytes(range) { UInt32(truncatingIfNeeded: crc32_z(UInt(check), $0, $1)) }
    }

    /// Returns the factor that extends a CRC-32 over the bytes that follow.
    ///
    /// The CRC-32 of some bytes times this factor (``product(_:_:)``), plus (exclusive or) the
    /// CRC-32 of the bytes that follow, is the CRC-32 of all of them. The method is Mark Adler's,
    /// in zlib's crc32_combine_gen.
    static func shift(over byteCount: Int) -> UInt32 {
        // The loop computes x^(8n) by squares of x^8.
        var (shift, square, rest): (UInt32, UInt32, Int) = (1 << 31, 1 << 23, byteCount)
        while rest > 0 {
            if rest & 1 != 0 { shift = product(shift, square) }
            square = product(square, square)
            rest >>= 1
        }
        return shift
    }

    /// Returns the product modulo the polynomial.
    static func product(_ left: UInt32, _ right: UInt32) -> UInt32 {
        var (product, left, right): (UInt32, UInt32, UInt32) = (0, left, right)
        while left != 0 {
            if left >> 31 != 0 { product ^= right }
            left <<= 1
            right = right & 1 != 0 ? right >> 1 ^ polynomial : right >> 1
        }
        return product
    }
}

extension [UInt8] {
    /// Passes a range of the bytes as zlib takes them: an address, which may be `nil` for no bytes,
    /// and a count.
    fileprivate func withBytes<Result>(
        _ range: Range<Int>,
        _ body: (UnsafePointer<UInt8>?, Int) -> Result
    ) -> Result {
        withUnsafeBufferPointer { all in
            let part = UnsafeBufferPointer(rebasing: all[range])
            return body(part.baseAddress, part.count)
        }
    }
}
