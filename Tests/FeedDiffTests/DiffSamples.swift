import FeedDiff
import FeedModel
import TestSupport

/// Feeds to compare: made by hand, or at random from a seed.
enum DiffSamples {
    /// Short and long, in several scripts, canonically equivalent but different, and with what
    /// JSON and JSON Pointer escape.
    static let ids: [ExactString] =
        ["é", "e\u{301}", "가", "\u{1100}\u{1161}", "a/b~c", "quote\"back\\slash", "~1", "👩‍👩‍👧"]
        + (0..<24).map { ExactString("i\($0)") }
        + (0..<8).map { ExactString("an-id-that-is-longer-than-sixteen-bytes-\($0)") }

    static let sectionIDs: [ExactString] = ["main", "é", "e\u{301}", "오늘", "~0/", "z"]

    private static let values = [
        "1", "1.0", "\"one\"", "[1,2]", "[2,1]", "{\"a\":null}", "null", "true", "\"line\\nend\"",
    ]
    private static let names: [ExactString] = ["title", "a/b", "m~n", "likes", "kind\"s"]

    static func quoted(_ text: ExactString) -> String {
        let escaped = text.string.unicodeScalars.map { scalar in
            scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : "\(scalar)"
        }
        return "\"\(escaped.joined())\""
    }

    static func item(_ id: ExactString, _ members: [Member] = []) throws -> FeedItem {
        var fields = ["\"id\":\(quoted(id))"]
        for member in members {
            let value = String(decoding: member.value.bytes, as: UTF8.self)
            fields.append("\(quoted(member.name)):\(value)")
        }
        return try FeedItem(parsing: Array("{\(fields.joined(separator: ","))}".utf8))
    }

    /// A whole feed of items without members: `["main": ["a", "b"]]` in order.
    static func feed(_ sections: KeyValuePairs<ExactString, [ExactString]>) throws -> ViewedSnapshot
    {
        let list = try sections.map { id, items in
            FeedSection(id: id, items: try items.map { try item($0) })
        }
        return FeedView()(Snapshot(sections: list))
    }

    static func members(_ generator: inout SeededGenerator) throws -> Members {
        var list: [Member] = []
        for name in names where Int.random(in: 0..<3, using: &generator) == 0 {
            let value = values.randomElement(using: &generator) ?? "0"
            list.append(Member(name: name, value: try JSONText(parsing: Array(value.utf8))))
        }
        return Members(list)
    }

    /// A feed of up to `most` items in up to six sections.
    static func feed(_ generator: inout SeededGenerator, most: Int = 24) throws -> Snapshot {
        let sectionCount = Int.random(in: 0...sectionIDs.count, using: &generator)
        var sections = try sectionIDs.shuffled(using: &generator).prefix(sectionCount).map { id in
            FeedSection(id: id, members: try members(&generator))
        }
        let itemCount = sections.isEmpty ? 0 : Int.random(in: 0...most, using: &generator)
        for id in ids.shuffled(using: &generator).prefix(itemCount) {
            let section = sections.indices.randomElement(using: &generator) ?? 0
            sections[section].items.append(try item(id, try members(&generator).list))
        }
        return Snapshot(members: try members(&generator), sections: Array(sections))
    }
}

/// Random edits, a few of which make another version of a feed.
extension DiffSamples {
    static func edited(
        _ snapshot: Snapshot,
        _ generator: inout SeededGenerator
    ) throws -> Snapshot {
        var snapshot = snapshot
        for _ in 0..<Int.random(in: 0...8, using: &generator) {
            if Int.random(in: 0..<4, using: &generator) == 0 {
                try editSections(&snapshot, &generator)
            } else {
                try editItems(&snapshot, &generator)
            }
        }
        // Versions that come from a publisher do not share their items.
        if Bool.random(using: &generator) { try makeAnew(&snapshot) }
        return snapshot
    }

    static func makeAnew(_ snapshot: inout Snapshot) throws {
        for section in snapshot.sections.indices {
            let items = try snapshot.sections[section].items.map {
                try FeedItem(parsing: $0.json.bytes)
            }
            snapshot.sections[section].items = ItemList(items)
        }
    }

    private static func editSections(
        _ snapshot: inout Snapshot,
        _ generator: inout SeededGenerator
    ) throws {
        let position = snapshot.sections.indices.randomElement(using: &generator)
        switch (Int.random(in: 0..<5, using: &generator), position) {
        case (0, _):
            snapshot.members = try members(&generator)
        case (1, let position?):
            snapshot.sections[position].members = try members(&generator)
        case (2, let position?):
            snapshot.sections.remove(at: position)
        case (3, let position?):
            let section = snapshot.sections.remove(at: position)
            let target = Int.random(in: 0...snapshot.sections.count, using: &generator)
            snapshot.sections.insert(section, at: target)
        default:
            let used = Set(snapshot.sections.map(\.id))
            guard let id = sectionIDs.first(where: { !used.contains($0) }) else { return }
            let target = Int.random(in: 0...snapshot.sections.count, using: &generator)
            snapshot.sections.insert(
                FeedSection(id: id, members: try members(&generator)),
                at: target
            )
        }
    }

    private static func editItems(
        _ snapshot: inout Snapshot,
        _ generator: inout SeededGenerator
    ) throws {
        guard let from = snapshot.sections.indices.randomElement(using: &generator),
            let to = snapshot.sections.indices.randomElement(using: &generator)
        else { return }
        let position = snapshot.sections[from].items.indices.randomElement(using: &generator)
        switch (Int.random(in: 0..<6, using: &generator), position) {
        case (0, let position?):
            snapshot.sections[from].items.remove(at: position)
        case (1, let position?):
            let item = snapshot.sections[from].items.remove(at: position)
            insert(item, to, &snapshot, &generator)
        case (2, let position?):
            let item = snapshot.sections[from].items.remove(at: position)
            insert(item, from, &snapshot, &generator)
        case (3, let position?):
            let id = snapshot.sections[from].items[position].id
            snapshot.sections[from].items[position] = try item(id, try members(&generator).list)
        case (4, _):
            guard Int.random(in: 0..<4, using: &generator) == 0 else { return }
            snapshot.sections[from].items.shuffle(using: &generator)
        default:
            let used = Set(snapshot.sections.flatMap { $0.items.map(\.id) })
            guard let id = ids.filter({ !used.contains($0) }).randomElement(using: &generator)
            else { return }
            insert(try item(id, try members(&generator).list), to, &snapshot, &generator)
        }
    }

    private static func insert(
        _ item: FeedItem,
        _ section: Int,
        _ snapshot: inout Snapshot,
        _ generator: inout SeededGenerator
    ) {
        let count = snapshot.sections[section].items.count
        let position = Int.random(in: 0...count, using: &generator)
        snapshot.sections[section].items.insert(item, at: position)
    }
}
