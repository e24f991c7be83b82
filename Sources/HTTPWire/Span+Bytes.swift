extension Span<UInt8> {
    /// Whether the bytes of `range` are those of `text`, which is in lower case, without regard
    /// to the case of letters.
    func equals(_ text: String, in range: Range<Int>) -> Bool {
        guard range.count == text.utf8.count else { return false }
        var index = range.lowerBound
        for byte in text.utf8 {
            guard self[index].lowercased == byte else { return false }
            index += 1
        }
        return true
    }

    /// Where `byte` first stands in `range`.
    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        for index in range where self[index] == byte { return index }
        return nil
    }

    /// Whether `range` is a token (RFC 9110 §5.6.2).
    func isToken(in range: Range<Int>) -> Bool {
        for index in range where !self[index].isTokenCharacter { return false }
        return !range.isEmpty
    }

    /// The part of `range` that is left without the white space at both ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var lower = range.lowerBound
        var upper = range.upperBound
        while lower < upper, self[lower].isBlank { lower += 1 }
        while lower < upper, self[upper - 1].isBlank { upper -= 1 }
        return lower..<upper
    }

    /// The element of a comma-separated list that begins at `range`'s start, without the white
    /// space around it, and may be empty; quotes have no meaning (RFC 9110 §5.6.1).
    ///
    /// - Parameter range: What is left of the list; afterwards what is left behind the comma, nil
    ///   when this was the last element.
    /// - Returns: Where it is; nil when there are no more.
    func nextElement(in range: inout Range<Int>?) -> Range<Int>? {
        guard let rest = range else { return nil }
        for index in rest where self[index] == .comma {
            range = (index + 1)..<rest.upperBound
            return trimmed(rest.lowerBound..<index)
        }
        range = nil
        return trimmed(rest)
    }
}

extension [UInt8] {
    /// Appends all of `bytes` in one go.
    mutating func append(copying bytes: Span<UInt8>) {
        // The one copy of memory in this target: byte by byte it would be many times slower.
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
