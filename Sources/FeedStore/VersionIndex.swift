import FeedModel

/// The current versions, found by a feed's name as it stands in a request: no string is made of it.
///
/// Open addressing with linear probing (Knuth, "The Art of Computer Programming", volume 3, section
/// 6.4, algorithms L and R), at most half full.
struct VersionIndex {
    private var slots: [Version?] = [nil, nil]
    private var count = 0

    /// The version of the feed of that name.
    subscript(name: Span<UInt8>) -> Version? {
        slots[slot(of: name)]
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

    private func home(of name: Span<UInt8>) -> Int {
        var hasher = Hasher()
        unsafe name.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return hasher.finalize() & (slots.count - 1)
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
        for index in indices where self[index] != other[index] { return false }
        return true
    }
}
