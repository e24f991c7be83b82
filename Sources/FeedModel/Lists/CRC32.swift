/// The CRC-32 of zlib and gzip (RFC 1952 §8).
///
/// It reads eight bytes a step, with eight tables (Kounavis and Berry, "A Systematic Approach to
/// Building High Performance Software-based CRC Generators", 2005).
package struct CRC32 {
    private var register: UInt32 = 0xffff_ffff

    /// Makes the check of no bytes.
    package init() {}

    /// Makes the check of some bytes.
    package init(_ bytes: ArraySlice<UInt8>) {
        update(bytes.span)
    }

    /// The check of all bytes so far.
    package var value: UInt32 { ~register }

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
    }

    /// Adds a byte.
    mutating func update(_ byte: UInt8) {
        register = Self.tables.span.entry(0, register ^ UInt32(byte)) ^ (register >> 8)
    }

    /// The register after each byte value followed by as many zero bytes as the table's number.
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
