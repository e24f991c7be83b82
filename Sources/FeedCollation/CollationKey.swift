/// A string's position in a locale's order: its sort key (UTS 10, 7).
struct CollationKey: Sendable {
    /// The first bytes, the highest first, zeros where there are fewer than 8.
    private let head: UInt64

    /// All bytes, of which none is zero.
    ///
    /// The weights of the letters, then, each after a byte 1, those of their marks and of their
    /// case and width.
    private let bytes: [UInt8]

    /// The number of bytes that are weights of the letters.
    private let letterByteCount: Int

    /// Wraps a key as the collation library made it, without the zero at its end.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        letterByteCount = bytes.firstIndex(of: 1) ?? bytes.count
        head = (0..<8).reduce(0) { $0 << 8 | ($1 < bytes.count ? UInt64(bytes[$1]) : 0) }
    }

    /// Whether `letter` comes first or is the same, marks, case and width aside.
    func isAtOrAfter(letter: CollationKey) -> Bool {
        !letters.lexicographicallyPrecedes(letter.letters)
    }

    /// Whether both are the same, marks, case and width aside.
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
