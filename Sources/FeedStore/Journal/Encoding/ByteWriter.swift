/// Writes numbers and bytes in the form of the journal's records.
///
/// Numbers are in base 128, the lowest digit first, each but the last with its top bit set.
package struct ByteWriter {
    /// The bytes that were written.
    package private(set) var bytes: [UInt8] = []

    package init(capacity: Int = 64) {
        bytes.reserveCapacity(capacity)
    }

    /// Writes one byte.
    package mutating func byte(_ byte: UInt8) {
        bytes.append(byte)
    }

    /// Writes a number that is not negative.
    ///
    /// The number of a version may exceed ``StoredNumber/counts``.
    package mutating func number(_ number: Int) {
        var rest = UInt64(number)
        while rest >= 128 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Writes eight bytes, the lowest first.
    package mutating func word(_ word: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: word >> shift))
        }
    }

    /// Writes bytes with their number before them.
    package mutating func block(_ block: [UInt8]) {
        number(block.count)
        bytes.append(contentsOf: block)
    }

    /// Writes a text with its number of bytes before it.
    package mutating func text(_ text: String) {
        number(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes bytes without their number, which the reader must know.
    package mutating func raw(_ raw: [UInt8]) {
        bytes.append(contentsOf: raw)
    }
}
