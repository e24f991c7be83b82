/// A part of a document that is kept, without the white space between its tokens.
struct JSONCapture {
    /// What is kept so far of a part with very much white space; else empty until the end.
    private var kept: ContiguousArray<UInt8> = []
    /// The first byte that is not in `kept`.
    private var start = 0
    /// What to leave out from `start` on, of which the first `gapCount` count.
    private var gaps: [Range<Int>] = []
    private var gapCount = 0

    /// The most gaps that are noted at a time: the memory for them is bounded, whatever is sent.
    private static let gapLimit = 4_096

    /// Begins a new part and forgets the one before.
    mutating func begin(at index: Int) {
        start = index
        gapCount = 0
        if !kept.isEmpty { kept = [] }
    }

    /// Notes white space.
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
    /// - Returns: What is kept of it.
    mutating func end(at index: Int, in bytes: ArraySlice<UInt8>) -> [UInt8] {
        if gapCount == 0, kept.isEmpty { return Array(bytes[start..<index]) }
        keep(to: index, of: bytes.span)
        let result = kept
        kept = []
        return Array(result)
    }

    /// Whether the part up to `index` is just `bytes`; it may be said of such a part that it is not
    /// when it has very much white space.
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
    /// Whether so many bytes are the same in both.
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
    /// Copies the bytes of `source` from `start` to `end` to `position`, and up to seven more that
    /// are there to be overwritten by what is copied next.
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
