extension String {
    /// The part of the string that counts for its position in an order: of marks that follow each
    /// other 30, which is the most that any language needs (UAX #15, 13, the Stream-Safe Text
    /// Format).
    ///
    /// Marks are put in order by sorting them, which takes the square of their number.
    var boundedForCollation: String {
        guard utf8.count > Self.byteCountWithoutBounds else { return self }
        var bounded = String.UnicodeScalarView()
        var markCount = 0
        for scalar in unicodeScalars {
            markCount = scalar.isReordered ? markCount + 1 : 0
            if markCount <= Self.markLimit { bounded.append(scalar) }
        }
        return String(bounded)
    }

    /// Less has room for no more marks than there may be.
    private static let byteCountWithoutBounds = 60
    private static let markLimit = 30
}

extension Unicode.Scalar {
    /// Whether it is put in order among marks, or what it stands for is: some vowels of Tibetan
    /// have no class of their own.
    fileprivate var isReordered: Bool {
        properties.canonicalCombiningClass != .notReordered
            || properties.generalCategory == .nonspacingMark
    }
}
