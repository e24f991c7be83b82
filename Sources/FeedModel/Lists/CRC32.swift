/// The CRC-32 of zlib and gzip (RFC 1952 §8).
///
/// Takes eight bytes a step, by eight tables (Kounavis and Berry, "A Systematic Approach to
/// Building High Performance Software-based CRC Generators", 2005).
package struct CRC32 {
    private var register: UInt32 = 0xffff_ffff

    /// Has taken nothing yet.
    package init() {}

    /// Takes bytes.
    package init(_ bytes: ArraySlice<UInt8>) {
        update(bytes.span)
    }

    /// The check on all bytes so far.
    package var value: UInt32 { ~register }

    /// Takes the next bytes.
    mutating func update(_ bytes: Span<UInt8>) {
        var register = register
        var index = 0
        while index &+ 8 <= bytes.count {
            let low = register ^ bytes.fourBytes(at: index)
            let high = bytes.fourBytes(at: index &+ 4)
            let upper = Self.entry(7, low) ^ Self.entry(6, low >> 8)
            let middle = Self.entry(5, low >> 16) ^ Self.entry(4, low >> 24)
            let lower = Self.entry(3, high) ^ Self.entry(2, high >> 8)
            register =
                upper ^ middle ^ lower ^ Self.entry(1, high >> 16) ^ Self.entry(0, high >> 24)
            index &+= 8
        }
        while index < bytes.count {
            register = Self.entry(0, register ^ UInt32(bytes[index])) ^ (register >> 8)
            index &+= 1
        }
        self.register = register
    }

    /// Takes one byte more.
    mutating func update(_ byte: UInt8) {
        register = Self.entry(0, register ^ UInt32(byte)) ^ (register >> 8)
    }

    /// Table number `table` at the lowest byte of `index`.
    private static func entry(_ table: Int, _ index: UInt32) -> UInt32 {
        tables[table &* 256 &+ Int(index & 0xff)]
    }

    /// The register after a byte and as many zeros as the table's number, for all bytes.
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

extension Span<UInt8> {
    /// The four bytes from `index`, the first one lowest.
    fileprivate func fourBytes(at index: Int) -> UInt32 {
        UInt32(self[index]) | UInt32(self[index &+ 1]) << 8
            | UInt32(self[index &+ 2]) << 16 | UInt32(self[index &+ 3]) << 24
    }
}
