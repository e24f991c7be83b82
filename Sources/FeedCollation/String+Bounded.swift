extension String {
    /// The string with at most 30 marks in a row, more than any language needs (Stream-Safe Text
    /// Format, UAX #15 §13).
    ///
    /// Collation sorts the marks in a row, in time that grows with the square of their number.
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

    /// The bytes up to which a string has no more marks than the limit: a mark has at least 2.
    private static let byteCountWithoutBounds = 60
    private static let markLimit = 30
}

extension Unicode.Scalar {
    /// Whether the scalar, or a part that it stands for, is sorted among marks: some vowels of
    /// Tibetan have no class of their own.
    fileprivate var isReordered: Bool {
        properties.canonicalCombiningClass != .notReordered
            || properties.generalCategory == .nonspacingMark
    }
}
