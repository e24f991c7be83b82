/// A part of a document that is copied without the white space between its tokens.
struct JSONCapture {
    /// The bytes copied so far of a part with very much white space; otherwise empty until the end.
    private var kept: ContiguousArray<UInt8> = []
    /// The index of the first byte that is not in `kept`.
    private var start = 0
    /// The white space to leave out from `start` on; only the first `gapCount` ranges are valid.
    private var gaps: [Range<Int>] = []
    private var gapCount = 0

    /// The most ranges of white space recorded at a time: it bounds their memory for any input.
    private static let gapLimit = 4_096

    /// Begins a new part and drops the previous one.
    mutating func begin(at index: Int) {
        start = index
        gapCount = 0
        if !kept.isEmpty { kept = [] }
    }

    /// Records white space.
    @inline(__always)
    mutating func leaveOut(_ gap: Range<Int>, of source: Span<UInt8>) {
        if gapCount == Self.gapLimit { keep(to: gap.lowerBound, of: source) }
        if gapCount < gaps.count {
            gaps[gapCount] = gap
        } else {
            gaps.append(gap)
        }
        gapCount += 1
    }

    /// Ends the part.
    ///
    /// - Returns: The part without white space.
    mutating func end(at index: Int, in bytes: ArraySlice<UInt8>) -> [UInt8] {
        if gapCount == 0, kept.isEmpty { return Array(bytes[start..<index]) }
        keep(to: index, of: bytes.span)
        let result = kept
        kept = []
        return Array(result)
    }

    /// Returns whether the part up to `index` equals `bytes`; it may return false for a part with
    /// very much white space that does.
    func isSame(as bytes: ArraySlice<UInt8>, to index: Int, of source: Span<UInt8>) -> Bool {
        guard kept.isEmpty else { return false }
        let bytes = bytes.span
        var from = start
        var position = 0
        for number in 0...gapCount {
            let end = number < gapCount ? gaps[number].lowerBound : index
            let length = end - from
            guard length <= bytes.count - position,
                source.isSame(from, as: bytes, at: position, count: length)
            else { return false }
            position += length
            if number < gapCount { from = gaps[number].upperBound }
        }
        return position == bytes.count
    }

    private mutating func keep(to index: Int, of source: Span<UInt8>) {
        var length = index - start
        for position in 0..<gapCount { length -= gaps[position].count }
        var bytes = kept
        kept = []
        var end = bytes.count
        if bytes.isEmpty {
            bytes = ContiguousArray(repeating: 0, count: length)
        } else {
            bytes.append(contentsOf: repeatElement(0, count: length))
        }
        var target = bytes.mutableSpan
        for position in 0..<gapCount {
            end = target.copy(source, from: start, to: gaps[position].lowerBound, at: end)
            start = gaps[position].upperBound
        }
        end = target.copy(source, from: start, to: index, at: end)
        assert(end == target.count)
        kept = bytes
        start = index
        gapCount = 0
    }
}

extension Span<UInt8> {
    /// Returns whether `count` bytes of both are equal.
    fileprivate func isSame(_ start: Int, as other: Span, at position: Int, count: Int) -> Bool {
        var index = 0
        while count - index >= 8 {
            guard knownWord(at: start + index) == other.knownWord(at: position + index) else {
                return false
            }
            index += 8
        }
        while index < count {
            guard self[start + index] == other[position + index] else { return false }
            index += 1
        }
        return true
    }
}

extension MutableSpan<UInt8> {
    /// Copies the bytes of `source` from `start` to `end` to `position`.
    ///
    /// Up to seven more bytes are written, which the next copy overwrites.
    ///
    /// - Returns: The position after the last byte that was asked for.
    fileprivate mutating func copy(
        _ source: Span<UInt8>,
        from start: Int,
        to end: Int,
        at position: Int
    ) -> Int {
        var from = start
        var to = position
        while from < end {
            if from + 8 <= source.count, to + 8 <= count {
                let word = source.knownWord(at: from).littleEndian
                var bytes = unsafe mutableBytes
                unsafe bytes.storeBytes(of: word, toUncheckedByteOffset: to, as: UInt64.self)
                from += 8
                to += 8
            } else {
                self[to] = source[from]
                from += 1
                to += 1
            }
        }
        return position + (end - start)
    }
}
