import CZlib

/// The check of gzip's format (RFC 1952 §8), by zlib: a remainder modulo a polynomial over GF(2),
/// whose coefficients stand in a number from its highest bit on.
///
/// `CRC32Part` of `FeedModel`, which does without zlib for apps, has the same product of
/// polynomials: neither target depends on the other. Before 1.2.12, zlib has no function for it.
enum ZlibCRC32 {
    private static let polynomial: UInt32 = 0xedb8_8320

    /// The check of bytes that follow others.
    ///
    /// - Parameters:
    ///   - bytes: What they are in.
    ///   - range: Where they are.
    ///   - check: That of the others; 0 for none.
    static func check(_ bytes: [UInt8], _ range: Range<Int>, after check: UInt32) -> UInt32 {
        bytes.withBytes(range) { UInt32(truncatingIfNeeded: crc32_z(UInt(check), $0, $1)) }
    }

    /// What a check is multiplied by (``product(_:_:)``) to count in the bytes behind it: with
    /// theirs added, it is that of both. Mark Adler, zlib's crc32_combine_gen, has it so.
    ///
    /// - Parameter byteCount: How many bytes are behind it.
    static func shift(over byteCount: Int) -> UInt32 {
        // x^(8n), by squares of x^8.
        var (shift, square, rest): (UInt32, UInt32, Int) = (1 << 31, 1 << 23, byteCount)
        while rest > 0 {
            if rest & 1 != 0 { shift = product(shift, square) }
            square = product(square, square)
            rest >>= 1
        }
        return shift
    }

    /// The product modulo the polynomial.
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
    /// Some of the bytes as zlib takes them: an address, of nothing perhaps none, and how many.
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
