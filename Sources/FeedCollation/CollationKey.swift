/// The sort key of a string in a locale's order (UTS #10 §7): keys compare like the strings.
struct CollationKey: Sendable {
    /// All bytes of the key, none of them zero.
    ///
    /// The weights of the letters come first, then the weights of their marks, then the weights of
    /// their case and width. A byte 1 separates the parts.
    private let bytes: [UInt8]

    /// Wraps the bytes of a key from the collation library, without the zero at its end.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns whether this key equals `letter` or comes after it if marks, case and width are
    /// ignored.
    func isAtOrAfter(letter: CollationKey) -> Bool {
        !letters.lexicographicallyPrecedes(letter.letters)
    }

    /// Returns whether both keys are equal if marks, case and width are ignored.
    func isSameLetter(as other: CollationKey) -> Bool {
        letters == other.letters
    }

    /// The bytes of the first part, the weights of the letters.
    private var letters: ArraySlice<UInt8> { bytes.prefix { $0 != 1 } }
}

extension CollationKey: Comparable {
    static func < (left: CollationKey, right: CollationKey) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
