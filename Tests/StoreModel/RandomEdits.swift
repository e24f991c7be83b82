package import FeedDiff
package import FeedModel
package import TestSupport

/// Draws edits of a few ids, so that they meet.
package struct RandomEdits {
    package var random: SeededGenerator
    /// How many ids there are, of items and of sections.
    private let rowCount: Int
    private let partCount: Int

    package init(random: SeededGenerator, rowCount: Int = 25, partCount: Int = 6) {
        self.random = random
        self.rowCount = rowCount
        self.partCount = partCount
    }

    package mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    /// An id of an item, mostly of one that is there.
    package mutating func row(_ feed: PlainFeed) -> ExactString {
        let there = feed.parts.flatMap(\.rows).randomElement(using: &random)
        if let there, chance(85) { return ExactString(there.id) }
        return newRow()
    }

    package mutating func newRow() -> ExactString {
        ExactString("i\(Int.random(in: 0..<rowCount, using: &random))")
    }

    /// An id of a section, mostly of one that is there.
    package mutating func part(_ feed: PlainFeed) -> ExactString {
        if let there = feed.parts.randomElement(using: &random), chance(85) {
            return ExactString(there.id)
        }
        return newPart()
    }

    package mutating func newPart() -> ExactString {
        ExactString("s\(Int.random(in: 0..<partCount, using: &random))")
    }

    package mutating func item(_ id: ExactString) throws -> FeedItem {
        try FeedItem(parsing: Array(#"{"id": "\#(id)", "v": \#(number())}"#.utf8))
    }

    package mutating func number() -> Int { Int.random(in: 0..<5, using: &random) }

    package mutating func change() throws -> Changes.MemberEdit {
        if chance(30) { return Changes.MemberEdit(unset: ["v"]) }
        let value = try JSONText(parsing: Array("\(number())".utf8))
        return Changes.MemberEdit(set: [Member(name: "v", value: value)])
    }

    package mutating func position(beside id: ExactString) -> Edit.Position? {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: .start
        case 1: .end
        case 2, 3: .before(id)
        case 4: .after(id)
        default: nil
        }
    }

    package mutating func edit(of feed: PlainFeed) throws -> Edit {
        let section = chance(30) ? part(feed) : nil
        let rowPlace = position(beside: row(feed))
        let partPlace = position(beside: part(feed))
        switch Int.random(in: 0..<24, using: &random) {
        case 0...5: return .insert(try item(newRow()), section: section, at: rowPlace)
        case 6, 7: return .set(try change(), item: row(feed))
        case 8, 9: return .replace(try item(row(feed)))
        case 10...13: return .move(row(feed), section: section, at: rowPlace)
        case 14, 15: return .remove(row(feed))
        case 16, 17: return .put(try item(row(feed)), section: section, at: rowPlace)
        case 18, 19:
            let ids = Set((0..<Int.random(in: 0..<3, using: &random)).map { _ in newRow() })
            var items: [FeedItem] = []
            for id in ids.sorted() { items.append(try item(id)) }
            return .insertSection(FeedSection(id: newPart(), items: items), at: partPlace)
        case 20: return .setSection(try change(), section: part(feed))
        case 21: return .moveSection(part(feed), at: partPlace)
        case 22: return chance(50) ? .removeSection(part(feed)) : .setFeed(try change())
        default: return .setFeed(try change())
        }
    }
}
