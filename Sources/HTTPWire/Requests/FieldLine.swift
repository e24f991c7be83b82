/// Where the parts of a field line are (RFC 9112 §5).
struct FieldLine {
    let known: KnownField
    let nameStart: Int
    /// Where the colon is.
    let nameEnd: Int
    /// Without the white space around it.
    let value: Range<Int>
}

extension Span<UInt8> {
    /// The field line between two places.
    ///
    /// - Parameters:
    ///   - start: Where it begins; at most `end`.
    ///   - end: Where the first control from `start` on is, or ``count``.
    /// - Returns: `nil` where that is no good line's end, or there is no good name.
    @inline(__always)
    func fieldLine(_ start: Int, _ end: Int) -> FieldLine? {
        guard end &+ 1 < count, unsafe self[unchecked: end] == .carriageReturn,
            unsafe self[unchecked: end &+ 1] == .lineFeed,
            let (known, nameEnd) = fieldName(start, end)
        else { return nil }
        return FieldLine(
            known: known,
            nameStart: start,
            nameEnd: nameEnd,
            value: fieldValue(behind: nameEnd, end)
        )
    }

    /// What stands before the colon, and where that is.
    @inline(__always)
    private func fieldName(_ start: Int, _ end: Int) -> (KnownField, end: Int)? {
        guard start &+ 16 <= count else { return longFieldName(start, end) }
        let colons = places(of: .colon, from: start)
        guard colons != 0 else { return longFieldName(start, end) }
        let length = colons.trailingZeroBitCount
        guard length > 0, start &+ length < end else { return nil }
        let known = KnownField(self, from: start, length: length)
        // The names that are known are tokens, and most of the others are letters and hyphens.
        if known == .other, nonLetters(from: start) & ((1 &<< UInt16(length)) &- 1) != 0 {
            guard isToken(in: start..<start &+ length) else { return nil }
        }
        return (known, start &+ length)
    }

    /// The same of a name of any length, at any place.
    private func longFieldName(_ start: Int, _ end: Int) -> (KnownField, end: Int)? {
        let nameEnd = endOfToken(from: start)
        guard start < nameEnd, nameEnd < end, self[nameEnd] == .colon else { return nil }
        return (KnownField(self, in: start..<nameEnd), nameEnd)
    }

    /// What stands between a colon and the end of a line without controls.
    @inline(__always)
    private func fieldValue(behind colon: Int, _ end: Int) -> Range<Int> {
        let start = colon &+ 2
        // What nearly all send: one space, and none at the end.
        if start < end, unsafe self[unchecked: colon &+ 1] == .space,
            unsafe self[unchecked: start] != .space,
            unsafe self[unchecked: end &- 1] != .space
        {
            return unsafe Range(uncheckedBounds: (start, end))
        }
        return trimmed(colon + 1..<end)
    }
}
