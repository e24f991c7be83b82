/// The ranges of the parts of a field line (RFC 9112 §5).
struct FieldLine {
    let known: KnownField
    let nameStart: Int
    /// The index of the colon.
    let nameEnd: Int
    /// The range of the value, without the white space around it.
    let value: Range<Int>
}

extension Span<UInt8> {
    /// Parses the field line between two indices.
    ///
    /// - Parameters:
    ///   - start: The start of the line; at most `end`.
    ///   - end: The index of the first control character from `start` on, or ``count``.
    /// - Returns: `nil` if the line is not complete and valid there, or has no valid name.
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

    /// Returns the field's name before the colon, and the index of the colon.
    @inline(__always)
    private func fieldName(_ start: Int, _ end: Int) -> (KnownField, end: Int)? {
        guard start &+ 16 <= count else { return longFieldName(start, end) }
        let colons = places(of: .colon, from: start)
        guard colons != 0 else { return longFieldName(start, end) }
        let length = colons.trailingZeroBitCount
        guard length > 0, start &+ length < end else { return nil }
        let known = KnownField(self, from: start, length: length)
        // The known names are tokens, and most other names consist of letters and hyphens.
        if known == .other, nonLetters(from: start) & ((1 &<< UInt16(length)) &- 1) != 0 {
            guard isToken(in: start..<start &+ length) else { return nil }
        }
        return (known, start &+ length)
    }

    /// Returns a field's name of any length, at any index, and the index of the colon.
    private func longFieldName(_ start: Int, _ end: Int) -> (KnownField, end: Int)? {
        let nameEnd = endOfToken(from: start)
        guard start < nameEnd, nameEnd < end, self[nameEnd] == .colon else { return nil }
        return (KnownField(self, in: start..<nameEnd), nameEnd)
    }

    /// Returns the range of the value between a colon and the end of a line without control
    /// characters.
    @inline(__always)
    private func fieldValue(behind colon: Int, _ end: Int) -> Range<Int> {
        let start = colon &+ 2
        // Nearly all clients send one space, and none at the end.
        if start < end, unsafe self[unchecked: colon &+ 1] == .space,
            unsafe self[unchecked: start] != .space,
            unsafe self[unchecked: end &- 1] != .space
        {
            return unsafe Range(uncheckedBounds: (start, end))
        }
        return trimmed(colon + 1..<end)
    }
}
