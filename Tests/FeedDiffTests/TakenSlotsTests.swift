import TestSupport
import Testing

@testable import FeedDiff

@Suite struct SlotsThatAreTaken {
    @Test(arguments: [0, 1, 63, 64, 65, 511, 512, 513, 1500])
    func areCountedAsInAList(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        var isTaken = (0..<count).map { _ in Bool.random(using: &random) }
        let taken = isTaken.indices.filter { isTaken[$0] }
        var slots = TakenSlots(count: count, taken: taken.map { Int32($0) })
        for _ in 0..<200 {
            let end = Int.random(in: 0...count, using: &random)
            #expect(slots.count(before: end) == isTaken[..<end].count { $0 })
            #expect(slots.count(before: count) == isTaken.count { $0 })
            guard let slot = isTaken.indices.randomElement(using: &random) else { return }
            if isTaken[slot] { slots.free(slot) } else { slots.take(slot) }
            isTaken[slot].toggle()
        }
    }
}
