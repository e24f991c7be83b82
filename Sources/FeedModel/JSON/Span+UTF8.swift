extension Span<UInt8> {
    /// Returns the index of the first bytes that are not UTF-8 (RFC 3629 §4) in the string between
    /// `start` and `end`, where a quote, an escape or a forbidden byte is; `nil` if there are none.
    func firstNotUTF8(from start: Int, to end: Int) -> Int? {
        var position = endOfUTF8(from: start, to: end)
        while position < end {
            let word = paddedWord(at: position)
            if word.isASCII {
                position += 8
                continue
            }
            position += word.asciiPrefixCount
            if position >= end { return nil }
            let length = paddedWord(at: position).firstScalarByteCount
            guard length > 0 else { return position }
            position += length
        }
        return nil
    }

    /// Checks blocks of 32 bytes without a branch for each scalar.
    ///
    /// - Returns: The end of the last scalar in the blocks that are UTF-8.
    private func endOfUTF8(from start: Int, to end: Int) -> Int {
        // The three bytes before a string are ASCII: a quote and the bytes that may precede one.
        guard start >= 3 else { return start }
        var position = start
        while position + 32 <= end {
            let block = block(at: position)
            let third = self.block(at: position - 3)
            if !((block | third) & .highBits).isZero {
                let faults = block.faultsOfUTF8(
                    after: self.block(at: position - 1),
                    self.block(at: position - 2),
                    third
                )
                guard faults.isZero else { break }
            }
            position += 32
        }
        // The position goes back to the lead byte of a scalar that ends in the next block, if there
        // is one.
        while position > start, !self[position - 1].isASCII {
            position -= 1
            if self[position] >= 0xc0 { break }
        }
        return position
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
