/// The hash of a string that comes in pieces, the same as of all its bytes at once.
struct StringHash {
    /// How many bytes have been taken in.
    private(set) var count: Int
    private var state: UInt64
    /// The bytes that do not fill a word yet, the first one lowest; zeros above them.
    private var rest: UInt64 = 0
    private var restCount = 0

    /// Goes on from the words of `count` bytes, a multiple of eight.
    init(state: UInt64, count: Int) {
        assert(count % 8 == 0)
        self.state = state
        self.count = count
    }

    /// Takes `byteCount` bytes in, at most eight, the first one lowest and zeros above them.
    @inline(__always)
    mutating func add(_ bytes: UInt64, count byteCount: Int) {
        rest |= bytes &<< UInt64(truncatingIfNeeded: restCount &* 8)
        count += byteCount
        restCount += byteCount
        guard restCount >= 8 else { return }
        state = ValueHash.shared.adding(rest, to: state)
        restCount -= 8
        rest = bytes >> UInt64(truncatingIfNeeded: (byteCount &- restCount) &* 8)
    }

    /// The hash of all that was taken in.
    func end() -> UInt64 {
        ValueHash.shared.ending(state, tail: rest, length: count)
    }
}
