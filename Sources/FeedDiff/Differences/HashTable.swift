import FeedModel

/// Finds positions in a list of hashes: open addressing with linear probing, in one array.
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

    /// The first position of `hash` in the list that the table was made of which `isWanted`.
    func first(
        _ hash: UInt64,
        in hashes: [UInt64],
        where isWanted: (Int) -> Bool
    ) -> Int? {
        var slot = self.slot(of: hash)
        while slots[slot] >= 0 {
            let position = Int(slots[slot])
            if hashes[position] == hash, isWanted(position) { return position }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Where to look first: multiplicative hashing with the golden ratio.
    ///
    /// The upper bits of the product depend on all bits of the hash (Knuth, "The Art of Computer
    /// Programming", volume 3, section 6.4).
    private func slot(of hash: UInt64) -> Int {
        Int((hash &* 0x9e37_79b9_7f4a_7c15) >> shift)
    }
}
