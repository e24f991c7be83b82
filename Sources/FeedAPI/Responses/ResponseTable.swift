internal import CBytes
import HTTPServer

/// Responses by the codes of their keys.
///
/// Open addressing with linear probing (Knuth, "The Art of Computer Programming", volume 3, section
/// 6.4, algorithm L), at most half full. Codes are no one's choice: few bits of them differ, and
/// these are spread by multiplication (the same, "Fibonacci hashing").
struct ResponseTable: ~Copyable, @unchecked Sendable {
    /// A code and its response, side by side: both are looked at.
    private struct Slot {
        /// 0 where there is none.
        var code: UInt64 = 0
        var response: Payload?
    }

    /// An array would have its count elsewhere in memory, in no core's cache either.
    private var slots = ResponseTable.emptySlots(2)
    /// Their number, a power of two, less one.
    private var mask = 1
    /// In the order of their making.
    private(set) var order: [UInt64] = []

    private static func emptySlots(_ count: Int) -> UnsafeMutablePointer<Slot> {
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: count)
        slots.initialize(repeating: Slot(), count: count)
        return slots
    }

    deinit { ResponseTable.free(slots, mask + 1) }

    private static func free(_ slots: UnsafeMutablePointer<Slot>, _ count: Int) {
        slots.deinitialize(count: count)
        slots.deallocate()
    }

    var count: Int { order.count }

    subscript(code: UInt64) -> Payload? { slots[position(of: code)].response }

    /// Has the place of a code fetched to the core's cache, while something else is done.
    func prefetchPlace(of code: UInt64) { freshet_prefetch(slots + home(of: code)) }

    /// Has the response of a code, if there is one, fetched to the core's cache, while something
    /// else is done.
    func prefetch(_ code: UInt64) {
        let slot = UnsafeRawPointer(slots + position(of: code))
        // A response is one reference. It is read as an address: counting it would wait for it.
        let place = MemoryLayout<Slot>.offset(of: \.response) ?? 0
        if let address = slot.load(fromByteOffset: place, as: UnsafeRawPointer?.self) {
            Payload.prefetch(at: address)
        }
    }

    /// Adds a response whose code is not there.
    mutating func add(_ response: Payload, _ code: UInt64) {
        order.append(code)
        if order.count * 2 > mask + 1 { grow() }
        slots[position(of: code)] = Slot(code: code, response: response)
    }

    /// Takes out the oldest one.
    mutating func removeOldest() -> Payload? {
        guard let code = order.first else { return nil }
        order.removeFirst()
        let position = position(of: code)
        defer { empty(position) }
        return slots[position].response
    }

    /// Empties a slot, and moves up what was behind it for want of room (Knuth, algorithm R).
    private mutating func empty(_ position: Int) {
        var (hole, next) = (position, (position + 1) & mask)
        while slots[next].code != 0 {
            let home = home(of: slots[next].code)
            if (next &- home) & mask >= (next &- hole) & mask {
                slots[hole] = slots[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        slots[hole] = Slot()
    }

    private mutating func grow() {
        let (old, oldCount) = (slots, mask + 1)
        slots = ResponseTable.emptySlots(2 * oldCount)
        mask = 2 * oldCount - 1
        for index in 0..<oldCount where old[index].code != 0 {
            slots[position(of: old[index].code)] = old[index]
        }
        ResponseTable.free(old, oldCount)
    }

    /// The position of a code, or the hole where it would be.
    private func position(of code: UInt64) -> Int {
        var position = home(of: code)
        while slots[position].code != code, slots[position].code != 0 {
            position = (position + 1) & mask
        }
        return position
    }

    /// Where a code is unless others are there.
    private func home(of code: UInt64) -> Int {
        let spread = code &* 0x9e37_79b9_7f4a_7c15
        return Int(truncatingIfNeeded: spread >> 32) & mask
    }
}
