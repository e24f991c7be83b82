import FeedDiff
import FeedModel
import TestSupport
import Testing

@testable import FeedCollation

/// Placing what edits touched comes to the same as sorting everything.
@Suite struct EditedFeeds {
    private var generator = SeededGenerator(seed: 0)
    private var lastID = 0

    @Test(arguments: ["en", "ko", "sv", "ja"], 0..<6 as Range<UInt64>)
    func editedFeedsAreCollatedAsWholeOnesAre(locale: String, seed: UInt64) throws {
        var feeds = EditedFeeds()
        feeds.generator = SeededGenerator(seed: seed)
        let collation = try #require(IndexedCollation(locale: locale))
        for _ in 0..<12 { try feeds.checkOne(collation) }
    }

    private mutating func checkOne(_ collation: IndexedCollation) throws {
        // Few names, so that many tie.
        let names = (0..<Int.random(in: 1...30, using: &generator)).map { _ in
            RandomNames.name(using: &generator)
        }
        let count = Int.random(in: 0...90, using: &generator)
        let items = try (0..<count).map { _ in try item(newID(), names) }
        let old = Snapshot(sections: collation.collate(items, by: "n")).indexed()
        var edited = old
        for _ in 0..<Int.random(in: 0...6, using: &generator) { try edit(&edited, names) }
        let placed = collation.recollate(edited, after: old, by: "n")
        let sorted = collation.recollate(edited, by: "n")
        #expect(placed.tree == sorted.tree)
        #expect(placed.order == sorted.order)
        for (number, section) in placed.sections.enumerated() {
            #expect(placed.position(ofSection: section.id) == number)
            for (index, item) in section.items.enumerated() {
                let position = ItemPosition(section: number, index: index)
                #expect(placed.position(ofItem: item.id) == position)
            }
        }
    }

    private mutating func newID() -> ExactString {
        lastID += 1
        return ExactString("i\(lastID)")
    }

    private mutating func item(_ id: ExactString, _ names: [String?]) throws -> FeedItem {
        let name = names.randomElement(using: &generator) ?? nil
        let entry = JSONValue.Entry(name: "n", value: .string(ExactString(name ?? "")))
        let entries =
            [JSONValue.Entry(name: "id", value: .string(id))] + (name == nil ? [] : [entry])
        return try FeedItem(parsing: JSONValue.object(entries).text.bytes)
    }

    private mutating func edit(_ feed: inout Snapshot, _ names: [String?]) throws {
        let kind = Int.random(in: 0..<12, using: &generator)
        guard let position = position(feed), kind > 1 else {
            if feed.sections.isEmpty { feed.insert(FeedSection(id: "main"), at: 0) }
            let section = Int.random(in: feed.sections.indices, using: &generator)
            let end = kind == 0 ? feed.sections.count - 1 : section
            let index = kind == 0 ? feed.sections[end].items.count : 0
            feed.insert([try item(newID(), names)], at: ItemPosition(section: end, index: index))
            return
        }
        let old = feed.sections[Int(position.section)].items[Int(position.index)]
        switch kind {
        case 2, 3: feed.removeItem(at: position)
        case 4...7: feed.replaceItem(at: position, with: try item(old.id, names))
        case 8: feed.replaceItem(at: position, with: FeedItem(id: old.id, json: old.json))
        case 9 where Bool.random(using: &generator):
            feed.setMembers(Members(), ofSection: Int(position.section))
        case 9: feed.moveSection(at: Int(position.section), to: 0)
        default:
            feed.removeItem(at: position)
            let section = Int.random(in: feed.sections.indices, using: &generator)
            let index = Int.random(in: 0...feed.sections[section].items.count, using: &generator)
            feed.insert([old], at: ItemPosition(section: section, index: index))
        }
    }

    /// The position of some item.
    private mutating func position(_ feed: Snapshot) -> ItemPosition? {
        guard feed.count > 0 else { return nil }
        let offset = Int.random(in: 0..<feed.count, using: &generator)
        return feed.sections.position(ofItem: offset).map { ItemPosition(section: $0, index: $1) }
    }
}
