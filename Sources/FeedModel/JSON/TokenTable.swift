/// A set of the strings of a document that were read, with lookups in constant time.
///
/// It uses open addressing by the tokens' keyed hashes; equal hashes are followed by a comparison.
struct TokenTable {
    private var tokens: [StringToken] = []
    /// The numbers of tokens from 1, and 0 for a free slot; the number of slots is a power of two.
    private var slots = [Int32](repeating: 0, count: 64)

    /// Adds a token, unless an equal one was added before.
    ///
    /// - Returns: The equal token, if there is one.
    mutating func insert(_ token: StringToken, in source: Span<UInt8>) -> StringToken? {
        if tokens.count * 2 >= slots.count { grow() }
        var slot = firstSlot(of: token)
        while slots[slot] != 0 {
            let other = tokens[Int(slots[slot]) - 1]
            if other.hash == token.hash, other.equals(token, in: source) { return other }
            slot = (slot + 1) & (slots.count - 1)
        }
        tokens.append(token)
        slots[slot] = Int32(tokens.count)
        return nil
    }

    private func firstSlot(of token: StringToken) -> Int {
        Int(truncatingIfNeeded: token.hash) & (slots.count - 1)
    }

    private mutating func grow() {
        slots = [Int32](repeating: 0, count: slots.count * 4)
        for number in tokens.indices {
            var slot = firstSlot(of: tokens[number])
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(number + 1)
        }
    }
}
