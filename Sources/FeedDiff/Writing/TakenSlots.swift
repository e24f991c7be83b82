/// The set of taken slots, with counts before a slot: it stores a bit for each slot and sums of
/// hundreds of them, so that hundreds of thousands of slots fit into the processor's cache.
struct TakenSlots {
    private var words: [UInt64]
    /// The number of taken slots in each block.
    private var blocks: FenwickTree

    private static let blockWords = 8
    private static let blockSlots = 64 * blockWords

    /// Makes slots; those in `taken` are taken at first.
    init(count: Int, taken: [Int32]) {
        words = [UInt64](repeating: 0, count: (count + 63) / 64)
        var counts = [Int32](
            repeating: 0,
            count: (count + TakenSlots.blockSlots - 1) / TakenSlots.blockSlots
        )
        for slot in taken.lazy.map(Int.init) {
            words[slot / 64] |= 1 << UInt64(slot % 64)
            counts[slot / TakenSlots.blockSlots] += 1
        }
        blocks = FenwickTree(counts)
    }

    /// Returns the number of taken slots before a slot, or before the end.
    func count(before slot: Int) -> Int {
        let block = slot / TakenSlots.blockSlots
        let (first, last) = (block * TakenSlots.blockWords, slot / 64)
        var count = blocks.sum(before: block)
        for word in first..<last { count += words[word].nonzeroBitCount }
        let rest = slot % 64
        if rest > 0 { count += (words[last] & ((1 << UInt64(rest)) - 1)).nonzeroBitCount }
        return count
    }

    /// Takes a free slot.
    mutating func take(_ slot: Int) {
        words[slot / 64] |= 1 << UInt64(slot % 64)
        blocks.add(1, at: slot / TakenSlots.blockSlots)
    }

    /// Frees a taken slot.
    mutating func free(_ slot: Int) {
        words[slot / 64] &= ~(1 << UInt64(slot % 64))
        blocks.add(-1, at: slot / TakenSlots.blockSlots)
    }
}
