/// Operations on eight bytes at a time, for the loops that every byte of a head passes.
///
/// The bit tricks are those of "Bit Twiddling Hacks" (S. E. Anderson), "Determine if a word has a
/// byte less than n" and "has a zero byte": only the lowest marked byte is certain.
extension Span<UInt8> {
    /// Returns the eight bytes from `index` on as a number, the first byte lowest.
    package func word(at index: Int) -> UInt64 { unsafe bytes.word(at: index) }

    /// Returns the eight bytes from `index` on, without a check; they must lie below ``count``.
    func knownWord(at index: Int) -> UInt64 {
        // The load is safe, because any eight bytes make a number.
        UInt64(
            littleEndian: unsafe bytes.unsafeLoadUnaligned(
                fromUncheckedByteOffset: index,
                as: UInt64.self
            )
        )
    }

    /// Returns whether the bytes of `range` are equal to those of `other`.
    package func isSame(_ range: Range<Int>, as other: Span<UInt8>) -> Bool {
        guard range.count == other.count else { return false }
        let start = range.lowerBound
        var index = 0
        while index + 8 <= other.count {
            guard word(at: start + index) == other.word(at: index) else { return false }
            index += 8
        }
        while index < other.count {
            guard self[start + index] == other[index] else { return false }
            index += 1
        }
        return true
    }

    /// Returns whether the bytes of `range` are equal to those of `text`.
    package func isSame(_ range: Range<Int>, as text: StaticString) -> Bool {
        matches(range, text, inAnyCase: false)
    }

    /// Returns whether the bytes of `range` are equal to those of `text`, ignoring the case of
    /// letters.
    ///
    /// The text must be ASCII in lower case, without "@", "[", "]", "^", "_", "`" and the
    /// characters after "z".
    package func equals(_ text: StaticString, in range: Range<Int>) -> Bool {
        matches(range, text, inAnyCase: true)
    }

    private func matches(
        _ range: Range<Int>,
        _ text: StaticString,
        inAnyCase isCaseless: Bool
    ) -> Bool {
        let size = text.utf8CodeUnitCount
        guard range.count == size else { return false }
        // The compiler made the text, so its length is right.
        let bytes = unsafe UnsafeRawBufferPointer(start: text.utf8Start, count: size)
        let text = unsafe bytes.bytes
        let start = range.lowerBound
        guard size >= 8 else {
            for place in 0..<size {
                let wanted = text.byte(at: place)
                let caseBit = isCaseless ? (wanted & 0x40) >> 1 : 0
                guard self[start + place] | caseBit == wanted else { return false }
            }
            return true
        }
        var place = 0
        while true {
            let wanted = text.word(at: place)
            let caseBits = isCaseless ? wanted.caseBits : 0
            guard word(at: start + place) | caseBits == wanted else { return false }
            if place + 8 == size { return true }
            // The last word overlaps the previous one.
            place = Swift.min(place + 8, size - 8)
        }
    }
}

/// Marks: the highest bit of each byte in question; bits above the lowest mark may be wrong.
extension UInt64 {
    /// A word with the lowest bit of each byte set.
    fileprivate static var ones: UInt64 { 0x0101_0101_0101_0101 }
    /// A word with the highest bit of each byte set.
    private static var highBits: UInt64 { ones << 7 }

    /// The bit that differs between the cases of a letter, for each letter of a text in lower case.
    ///
    /// Only letters have two cases. They have the bit 0x40, which hyphens and digits do not have.
    var caseBits: UInt64 { (self & (.ones &* 0x40)) >> 1 }

    /// The index of the byte with the lowest mark; 8 if there is none.
    var firstMark: Int { trailingZeroBitCount / 8 }

    /// Returns marks of the bytes equal to `byte`.
    func marks(_ byte: UInt8) -> UInt64 {
        let difference = self ^ (.ones &* UInt64(byte))
        return (difference &- .ones) & ~difference & .highBits
    }

    /// Returns marks of the bytes below `limit`, which is at most 0x80.
    func marks(below limit: UInt8) -> UInt64 {
        (self &- .ones &* UInt64(limit)) & ~self & .highBits
    }

    /// Marks of the bytes that are DEL or above.
    var marksAboveTilde: UInt64 {
        (self | ((self & ~.highBits) &+ .ones)) & .highBits
    }

    /// Marks of the bytes that are neither a letter nor a hyphen.
    var marksUnlessLetter: UInt64 {
        let letter = (self | .ones &* 0x20) & ~.highBits
        let isFromA = letter &+ .ones &* (0x80 - 0x61)
        let isBehindZ = letter &+ .ones &* (0x7f - 0x7a)
        let hyphen = self ^ .ones &* 0x2d
        let isNoHyphen = ((hyphen & ~.highBits) &+ ~.highBits) | hyphen
        return ~(isFromA & ~isBehindZ & ~self | ~isNoHyphen) & .highBits
    }
}

extension RawSpan {
    /// Returns the eight bytes from `index` on as a number, the first byte lowest.
    fileprivate func word(at index: Int) -> UInt64 {
        // The load is safe, because any eight bytes make a number, and it checks the bounds.
        UInt64(littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    fileprivate func byte(at index: Int) -> UInt8 {
        unsafe unsafeLoad(fromByteOffset: index, as: UInt8.self)
    }
}
