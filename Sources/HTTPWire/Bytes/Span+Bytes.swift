extension Span<UInt8> {
    /// Returns whether the bytes of `range` are a token (RFC 9110 §5.6.2).
    func isToken(in range: Range<Int>) -> Bool {
        for index in range where !self[index].isTokenCharacter { return false }
        return !range.isEmpty
    }

    /// Returns `range` without the white space at both ends.
    package func trimmed(_ range: Range<Int>) -> Range<Int> {
        var lower = range.lowerBound
        var upper = range.upperBound
        while lower < upper, self[lower].isBlank { lower += 1 }
        while lower < upper, self[upper - 1].isBlank { upper -= 1 }
        return lower..<upper
    }

    /// Returns the next element of a comma-separated list, which may be empty, without the white
    /// space around it; quotes have no meaning (RFC 9110 §5.6.1).
    ///
    /// - Parameter range: The rest of the list; afterwards the rest after the comma, nil after the
    ///   last element.
    /// - Returns: The range of the element; nil if there are no more.
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

/// Functions for the values of several fields.
extension Span<UInt8> {
    /// Returns the index of the first byte of `range` that is not white space; its end if there is
    /// none.
    func afterBlanks(_ range: Range<Int>) -> Int {
        var index = range.lowerBound
        while index < range.upperBound, self[index].isBlank { index += 1 }
        return index
    }

    /// Returns the next element of a comma-separated list that is not empty, without the white
    /// space around it; a comma in quotes does not separate (RFC 9110 §5.6.1).
    ///
    /// - Parameter range: The rest of the list; afterwards the rest after the comma, nil after the
    ///   last element.
    func nextUnquotedElement(in range: inout Range<Int>?) -> Range<Int>? {
        while let rest = range {
            let end = endOfUnquotedElement(rest)
            range = end < rest.upperBound ? end + 1..<rest.upperBound : nil
            let element = trimmed(rest.lowerBound..<end)
            if !element.isEmpty { return element }
        }
        return nil
    }

    /// Returns the index of the first comma of `range` outside quotes; its end if there is none.
    private func endOfUnquotedElement(_ range: Range<Int>) -> Int {
        var index = range.lowerBound
        while index < range.upperBound, self[index] != .comma, self[index] != .quote { index += 1 }
        // Nearly all elements have no quotes.
        guard index < range.upperBound, self[index] == .quote else { return index }
        var isQuoted = false
        while index < range.upperBound, isQuoted || self[index] != .comma {
            if self[index] == .quote { isQuoted.toggle() }
            if self[index] == .backslash, isQuoted { index += 1 }
            index += 1
        }
        return Swift.min(index, range.upperBound)
    }

    /// The bytes as a decimal number; nil if they are not all digits; a number beyond `Int` becomes
    /// the largest `Int`.
    package var wholeNumber: Int? {
        guard !isEmpty else { return nil }
        var number = 0
        for index in indices {
            guard self[index].isDigit else { return nil }
            let (scaled, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = scaled.addingReportingOverflow(Int(self[index] - 0x30))
            number = isTooLarge || overflows ? Int.max : sum
        }
        return number
    }

    /// Returns the weight (RFC 9110 §12.4.2) in `range`, in thousandths; nil unless it is from 0 to
    /// 1 with at most three decimals.
    func weight(in range: Range<Int>) -> Int? {
        guard 1...5 ~= range.count, self[range.lowerBound] &- 0x30 <= 1 else { return nil }
        var weight = 1000 * Int(self[range.lowerBound] - 0x30)
        if range.count > 1, self[range.lowerBound + 1] != UInt8(ascii: ".") { return nil }
        var scale = 100
        for index in range.dropFirst(2) {
            guard self[index].isDigit else { return nil }
            weight += Int(self[index] - 0x30) * scale
            scale /= 10
        }
        return weight <= 1000 ? weight : nil
    }
}

extension [UInt8] {
    /// Appends all of `bytes` in one go.
    package mutating func append(copying bytes: Span<UInt8>) {
        // The copy is one copy of memory; byte by byte it would be many times slower.
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
    /// Appends the last `count` decimal digits of a number, at least 0, with leading zeros, and
    /// then a byte.
    package mutating func append(_ number: Int, digits count: Int, then end: UInt8) {
        var divisor = 1
        for _ in 1..<count { divisor *= 10 }
        while divisor > 0 {
            append(UInt8(number / divisor % 10) + UInt8(ascii: "0"))
            divisor /= 10
        }
        append(end)
    }
}
