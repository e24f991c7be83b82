import FeedModel
import TestSupport
import Testing

@testable import FeedDiff

@Suite struct SharingBetweenVersions {
    @Test(arguments: 0..<30 as Range<UInt64>)
    func keepsTheOldItemsThatAreEqual(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let old = try DiffSamples.feed(&generator)
            var new = try DiffSamples.edited(old, &generator)
            try DiffSamples.makeAnew(&new)
            let (shared, changes) = new.following(old)
            #expect(shared.tree == new.tree)
            #expect(shared.layout == new.layout)
            #expect(DiffFewest(from: old, to: new).faults(of: changes) == [])
            #expect(try old.applying(changes).tree == new.tree)
            let before = old.sections.flatMap(\.items)
            for item in shared.sections.flatMap(\.items) {
                if let equal = before.first(where: { $0 == item }) { #expect(equal === item) }
            }
        }
    }

    @Test func keepsAWholeListThatIsEqual() throws {
        let old = try DiffSamples.feed(["s": ["a", "b"], "t": ["c"]]).snapshot
        let new = try DiffSamples.feed(["t": ["x", "c"], "s": ["a", "b"]]).snapshot
        let shared = new.sharing(with: old)
        #expect(shared.sections[1].items.sharesStorage(with: old.sections[0].items))
    }

    @Test func spellsChangedItemsAsTheNewVersionDoes() throws {
        let old = try snapshot(#"{"id":"a","n":1}"#)
        let new = try snapshot(#"{"id":"a","n":1.0}"#)
        let shared = new.sharing(with: old)
        #expect(shared.sections[0].items[0] === new.sections[0].items[0])
    }

    /// Hashes of values may be the same by chance.
    @Test func goesByMoreThanTheHashOfAValue() throws {
        let old = Snapshot(sections: [
            FeedSection(id: "s", items: try colliding(["a", "b", "c", "d"]))
        ])
        let new = Snapshot(sections: [
            FeedSection(id: "s", items: try colliding(["d", "x", "a", "c"]))
        ])
        let shared = new.sharing(with: old)
        #expect(shared.layout == new.layout)
        #expect(shared.sections[0].items[0] === old.sections[0].items[3])
        let changes = Changes(from: FeedView()(old), to: FeedView()(new))
        #expect(DiffFewest(from: old, to: new).faults(of: changes) == [])
        #expect(changes.updatedItems.isEmpty)
    }

    private func colliding(_ ids: [ExactString]) throws -> [FeedItem] {
        try ids.map { id in
            let json = JSONText(checked: try DiffSamples.item(id).json.bytes, valueHash: 7)
            return FeedItem(id: id, json: json)
        }
    }

    private func snapshot(_ json: String) throws -> Snapshot {
        Snapshot(sections: [FeedSection(id: "s", items: [try FeedItem(parsing: Array(json.utf8))])])
    }
}
