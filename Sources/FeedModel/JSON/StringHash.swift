/// The hash of a string that is read in pieces; it equals the hash of all bytes at once.
struct StringHash {
    /// The number of bytes so far.
    private(set) var count: Int
    private var state: UInt64
    /// The bytes that do not fill a word yet, the first byte lowest; zeros above them.
    private var rest: UInt64 = 0
    private var restCount = 0

    /// Continues from the state after the first `count` bytes, a multiple of eight.
    init(state: UInt64, count: Int) {
        assert(count % 8 == 0)
        self.state = state
        self.count = count
    }

    /// Adds `byteCount` bytes, at most eight, the first byte lowest and zeros above them.
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

    /// Returns the hash of all bytes.
    func end() -> UInt64 {
        ValueHash.shared.ending(state, tail: rest, length: count)
    }
}
