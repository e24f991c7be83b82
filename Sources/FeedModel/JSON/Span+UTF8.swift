extension Span<UInt8> {
    /// Where the first bytes begin that are not UTF-8 (RFC 3629 §4) in the string between `start`
    /// and `end`, where a quote, an escape or something that cannot be stands; `nil` when there
    /// are none.
    func firstNotUTF8(from start: Int, to end: Int) -> Int? {
        var place = endOfUTF8(from: start, to: end)
        while place < end {
            let word = paddedWord(at: place)
            if word.isASCII {
                place += 8
                continue
            }
            place += word.asciiPrefixCount
            if place >= end { return nil }
            let length = paddedWord(at: place).firstScalarByteCount
            guard length > 0 else { return place }
            place += length
        }
        return nil
    }

    /// Checks blocks of 32 bytes without a branch for each scalar.
    ///
    /// - Returns: The end of the last scalar in those that are UTF-8.
    private func endOfUTF8(from start: Int, to end: Int) -> Int {
        // What is before a string is ASCII for three bytes: a quote and what may precede one.
        guard start >= 3 else { return start }
        var place = start
        while place + 32 <= end {
            let block = block(at: place)
            let third = self.block(at: place - 3)
            if !((block | third) & .highBits).isZero {
                let faults = block.faultsOfUTF8(
                    after: self.block(at: place - 1),
                    self.block(at: place - 2),
                    third
                )
                guard faults.isZero else { break }
            }
            place += 32
        }
        // Back to the lead of a scalar that ends in the next block, if one does.
        while place > start, !self[place - 1].isASCII {
            place -= 1
            if self[place] >= 0xc0 { break }
        }
        return place
    }

    private func block(at index: Int) -> SIMD4<UInt64> {
        assert(index >= 0 && index + 32 <= count)
        return unsafe bytes.unsafeLoadUnaligned(
            fromUncheckedByteOffset: index,
            as: SIMD4<UInt64>.self
        )
    }
}

extension UInt8 {
    fileprivate var isASCII: Bool { self < 0x80 }
}
