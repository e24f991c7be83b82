/// Eight bytes at a time, for the loops that every byte of a head passes.
///
/// The bit tricks are those of "Bit Twiddling Hacks" (S. E. Anderson), "Determine if a word has a
/// byte less than n" and "has a zero byte": the lowest byte that they mark is right.
extension Span<UInt8> {
    private static var ones: UInt64 { 0x0101_0101_0101_0101 }
    private static var highBits: UInt64 { 0x8080_8080_8080_8080 }

    /// The eight bytes from `index` on, the first one lowest.
    func word(at index: Int) -> UInt64 {
        // Any eight bytes make a number, and the load checks that they are there.
        UInt64(
            littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
        )
    }

    /// Where the first byte from `index` on stands that no field's value has; the end if there is
    /// none (RFC 9110 §5.5).
    func endOfFieldContent(from index: Int) -> Int {
        var index = index
        while index + 8 <= count {
            let word = word(at: index)
            let delete = word ^ (Self.ones &* 0x7f)
            let controls = (word &- Self.ones &* 0x20) & ~word
            let marks = (controls | (delete &- Self.ones) & ~delete) & Self.highBits
            if marks == 0 {
                index += 8
                continue
            }
            index += marks.trailingZeroBitCount / 8
            guard self[index].isFieldContent else { return index }
            index += 1
        }
        while index < count, self[index].isFieldContent { index += 1 }
        return index
    }

    /// Whether the bytes of `range` are those of `name` from `start` on, which is in lower case,
    /// without regard to the case of letters.
    ///
    /// - Parameters:
    ///   - range: A token's place.
    ///   - name: Letters and hyphens.
    ///   - start: Where the name begins.
    /// - Returns: Whether all of the range's bytes are the same.
    func isName(in range: Range<Int>, as name: Span<UInt8>, from start: Int) -> Bool {
        // A token has no control character, which with this bit set could pass for a hyphen.
        let caseBits = Self.ones &* 0x20
        var index = range.lowerBound
        var place = start
        while index + 8 <= range.upperBound {
            guard word(at: index) | caseBits == name.word(at: place) else { return false }
            index += 8
            place += 8
        }
        while index < range.upperBound {
            guard self[index] | 0x20 == name[place] else { return false }
            index += 1
            place += 1
        }
        return true
    }
}
