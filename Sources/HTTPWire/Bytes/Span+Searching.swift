internal import CBytes

/// Searches for the ends of a head's parts, eight bytes at a time.
extension Span<UInt8> {
    /// Returns the first index of `byte` in `range`.
    package func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "the range is outside")
        let place = unsafe withUnsafeBufferPointer { bytes -> Int in
            guard let start = bytes.baseAddress else { return 0 }
            return unsafe freshet_firstIndex(start + range.lowerBound, range.count, byte)
        }
        return place < range.count ? range.lowerBound &+ place : nil
    }

    /// Returns the first index of one of two ASCII characters in `range`.
    package func firstIndex(
        of first: Unicode.Scalar,
        or second: Unicode.Scalar,
        in range: Range<Int>
    ) -> Int? {
        let (first, second) = (UInt8(ascii: first), UInt8(ascii: second))
        var index = range.lowerBound
        while index + 8 <= range.upperBound {
            let word = knownWord(at: index)
            let marks = word.marks(first) | word.marks(second)
            guard marks == 0 else { return index + marks.firstMark }
            index += 8
        }
        while index < range.upperBound {
            if self[index] == first || self[index] == second { return index }
            index += 1
        }
        return nil
    }

    /// Returns the end of the token that begins at `index`: the first byte that is no tchar (RFC
    /// 9110 §5.6.2), or the end.
    func endOfToken(from index: Int) -> Int {
        var index = index
        while index + 8 <= count {
            // Most names of fields consist of letters and hyphens.
            let marks = knownWord(at: index).marksUnlessLetter
            index += marks.firstMark
            guard marks != 0 else { continue }
            guard self[index].isTokenCharacter else { return index }
            index += 1
        }
        while index < count, self[index].isTokenCharacter { index += 1 }
        return index
    }

    /// Returns the index of the first byte from `index` on that is not allowed in a target; the end
    /// if there is none.
    func endOfTarget(from index: Int) -> Int {
        var index = index
        while index + 8 <= count {
            let word = knownWord(at: index)
            let marks =
                word.marks(below: 0x21) | word.marks(UInt8(ascii: "#")) | word.marksAboveTilde
            guard marks == 0 else { return index + marks.firstMark }
            index += 8
        }
        while index < count, self[index].isTargetCharacter { index += 1 }
        return index
    }

    /// Returns the index of the first byte from `index` on that is not allowed in a field's value;
    /// the end if there is none (RFC 9110 §5.5).
    func endOfFieldContent(from index: Int) -> Int {
        var controls = ControlPlaces()
        var index = index
        while true {
            index = controls.next(in: self, from: index)
            guard index < count, self[index] == .tab else { return index }
            index += 1
        }
    }
}
