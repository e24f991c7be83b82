/// The sort key of a string in a locale's order (UTS #10 §7): keys compare like the strings.
struct CollationKey: Sendable {
    /// The first 8 bytes as a number, the first byte highest; missing bytes are zeros.
    private let head: UInt64

    /// All bytes of the key, none of them zero.
    ///
    /// The weights of the letters come first, then the weights of their marks, then the weights of
    /// their case and width. A byte 1 separates the parts.
    private let bytes: [UInt8]

    /// The number of bytes in the first part, the weights of the letters.
    private let letterByteCount: Int

    /// Wraps the bytes of a key from the collation library, without the zero at its end.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        letterByteCount = bytes.firstIndex(of: 1) ?? bytes.count
        head = (0..<8).reduce(0) { $0 << 8 | ($1 < bytes.count ? UInt64(bytes[$1]) : 0) }
    }

    /// Returns whether this key equals `letter` or comes after it if marks, case and width are
    /// ignored.
    func isAtOrAfter(letter: CollationKey) -> Bool {
        !letters.lexicographicallyPrecedes(letter.letters)
    }

    /// Returns whether both keys are equal if marks, case and width are ignored.
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
