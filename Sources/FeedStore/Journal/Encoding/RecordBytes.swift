/// Encodes numbers and bytes for the journal's records.
///
/// Numbers are in base 128, the lowest digit first (LEB128): each byte has one digit, and its top
/// bit is set unless it is the last byte.
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

    /// Writes bytes, preceded by their count.
    package mutating func block(_ block: [UInt8]) {
        number(block.count)
        bytes.append(contentsOf: block)
    }

    /// Writes a text in UTF-8, preceded by its number of bytes.
    package mutating func text(_ text: String) {
        number(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes bytes without their count, which the reader must know.
    package mutating func raw(_ raw: [UInt8]) {
        bytes.append(contentsOf: raw)
    }
}

/// Reads the records that ``ByteWriter`` writes.
package struct ByteReader {
    /// The error that a record ends too early, or has an impossible value.
    package struct Failure: Error {
        package init() {}
    }

    private let bytes: [UInt8]
    private var index = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether all bytes were read.
    package var isAtEnd: Bool { index == bytes.count }

    package mutating func byte() throws(Failure) -> UInt8 {
        guard index < bytes.count else { throw Failure() }
        defer { index += 1 }
        return bytes[index]
    }

    /// Reads a number in ``StoredNumber/counts``.
    package mutating func number() throws(Failure) -> Int {
        try number(in: StoredNumber.counts)
    }

    /// Reads the number of a version.
    mutating func version() throws(Failure) -> Int {
        try number(in: StoredNumber.versions)
    }

    private mutating func number(in bounds: ClosedRange<Int>) throws(Failure) -> Int {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 63, by: 7) {
            let digit = try byte()
            number |= UInt64(digit & 127) << shift
            guard digit < 128 else { continue }
            guard let count = Int(exactly: number), bounds.contains(count) else { throw Failure() }
            return count
        }
        throw Failure()
    }

    package mutating func word() throws(Failure) -> UInt64 {
        var word: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 8) { word |= UInt64(try byte()) << shift }
        return word
    }

    package mutating func block() throws(Failure) -> [UInt8] {
        try raw(try number())
    }

    package mutating func text() throws(Failure) -> String {
        guard let text = String(validating: try block(), as: UTF8.self) else { throw Failure() }
        return text
    }

    /// Reads a given number of bytes.
    package mutating func raw(_ count: Int) throws(Failure) -> [UInt8] {
        guard count <= bytes.count - index else { throw Failure() }
        defer { index += count }
        return Array(bytes[index..<index + count])
    }

    /// Returns the bytes that were not read yet.
    package mutating func rest() -> [UInt8] {
        defer { index = bytes.count }
        return Array(bytes[index...])
    }
}

/// The ranges of valid numbers in the journal's records.
///
/// A number outside its range means that the record is damaged.
package enum StoredNumber {
    /// The range of row numbers, lengths and positions.
    ///
    /// Sums and small multiples of such numbers do not overflow an `Int`.
    package static let counts = 0...1 << 53
    /// The range of version numbers, which have at most 18 digits.
    package static let versions = 1...999_999_999_999_999_999
    /// The range of times in seconds since 1970, up to the end of the year 9999.
    package static let times = 0.0...253_402_300_799
}
