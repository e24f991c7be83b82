import FeedModel
import TestSupport
import Testing

@testable import FeedDiff

@Suite struct ChangesAreTheFewest {
    /// All ways to order up to six items, with some of them gone.
    @Test func changesInOneSectionAreTheFewest() throws {
        for count in 0...6 {
            let ids = (0..<count).map { ExactString("i\($0)") }
            let old = try DiffSamples.feed(["s": ids])
            for order in permutations(of: ids) {
                let new = try rearranged(old, [("s", order)])
                let changes = Changes(from: old, to: new)
                #expect(DiffFewest(from: old.snapshot, to: new.snapshot).faults(of: changes) == [])
                #expect(changes.movedItems.count == count - longestRun(order.map(ids.firstIndex)))
            }
        }
    }

    /// All ways to spread items over up to two sections, from any one to any other.
    @Test(arguments: [
        (["x", "y"] as [ExactString], ["a", "b", "c"] as [ExactString]), (["x", "y", "z"], ["a"]),
    ])
    func overSections(_ sections: [ExactString], _ ids: [ExactString]) throws {
        let all = try DiffSamples.feed(["pool": ids])
        let feeds = try arrangements(of: ids, in: sections).map { try rearranged(all, $0) }
        for old in feeds {
            for new in feeds {
                let changes = Changes(from: old, to: new)
                #expect(DiffFewest(from: old.snapshot, to: new.snapshot).faults(of: changes) == [])
                let applied = try old.snapshot.applying(changes)
                #expect(applied.layout == new.snapshot.layout)
            }
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func changesAtRandomAreTheFewest(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let old = try DiffSamples.feed(&generator)
            let new =
                Bool.random(using: &generator)
                ? try DiffSamples.edited(old, &generator) : try DiffSamples.feed(&generator)
            let changes = Changes(from: FeedView()(old), to: FeedView()(new))
            #expect(DiffFewest(from: old, to: new).faults(of: changes) == [])
            #expect(changes.updatedItems.map(\.id) == differing(from: old, to: new))
            #expect(changes.isEmpty == (old.tree == new.tree))
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func changesInLongListsAreTheFewest(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var items = try (0..<150).map { try DiffSamples.item(ExactString("item-number-\($0)")) }
        let old = Snapshot(sections: [FeedSection(id: "s", items: items)])
        for round in 0..<8 {
            for _ in 0..<round {
                let count = Int.random(in: 0...min(20, items.count), using: &generator)
                let start = Int.random(in: 0...items.count - count, using: &generator)
                let block = items[start..<start + count]
                items.removeSubrange(start..<start + count)
                if Bool.random(using: &generator) {
                    let target = Int.random(in: 0...items.count, using: &generator)
                    items.insert(contentsOf: block, at: target)
                }
            }
            let new = Snapshot(sections: [FeedSection(id: "s", items: items)])
            let changes = Changes(from: FeedView()(old), to: FeedView()(new))
            #expect(DiffFewest(from: old, to: new).faults(of: changes) == [])
            let applied = try old.applying(changes)
            #expect(applied.layout == new.layout)
        }
    }

    @Test func changesTakeItemsOfARemovedSectionAlongSilently() throws {
        let old = try DiffSamples.feed(["gone": ["a", "b"], "stays": ["c", "d"]])
        let new = try DiffSamples.feed(["stays": ["b", "d"]])
        let changes = Changes(from: old, to: new)
        #expect(changes.removedSections == ["gone"])
        #expect(changes.removedItems == ["c"])
        #expect(changes.movedItems == [Changes.ItemMove(section: "stays", index: 0, id: "b")])
        #expect(changes.insertedItems.isEmpty)
    }

    @Test func changesCarryOnlyMembersThatDiffer() throws {
        let old = try item(#"{"id":"a","x":1,"y":[1, 2],"z":"é","w":0}"#)
        let new = try item(#"{"w":0,"z":"\u00e9","y":[2,1],"v":null,"id":"a"}"#)
        let changes = Changes(from: old, to: new)
        let update = try #require(changes.updatedItems.first)
        #expect(update.id == "a")
        #expect(update.edit.unset == ["x"])
        #expect(update.edit.set.map(\.name) == ["y", "v"])
    }

    @Test func changesTakeEquivalentStringsForDifferentIDs() throws {
        let old = try DiffSamples.feed(["s": ["é"]])
        let new = try DiffSamples.feed(["s": ["e\u{301}"]])
        let changes = Changes(from: old, to: new)
        #expect(changes.removedItems == ["é"])
        #expect(changes.insertedItems.map(\.item.id) == ["e\u{301}"])
        #expect(changes.updatedItems.isEmpty)
    }

    private func item(_ json: String) throws -> ViewedSnapshot {
        let item = try FeedItem(parsing: Array(json.utf8))
        return FeedView()(Snapshot(sections: [FeedSection(id: "s", items: [item])]))
    }
}

extension ChangesAreTheFewest {
    /// The items of `feed` in other sections.
    private func rearranged(
        _ feed: ViewedSnapshot,
        _ layout: [(ExactString, [ExactString])]
    ) throws -> ViewedSnapshot {
        let items = feed.snapshot.sections.flatMap(\.items)
        let sections = layout.map { id, ids in
            FeedSection(id: id, items: ids.compactMap { id in items.first { $0.id == id } })
        }
        return FeedView()(Snapshot(sections: sections))
    }

    private func permutations(of ids: [ExactString]) -> [[ExactString]] {
        guard let first = ids.first else { return [[]] }
        return permutations(of: Array(ids.dropFirst())).flatMap { rest in
            (0...rest.count).map { rest[..<$0] + [first] + rest[$0...] }
        }
    }

    /// Some of the sections in any order, with some of the items in any order.
    private func arrangements(of ids: [ExactString], in sections: [ExactString]) -> [[(
        ExactString, [ExactString]
    )]] {
        subsets(of: sections).flatMap(permutations).flatMap { sections in
            guard !sections.isEmpty else { return [[(ExactString, [ExactString])]()] }
            return subsets(of: ids).flatMap(permutations).flatMap { ids in
                spread(ids[...], over: sections[...])
            }
        }
    }

    /// All ways to cut a list into one part a section.
    private func spread(
        _ ids: ArraySlice<ExactString>,
        over sections: ArraySlice<ExactString>
    ) -> [[(ExactString, [ExactString])]] {
        guard let section = sections.first else { return ids.isEmpty ? [[]] : [] }
        return (0...ids.count).flatMap { count in
            spread(ids.dropFirst(count), over: sections.dropFirst()).map { rest in
                [(section, Array(ids.prefix(count)))] + rest
            }
        }
    }

    private func subsets(of ids: [ExactString]) -> [[ExactString]] {
        ids.reduce([[]]) { subsets, id in subsets + subsets.map { $0 + [id] } }
    }

    /// The most values that can be kept so that they ascend, by trying all choices.
    private func longestRun(_ values: [Int?]) -> Int {
        let values = values.compactMap(\.self)
        return (0..<1 << values.count).map { choice in
            let kept = values.indices.filter { choice >> $0 & 1 == 1 }.map { values[$0] }
            return kept == kept.sorted() ? kept.count : 0
        }
        .max() ?? 0
    }

    private func differing(from old: Snapshot, to new: Snapshot) -> [ExactString] {
        let before = old.sections.flatMap(\.items)
        return new.sections.flatMap(\.items).filter { item in
            before.contains { $0.id == item.id && $0.members != item.members }
        }
        .map(\.id)
    }

}
