import FeedDiff
import TestSupport
import Testing

@testable import FeedModel

/// A copy that knows where its ids are, changed version after version.
@Suite struct ChangesInPlace {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func manyChangesInARowComeToTheSame(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var old = try DiffSamples.feed(&generator, most: 40)
        var inPlace = old.indexed()
        for _ in 0..<30 {
            let new = try DiffSamples.edited(old, &generator)
            let changes = Changes(from: FeedView()(old), to: FeedView()(new))
            let before = inPlace
            let treeBefore = before.tree
            #expect(try old.applying(changes).tree == new.tree)
            inPlace = try inPlace.applying(changes)
            #expect(inPlace.isIndexed)
            #expect(inPlace.tree == new.tree)
            #expect(inPlace.order == new.order)
            #expect(before.tree == treeBefore, "what was held before is as it was")
            try checkPositions(of: inPlace)
            old = new
        }
    }

    /// Sections with more items than are taken out of the index one by one.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func longSectionsThatComeGoAndMoveComeToTheSame(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let items = try (0..<400).map { try DiffSamples.item(ExactString("item-\($0)")) }
        var old = LongSections.feed(of: items, &generator)
        var inPlace = old.indexed()
        for _ in 0..<12 {
            let new = LongSections.feed(of: items, &generator)
            let changes = Changes(from: FeedView()(old), to: FeedView()(new))
            #expect(try old.applying(changes).tree == new.tree)
            inPlace = try inPlace.applying(changes)
            #expect(inPlace.tree == new.tree)
            try checkPositions(of: inPlace)
            old = new
        }
    }

    private func checkPositions(of snapshot: Snapshot) throws {
        for (section, list) in snapshot.sections.enumerated() {
            #expect(snapshot.position(ofSection: list.id) == section)
            for (index, item) in list.items.enumerated() {
                let position = try #require(snapshot.position(ofItem: item.id))
                #expect(position == ItemPosition(section: section, index: index))
                #expect(snapshot.item(item.id) === item)
            }
        }
        #expect(snapshot.item("of no feed") == nil)
    }
}

private enum LongSections {
    /// Some of a few sections in any order, each with a part of the items, some elsewhere than
    /// usual.
    static func feed(of items: [FeedItem], _ generator: inout SeededGenerator) -> Snapshot {
        let number = Int.random(in: 1...4, using: &generator)
        let sections = (0..<4).shuffled(using: &generator).prefix(number).map { section in
            let end = section * 100 + Int.random(in: 60...100, using: &generator)
            let own = items[section * 100..<end]
            return FeedSection(id: ExactString("s\(section)"), items: Array(own))
        }
        var feed = Snapshot(sections: sections)
        for _ in 0..<Int.random(in: 0...5, using: &generator) {
            let from = Int.random(in: feed.sections.indices, using: &generator)
            let to = Int.random(in: feed.sections.indices, using: &generator)
            let row = Int.random(in: 0..<feed.sections[from].items.count, using: &generator)
            let item = feed.removeItem(at: ItemPosition(section: from, index: row))
            feed.insert([item], at: ItemPosition(section: to, index: 0))
        }
        return feed
    }
}
