import FeedModel
import TestSupport
import Testing

@testable import FeedDiff

@Suite struct ChangesInNumbers {
    @Test func includeTheItemsOfSectionsThatCameOrWent() throws {
        let old = try DiffSamples.feed(["gone": ["a", "b", "c"], "s": ["d", "e"], "t": []])
        let new = try DiffSamples.feed(["t": ["b"], "s": ["e", "x"], "new": ["y", "z"]])
        let counts = Changes(from: old, to: new).counts(from: old.snapshot)
        #expect(counts.items.inserted == 3)
        #expect(counts.items.removed == 3)
        #expect(counts.items.moved == 1)
        #expect(counts.items.updated == 0)
        #expect(counts.sections.inserted == 1)
        #expect(counts.sections.removed == 1)
        #expect(counts.sections.moved == 1)
        #expect(counts.sections.updated == 0)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func changesInNumbersAddUp(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let old = try DiffSamples.feed(&generator)
            let new = try DiffSamples.edited(old, &generator)
            let changes = Changes(from: FeedView()(old), to: FeedView()(new))
            let counts = changes.counts(from: old)
            #expect(new.count - old.count == counts.items.inserted - counts.items.removed)
            let weights = bytesOfChanged(old, new)
            #expect(changes.weight(from: old) == weights)
        }
    }

    /// Bytes of the new items that came and of the old ones that went or differ, and of the objects
    /// of the latter.
    private func bytesOfChanged(_ old: Snapshot, _ new: Snapshot) -> Int {
        let (before, after) = (old.sections.flatMap(\.items), new.sections.flatMap(\.items))
        let came = after.filter { item in !before.contains { $0.id == item.id } }
        let went = before.filter { item in !after.contains { $0 == item } }
        return (came + went).reduce(96 * went.count) { $0 + $1.json.bytes.count }
    }
}
