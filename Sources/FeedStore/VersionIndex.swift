import FeedModel

/// An index of the current versions by the bytes of a feed's name in a request: no string is made
/// of them.
///
/// It uses open addressing with linear probing (Knuth, "The Art of Computer Programming", volume 3,
/// section 6.4, algorithms L and R), and is at most half full.
struct VersionIndex {
    /// A version with the hash of its feed's name: versions with another hash, which are elsewhere
    /// in memory, need not be read.
    private struct Slot {
        var hash: UInt64 = 0
        var version: Version?
    }

    private var slots = [Slot(), Slot()]
    private var count = 0
    /// A random seed, so that an attacker does not know which names collide.
    private let seed = UInt64.random(in: .min ... .max)

    /// Returns the version of the feed with that name.
    subscript(name: Span<UInt8>) -> Version? { slots[slot(of: name, hash(name))].version }

    /// Replaces the last version of the feed with `version`.
    mutating func update(_ version: Version) {
        if count * 2 >= slots.count { grow() }
        let name = version.feed.rawValue.utf8.span
        let hash = hash(name)
        let slot = slot(of: name, hash)
        if slots[slot].version == nil { count += 1 }
        slots[slot] = Slot(hash: hash, version: version)
    }

    /// Removes a feed.
    mutating func remove(_ feed: FeedName) {
        let name = feed.rawValue.utf8.span
        var hole = slot(of: name, hash(name))
        guard slots[hole].version != nil else { return }
        slots[hole] = Slot()
        count -= 1
        // The versions after it, up to the next empty slot, may belong in this one.
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

    /// Returns the slot of a name, or the empty slot where it would be.
    private func slot(of name: Span<UInt8>, _ hash: UInt64) -> Int {
        var slot = home(of: hash)
        while slots[slot].version != nil {
            if slots[slot].hash == hash, slots[slot].version?.isNamed(name) == true { break }
            slot = next(slot)
        }
        return slot
    }

    private func next(_ slot: Int) -> Int { (slot + 1) & (slots.count - 1) }

    /// Returns the first slot to be searched for a name.
    private func home(of hash: UInt64) -> Int {
        Int(truncatingIfNeeded: hash) & (slots.count - 1)
    }

    /// Returns the hash of a name: each eight bytes are multiplied into 128 bits, and the halves
    /// are folded; a secret seed is the start (the principle of wyhash, Wang Yi).
    ///
    /// Only publishers choose names, and a search for another name passes over few slots.
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
        // The last eight bytes may overlap the previous word.
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
            // The names are all different, so no comparison is needed.
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

    /// Returns the eight bytes from `index` on as a number.
    fileprivate func word(at index: Int) -> UInt64 {
        // The load is safe, because any eight bytes make a number, and it checks the bounds.
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
    }
}
