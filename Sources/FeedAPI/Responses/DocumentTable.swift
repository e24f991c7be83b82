/// Documents by the codes of their keys.
///
/// Open addressing with linear probing (Knuth, "The Art of Computer Programming", volume 3, section
/// 6.4, algorithm L), at most half full. Codes are no one's choice: few bits of them differ, and
/// these are spread by multiplication (the same, "Fibonacci hashing").
struct DocumentTable {
    /// 0 where there is none.
    private var codes: [UInt64] = [0, 0]
    private var documents: [CachedDocument?] = [nil, nil]
    /// In the order of their making.
    private(set) var order: [UInt64] = []

    var count: Int { order.count }

    subscript(code: UInt64) -> CachedDocument? { documents[slot(of: code)] }

    /// Adds a document whose code is not there.
    mutating func add(_ document: CachedDocument, _ code: UInt64) {
        order.append(code)
        if order.count * 2 > codes.count { rebuild(slotCount: codes.count * 2) }
        let slot = slot(of: code)
        codes[slot] = code
        documents[slot] = document
    }

    /// Takes out the oldest one.
    mutating func removeOldest() -> CachedDocument? {
        guard let code = order.first else { return nil }
        order.removeFirst()
        let slot = slot(of: code)
        defer { empty(slot) }
        return documents[slot]
    }

    /// Empties a slot, and moves up what was behind it for want of room (Knuth, algorithm R).
    private mutating func empty(_ slot: Int) {
        let mask = codes.count - 1
        var (hole, next) = (slot, (slot + 1) & mask)
        while codes[next] != 0 {
            let home = home(of: codes[next])
            if (next &- home) & mask >= (next &- hole) & mask {
                codes[hole] = codes[next]
                documents[hole] = documents[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        codes[hole] = 0
        documents[hole] = nil
    }

    private mutating func rebuild(slotCount: Int) {
        let (oldCodes, oldDocuments) = (codes, documents)
        codes = Array(repeating: 0, count: slotCount)
        documents = Array(repeating: nil, count: slotCount)
        for (code, document) in zip(oldCodes, oldDocuments) where code != 0 {
            let slot = slot(of: code)
            codes[slot] = code
            documents[slot] = document
        }
    }

    /// The position of a code, or the hole where it would be.
    private func slot(of code: UInt64) -> Int {
        var slot = home(of: code)
        while codes[slot] != code, codes[slot] != 0 { slot = (slot + 1) & (codes.count - 1) }
        return slot
    }

    /// Where a code is unless others are there.
    private func home(of code: UInt64) -> Int {
        let spread = code &* 0x9e37_79b9_7f4a_7c15
        return Int(truncatingIfNeeded: spread >> 32) & (codes.count - 1)
    }
}
