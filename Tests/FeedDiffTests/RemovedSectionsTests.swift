import FeedModel
import TestSupport
import Testing

@testable import FeedDiff

/// Long sections that go, some of whose items stay elsewhere.
@Suite struct RemovedSections {
    @Test(arguments: 0..<30 as Range<UInt64>, [true, false])
    func removedSectionsLeaveTheFewestChanges(seed: UInt64, isIndexed: Bool) throws {
        var generator = SeededGenerator(seed: seed)
        let lists = try (0..<3).map { section in
            let count = Int.random(in: 0...120, using: &generator)
            return try (0..<count).map { try DiffSamples.item(ExactString("\(section)-\($0)")) }
        }
        let sections = lists.enumerated().map { FeedSection(id: ExactString("s\($0)"), items: $1) }
        let old = Snapshot(sections: sections)
        let before = isIndexed ? old.indexed() : old
        var new = before
        var kept: [FeedItem] = []
        for _ in 0..<Int.random(in: 1...2, using: &generator) {
            let position = Int.random(in: new.sections.indices, using: &generator)
            let gone = new.removeSection(at: position).items
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                if let item = gone.randomElement(using: &generator) { kept.append(item) }
            }
        }
        for item in kept + [try DiffSamples.item("new")] where new.position(ofItem: item.id) == nil
        {
            let isChanged = Bool.random(using: &generator)
            let other = isChanged ? try DiffSamples.item(item.id) : item
            new.insert([other], at: ItemPosition(section: 0, index: 0))
        }
        let (from, to) = (FeedView()(before), FeedView()(new))
        let changes = Changes(from: from, to: to)
        #expect(DiffFewest(from: old, to: new).faults(of: changes) == [])
        #expect(try old.applying(changes).tree == new.tree)
        #expect(try before.applying(changes).tree == new.tree)
        let counts = changes.counts(from: before).items
        #expect(counts.inserted - counts.removed == new.count - old.count)
        let there = Set(new.sections.flatMap { $0.items.map(\.id) })
        let gone = old.sections.flatMap(\.items).filter { !there.contains($0.id) }
        #expect(counts.removed == gone.count)
        let bytes = changes.weight(from: before)
        #expect(bytes == changes.weight(from: old))
        let shared = Snapshot(sections: Array(new.sections)).sharing(with: before)
        #expect(shared.tree == new.tree)
        let patch = try #require(PatchWriter.patch(changes, from: from, to: to))
        let patched = try JSONPatch(parsing: patch).applied(to: old.tree)
        #expect(patched == new.tree, "\(String(decoding: patch, as: UTF8.self))")
    }
}
