/// The CRC-32 of zlib and gzip (RFC 1952 §8).
///
/// Eight bytes are added in each step, with eight tables (Kounavis and Berry, "A Systematic
/// Approach to Building High Performance Software-based CRC Generators", 2005).
package struct CRC32 {
    private var register: UInt32 = 0xffff_ffff
    private var byteCount = 0

    /// Makes the CRC of no bytes.
    package init() {}

    /// Makes the CRC of some bytes.
    package init(_ bytes: ArraySlice<UInt8>) {
        update(bytes.span)
    }

    /// The CRC of all bytes so far.
    package var value: UInt32 { ~register }

    /// The CRC in the form that can be combined with those of adjacent parts.
    var part: CRC32Part {
        CRC32Part(value: value, shift: CRC32Part.shift(byteCount: byteCount))
    }

    /// Adds bytes.
    mutating func update(_ bytes: Span<UInt8>) {
        // The property is read once for all bytes, because each access checks whether it is
        // initialized.
        let tables = Self.tables.span
        var register = register
        var index = 0
        while index &+ 8 <= bytes.count {
            let word = bytes.knownWord(at: index)
            let low = register ^ UInt32(truncatingIfNeeded: word)
            let high = UInt32(truncatingIfNeeded: word >> 32)
            let upper = tables.entry(7, low) ^ tables.entry(6, low >> 8)
            let middle = tables.entry(5, low >> 16) ^ tables.entry(4, low >> 24)
            let lower = tables.entry(3, high) ^ tables.entry(2, high >> 8)
            let last = tables.entry(1, high >> 16) ^ tables.entry(0, high >> 24)
            register = upper ^ middle ^ lower ^ last
            index &+= 8
        }
        while index < bytes.count {
            register = tables.entry(0, register ^ UInt32(bytes[index])) ^ (register >> 8)
            index &+= 1
        }
        self.register = register
        byteCount += bytes.count
    }

    /// Adds a byte.
    mutating func update(_ byte: UInt8) {
        byteCount += 1
        register = Self.tables.span.entry(0, register ^ UInt32(byte)) ^ (register >> 8)
    }

    /// Eight tables of 256 entries: table `n` has the register after each byte value followed by
    /// `n` zero bytes.
    private static let tables: ContiguousArray<UInt32> = {
        var tables = ContiguousArray<UInt32>(repeating: 0, count: 2_048)
        for byte in 0..<256 {
            var register = UInt32(byte)
            for _ in 0..<8 {
                register = (register >> 1) ^ (register & 1 == 1 ? 0xedb8_8320 : 0)
            }
            tables[byte] = register
        }
        for position in 256..<2048 {
            let before = tables[position - 256]
            tables[position] = tables[Int(before & 0xff)] ^ (before >> 8)
        }
        return tables
    }()
}

extension Span<UInt32> {
    /// Returns the entry of table number `table`, of eight, for the lowest byte of `index`.
    @inline(__always)
    fileprivate func entry(_ table: Int, _ index: UInt32) -> UInt32 {
        unsafe self[unchecked: table &* 256 &+ Int(index & 0xff)]
    }
}

/// The CRC-32 of a part of a text, in a form that can be combined with those of adjacent parts.
///
/// A CRC is the remainder of a polynomial over the field of two elements. Text that follows
/// multiplies it by x to the power of the number of that text's bits (RFC 1952 §8 has the
/// polynomial). Both factors are stored with the lowest power in the highest bit, as the CRC itself
/// is.
///
/// `ZlibCRC32` of `Gzip`, which uses zlib, has its own copy of this product of polynomials: neither
/// target depends on the other. This one has a table for short parts.
package struct CRC32Part: Equatable, Sendable {
    /// The CRC-32 of the part.
    let value: UInt32

    /// The power of x whose exponent is the number of the part's bits.
    let shift: UInt32

    /// The CRC of an empty text.
    static let empty = CRC32Part(value: 0, shift: 1 << 31)

    /// Returns the CRC of this part followed directly by another.
    func followed(by other: CRC32Part) -> CRC32Part {
        CRC32Part(
            value: Self.product(value, other.shift) ^ other.value,
            shift: Self.product(shift, other.shift)
        )
    }

    /// Returns x to the power of eight times `byteCount`.
    static func shift(byteCount: Int) -> UInt32 {
        if byteCount < shortShifts.count { return shortShifts[byteCount] }
        var shift = empty.shift
        var rest = byteCount
        var position = 0
        while rest > 0 {
            if rest & 1 == 1 { shift = product(shift, squares[position]) }
            rest >>= 1
            position += 1
        }
        return shift
    }

    /// The powers of x for parts of up to 320 bytes, which are as long as an item's id or a little
    /// longer.
    private static let shortShifts: [UInt32] = {
        var shifts = [empty.shift]
        for _ in 0..<320 { shifts.append(product(shifts[shifts.count - 1], 1 << 23)) }
        return shifts
    }()

    /// The powers of x with the exponents 8, 16, 32 and so on.
    private static let squares: [UInt32] = {
        var squares: [UInt32] = [1 << 23]
        while squares.count < Int.bitWidth {
            let last = squares[squares.count - 1]
            squares.append(product(last, last))
        }
        return squares
    }()

    /// Returns the product of two polynomials, modulo the polynomial of the CRC.
    private static func product(_ left: UInt32, _ right: UInt32) -> UInt32 {
        var product: UInt32 = 0
        var left = left
        var right = right
        for _ in 0..<32 {
            product ^= right & (0 &- (left >> 31))
            left <<= 1
            right = (right >> 1) ^ (0xedb8_8320 & (0 &- (right & 1)))
        }
        return product
    }
}
