import FeedModel

/// A table of positions in a list of hashes, with open addressing and linear probing in one array.
struct HashTable {
    private var slots: [Int32]
    private let shift: UInt64

    /// Makes a table that is at most half full.
    init(_ hashes: [UInt64]) {
        let width = max(2, Int.bitWidth - hashes.count.leadingZeroBitCount + 1)
        slots = Array(repeating: -1, count: 1 << width)
        shift = UInt64(64 - width)
        for (position, hash) in hashes.enumerated() {
            var slot = self.slot(of: hash)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(position)
        }
    }

    /// Returns the next position of a hash in the list that the table was made from, or `nil`.
    ///
    /// - Parameters:
    ///   - hash: The hash to find.
    ///   - hashes: The list.
    ///   - slot: The slot of the previous result; `nil` at first.
    /// - Returns: The position.
    func next(_ hash: UInt64, in hashes: [UInt64], after slot: inout Int?) -> Int? {
        var next = slot.map { ($0 + 1) & (slots.count - 1) } ?? self.slot(of: hash)
        while slots[next] >= 0 {
            let position = Int(slots[next])
            if hashes[position] == hash {
                slot = next
                return position
            }
            next = (next + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Returns the first slot to search: multiplicative hashing with the golden ratio.
    ///
    /// The upper bits of the product depend on all bits of the hash (Knuth, "The Art of Computer
    /// Programming", volume 3, section 6.4).
    private func slot(of hash: UInt64) -> Int {
        Int((hash &* 0x9e37_79b9_7f4a_7c15) >> shift)
    }
}
