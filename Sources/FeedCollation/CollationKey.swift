/// A string's position in a locale's order: its sort key (UTS #10 §7).
struct CollationKey: Sendable {
    /// The first 8 bytes as a number, the first byte highest; missing bytes are zeros.
    private let head: UInt64

    /// All bytes of the key, without zeros.
    ///
    /// The weights of the letters come first, then the weights of their marks, and then of their
    /// case and width; a byte 1 stands before each later part.
    private let bytes: [UInt8]

    /// The number of bytes that are weights of the letters.
    private let letterByteCount: Int

    /// Wraps a key as the collation library made it, without the zero at its end.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        letterByteCount = bytes.firstIndex(of: 1) ?? bytes.count
        head = (0..<8).reduce(0) { $0 << 8 | ($1 < bytes.count ? UInt64(bytes[$1]) : 0) }
    }

    /// Returns whether this key is equal to `letter` or comes after it, apart from marks, case and
    /// width.
    func isAtOrAfter(letter: CollationKey) -> Bool {
        !letters.lexicographicallyPrecedes(letter.letters)
    }

    /// Returns whether both keys are equal, apart from marks, case and width.
    func isSameLetter(as other: CollationKey) -> Bool {
        letters == other.letters
    }

    private var letters: ArraySlice<UInt8> { bytes[..<letterByteCount] }
}

extension CollationKey: Comparable {
    static func == (left: CollationKey, right: CollationKey) -> Bool {
        left.head == right.head && left.bytes == right.bytes
    }

    static func < (left: CollationKey, right: CollationKey) -> Bool {
        guard left.head == right.head else { return left.head < right.head }
        return left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
