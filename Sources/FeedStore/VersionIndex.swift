import FeedModel

/// The current versions, found by a feed's name as it stands in a request: no string is made of it.
///
/// Open addressing with linear probing (Knuth, "The Art of Computer Programming", volume 3, section
/// 6.4, algorithms L and R), at most half full.
struct VersionIndex {
    private var slots: [Version?] = [nil, nil]
    private var count = 0
    /// Nobody outside knows which names collide.
    private let seed = UInt64.random(in: .min ... .max)

    /// The version of the feed of that name.
    subscript(name: Span<UInt8>) -> Version? {
        var slot = home(of: name)
        // The version that is compared is the one that is returned: its references are counted once.
        while let version = slots[slot] {
            if version.feed.rawValue.utf8.span.isSame(as: name) { return version }
            slot = next(slot)
        }
        return nil
    }

    /// Puts `version` in the place of its feed's last one.
    mutating func update(_ version: Version) {
        if count * 2 >= slots.count { grow() }
        let slot = slot(of: version.feed.rawValue.utf8.span)
        if slots[slot] == nil { count += 1 }
        slots[slot] = version
    }

    /// Takes out a feed that is gone.
    mutating func remove(_ feed: FeedName) {
        var hole = slot(of: feed.rawValue.utf8.span)
        guard slots[hole] != nil else { return }
        slots[hole] = nil
        count -= 1
        // Those behind, up to the next hole, may have wanted this position.
        var slot = next(hole)
        while let version = slots[slot] {
            let home = home(of: version.feed.rawValue.utf8.span)
            if (slot &- home) & (slots.count - 1) >= (slot &- hole) & (slots.count - 1) {
                slots.swapAt(hole, slot)
                hole = slot
            }
            slot = next(slot)
        }
    }

    /// The position of that name, or the hole where it would be.
    private func slot(of name: Span<UInt8>) -> Int {
        var slot = home(of: name)
        while let version = slots[slot], !version.feed.rawValue.utf8.span.isSame(as: name) {
            slot = next(slot)
        }
        return slot
    }

    private func next(_ slot: Int) -> Int { (slot + 1) & (slots.count - 1) }

    /// Where a name is looked for first: eight bytes at a time multiplied into 128 bits, whose
    /// halves are folded, beginning with a secret (the principle of wyhash, Wang Yi).
    ///
    /// Only publishers choose which names there are, and whoever asks for others passes over few.
    private func home(of name: Span<UInt8>) -> Int {
        var hash = seed ^ UInt64(truncatingIfNeeded: name.count)
        var index = 0
        while index + 8 <= name.count {
            hash = VersionIndex.mixed(hash ^ name.word(at: index))
            index += 8
        }
        var rest: UInt64 = 0
        while index < name.count {
            rest = rest << 8 | UInt64(name[index])
            index += 1
        }
        return Int(truncatingIfNeeded: VersionIndex.mixed(hash ^ rest)) & (slots.count - 1)
    }

    private static func mixed(_ number: UInt64) -> UInt64 {
        let product = number.multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
        return product.high ^ product.low
    }

    private mutating func grow() {
        let versions = slots.compactMap { $0 }
        slots = Array(repeating: nil, count: slots.count * 2)
        for version in versions { slots[slot(of: version.feed.rawValue.utf8.span)] = version }
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
