/// Eight bytes at a time, for the loops that every byte of a head passes.
///
/// The bit tricks are those of "Bit Twiddling Hacks" (S. E. Anderson), "Determine if a word has a
/// byte less than n" and "has a zero byte": the lowest byte that they mark is right.
extension Span<UInt8> {
    private static var ones: UInt64 { 0x0101_0101_0101_0101 }
    private static var highBits: UInt64 { 0x8080_8080_8080_8080 }

    /// The eight bytes from `index` on, the first one lowest.
    package func word(at index: Int) -> UInt64 {
        // Any eight bytes make a number, and the load checks that they are there.
        UInt64(
            littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
        )
    }

    /// Whether the bytes of `range` are those of `otherRange` in `other`.
    package func isSame(
        _ range: Range<Int>,
        as other: [UInt8],
        _ otherRange: Range<Int>
    ) -> Bool {
        guard range.count == otherRange.count else { return false }
        let other = other.span
        let distance = otherRange.lowerBound - range.lowerBound
        var index = range.lowerBound
        while index + 8 <= range.upperBound {
            guard word(at: index) == other.word(at: index + distance) else { return false }
            index += 8
        }
        while index < range.upperBound {
            guard self[index] == other[index + distance] else { return false }
            index += 1
        }
        return true
    }

    /// Where the first byte from `index` on stands that is a colon; the end if there is none.
    func endOfName(from index: Int) -> Int {
        var index = index
        while index + 8 <= count {
            let difference = word(at: index) ^ (Self.ones &* 0x3a)
            let marks = (difference &- Self.ones) & ~difference & Self.highBits
            guard marks == 0 else { return index + marks.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < count, self[index] != .colon { index += 1 }
        return index
    }

    /// Where the first byte from `index` on stands that no target has; the end if there is none.
    func endOfTarget(from index: Int) -> Int {
        var index = index
        while index + 8 <= count {
            let word = word(at: index)
            // Below "!", "#", DEL and above.
            let hash = word ^ (Self.ones &* 0x23)
            let low = (word &- Self.ones &* 0x21) & ~word
            let high = word | ((word & ~Self.highBits) &+ Self.ones)
            let marks = (low | (hash &- Self.ones) & ~hash | high) & Self.highBits
            guard marks == 0 else { return index + marks.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < count, self[index].isTargetCharacter { index += 1 }
        return index
    }

    /// Where the first byte from `index` on stands that no field's value has; the end if there is
    /// none (RFC 9110 §5.5).
    func endOfFieldContent(from index: Int) -> Int {
        var index = index
        while index + 32 <= count {
            let first = mayEndContent(word(at: index)) | mayEndContent(word(at: index + 8))
            let last = mayEndContent(word(at: index + 16)) | mayEndContent(word(at: index + 24))
            guard first | last == 0 else { break }
            index += 32
        }
        while index + 8 <= count {
            let marks = mayEndContent(word(at: index))
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

    /// Marks the bytes of a word that are controls.
    private func mayEndContent(_ word: UInt64) -> UInt64 {
        let delete = word ^ (Self.ones &* 0x7f)
        let controls = (word &- Self.ones &* 0x20) & ~word
        return (controls | (delete &- Self.ones) & ~delete) & Self.highBits
    }

    /// Whether the bytes of `range` are those of `text`, which is ASCII in lower case without
    /// "@", "[", "]", "^", "_", "`" and what stands behind "z", without regard to the case of
    /// letters.
    package func equals(_ text: StaticString, in range: Range<Int>) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { text in
            let text = unsafe text.span
            var (index, place) = (range.lowerBound, 0)
            while index + 8 <= range.upperBound {
                let wanted = text.word(at: place)
                // Only letters have two cases: they have this bit, and hyphens and digits do not.
                let caseBits = (wanted & (Self.ones &* 0x40)) >> 1
                guard word(at: index) | caseBits == wanted else { return false }
                index += 8
                place += 8
            }
            while index < range.upperBound {
                let wanted = text[place]
                guard self[index] | (wanted & 0x40) >> 1 == wanted else { return false }
                index += 1
                place += 1
            }
            return true
        }
    }
}
