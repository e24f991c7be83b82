import FeedModel

/// The current versions, found by a feed's name as it stands in a request: no string is made of it.
///
/// Open addressing with linear probing (Knuth, "The Art of Computer Programming", volume 3, section
/// 6.4, algorithms L and R), at most half full.
struct VersionIndex {
    /// A version and what its feed's name was spread to: others need not be looked at, which are
    /// elsewhere in memory.
    private struct Slot {
        var hash: UInt64 = 0
        var version: Version?
    }

    private var slots = [Slot(), Slot()]
    private var count = 0
    /// Nobody outside knows which names collide.
    private let seed = UInt64.random(in: .min ... .max)

    /// The version of the feed of that name.
    subscript(name: Span<UInt8>) -> Version? { slots[slot(of: name, hash(name))].version }

    /// Puts `version` in the place of its feed's last one.
    mutating func update(_ version: Version) {
        if count * 2 >= slots.count { grow() }
        let name = version.feed.rawValue.utf8.span
        let hash = hash(name)
        let slot = slot(of: name, hash)
        if slots[slot].version == nil { count += 1 }
        slots[slot] = Slot(hash: hash, version: version)
    }

    /// Takes out a feed that is gone.
    mutating func remove(_ feed: FeedName) {
        let name = feed.rawValue.utf8.span
        var hole = slot(of: name, hash(name))
        guard slots[hole].version != nil else { return }
        slots[hole] = Slot()
        count -= 1
        // Those behind, up to the next hole, may have wanted this position.
        var slot = next(hole)
        while slots[slot].version != nil {
            let home = home(of: slots[slot].hash)
            if (slot &- home) & (slots.count - 1) >= (slot &- hole) & (slots.count - 1) {
                slots.swapAt(hole, slot)
                hole = slot
            }
            slot = next(slot)
        }
    }

    /// The position of that name, or the hole where it would be.
    private func slot(of name: Span<UInt8>, _ hash: UInt64) -> Int {
        var slot = home(of: hash)
        while slots[slot].version != nil {
            if slots[slot].hash == hash, slots[slot].version?.isNamed(name) == true { break }
            slot = next(slot)
        }
        return slot
    }

    private func next(_ slot: Int) -> Int { (slot + 1) & (slots.count - 1) }

    /// Where a name is looked for first.
    private func home(of hash: UInt64) -> Int {
        Int(truncatingIfNeeded: hash) & (slots.count - 1)
    }

    /// What a name is spread to: eight bytes at a time multiplied into 128 bits, whose halves are
    /// folded, beginning with a secret (the principle of wyhash, Wang Yi).
    ///
    /// Only publishers choose which names there are, and whoever asks for others passes over few.
    private func hash(_ name: Span<UInt8>) -> UInt64 {
        var hash = seed ^ UInt64(truncatingIfNeeded: name.count)
        guard name.count >= 8 else {
            var word: UInt64 = 0
            for index in name.indices { word = word << 8 | UInt64(name[index]) }
            return VersionIndex.mixed(hash ^ word)
        }
        var index = 0
        while index + 8 < name.count {
            hash = VersionIndex.mixed(hash ^ name.word(at: index))
            index += 8
        }
        // The last eight bytes, some of which were perhaps in the word before.
        return VersionIndex.mixed(hash ^ name.word(at: name.count - 8))
    }

    private static func mixed(_ number: UInt64) -> UInt64 {
        let product = number.multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
        return product.high ^ product.low
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(), count: old.count * 2)
        for place in old where place.version != nil {
            // All names differ.
            var slot = home(of: place.hash)
            while slots[slot].version != nil { slot = next(slot) }
            slots[slot] = place
        }
    }
}

extension Version {
    fileprivate func isNamed(_ name: Span<UInt8>) -> Bool {
        feed.rawValue.utf8.span.isSame(as: name)
    }
}

extension Span<UInt8> {
    fileprivate func isSame(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var index = 0
        while index + 8 <= count {
            guard word(at: index) == other.word(at: index) else { return false }
            index += 8
        }
        while index < count {
            guard self[index] == other[index] else { return false }
            index += 1
        }
        return true
    }

    /// The eight bytes from `index` on.
    fileprivate func word(at index: Int) -> UInt64 {
        // Any eight bytes make a number, and the load checks that they are there.
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
    }
}
