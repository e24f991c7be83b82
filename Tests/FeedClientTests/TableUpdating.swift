import FeedDiff
import FeedModel
import Foundation
import TestSupport
import Testing

@testable import FeedClient

/// What a table is given to show a feed, by the rules of UIKit's tables.
@Suite struct TableUpdating {
    private typealias Batch = TableBatch

    /// `a:1 2 3|b:4` is the section a with the items 1, 2 and 3, and b with 4; `4*` is an item 4
    /// that differs, `b*` a section that does.
    static func snapshot(_ text: String) throws -> Snapshot {
        let sections = text.split(separator: "|").map { section in
            let parts = section.split(separator: ":", omittingEmptySubsequences: false)
            let items = parts[1].split(separator: " ").map { item in
                "{\"id\":\"\(item.filter { $0 != "*" })\",\"n\":\(item.filter { $0 == "*" }.count)}"
            }
            return "{\"id\":\"\(parts[0].filter { $0 != "*" })\",\"title\":\"\(parts[0])\","
                + "\"items\":[\(items.joined(separator: ","))]}"
        }
        let document = "{\"sections\":[\(sections.joined(separator: ","))]}"
        return try Snapshot(publishing: Array(document.utf8))
    }

    /// Shows a feed on a table, step by step.
    private func show(
        _ snapshot: Snapshot,
        by queue: inout UpdateQueue,
        on table: inout TableRules
    ) throws -> [TableUpdate] {
        var updates: [TableUpdate] = []
        queue.receive(snapshot)
        while let update = queue.next(isOnScreen: table.isOnScreen) {
            #expect(queue.next() == nil, "one at a time")
            try table.begin(update)
            table.end()
            queue.confirm()
            updates.append(update)
        }
        #expect(table.sections == TableRules.sections(of: snapshot))
        return updates
    }

    @Test(arguments: [
        ("a:1 2 3", "a:1 2 3", 0), ("a:1 2 3", "a:3 1 2", 1), ("a:1 2", "a:1 2*", 1),
        ("a:1 2 3", "a:3* 1 2", 2), ("a:1|b:2", "b:2|a:1", 1), ("a:1|b:2 3", "b:3 2|a:1", 2),
        ("a:1|b:2", "a*:1|b:2", 1), ("a:1 2|b:3", "b:3 1", 2), ("a:1 2", "a:1|n:2", 2),
        ("a:1 2|b:3", "n:1 3|a:2", 2), ("a:1 2|b:3 4|c:5", "c*:4* 5|n:1 6|a:2", 4),
        ("a:1 2 3", "b:1 2 3", 1), ("", "a:1", 1), ("a:1", "", 1), ("a:", "a:1", 1),
        ("a:1 2 3 4 5", "a:5 4 3 2 1", 1), ("a:1|b:2|c:3", "c:1|a:2|b:3", 2),
    ])
    func isInSteps(old: String, new: String, steps: Int) throws {
        var queue = UpdateQueue()
        let first = try Self.snapshot(old)
        var table = TableRules(Snapshot())
        _ = try show(first, by: &queue, on: &table)
        let updates = try show(try Self.snapshot(new), by: &queue, on: &table)
        #expect(updates.count == steps)
        #expect(updates.allSatisfy { $0.operations != .reload })
    }

    /// What differs is in ``TableUpdate/snapshot`` alone, and no row changes.
    @Test func aNewTitleIsAnUpdateToo() throws {
        var queue = UpdateQueue()
        var snapshot = try Self.snapshot("a:1 2")
        var table = TableRules(Snapshot())
        _ = try show(snapshot, by: &queue, on: &table)
        for title in ["Old", "New", "New"] {
            let isNew = snapshot.members["title"]?.stringValue != title
            snapshot.members = Members([Member(name: "title", value: JSONText(string: title))])
            let updates = try show(snapshot, by: &queue, on: &table)
            #expect(updates.map(\.operations) == (isNew ? [.batch(TableBatch())] : []))
            #expect(queue.shown?.members["title"]?.stringValue == title)
        }
    }

    @Test(arguments: 0..<150)
    func survivesAnyChangesAtAnyTime(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var queue = UpdateQueue()
        queue.operationLimit = Int.random(in: 4...60, using: &random)
        var table = TableRules(Snapshot())
        var latest = Snapshot()
        for _ in 0..<30 {
            latest = try Self.random(&random, from: latest, isChangedInPlace: seed % 2 > 0)
            queue.receive(latest)
            table.isOnScreen = Int.random(in: 0..<8, using: &random) > 0
            // Some steps only: what comes next meets a table half on its way.
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                guard let update = queue.next(isOnScreen: table.isOnScreen) else { break }
                try table.begin(update)
                if Bool.random(using: &random) {
                    latest = try Self.random(&random, from: latest, isChangedInPlace: seed % 2 > 0)
                    queue.receive(latest)
                }
                #expect(queue.next(isOnScreen: table.isOnScreen) == nil)
                table.end()
                queue.confirm()
            }
        }
        table.isOnScreen = true
        _ = try show(latest, by: &queue, on: &table)
    }

    /// The same, read anew or as a feed that is followed comes to it.
    private static func random(
        _ random: inout SeededGenerator,
        from old: Snapshot,
        isChangedInPlace: Bool
    ) throws -> Snapshot {
        let new = try Self.random(&random, from: old)
        guard isChangedInPlace else { return new }
        let changes = Changes(
            from: ViewedSnapshot(snapshot: old),
            to: ViewedSnapshot(snapshot: new)
        )
        return try old.indexed().applying(changes)
    }

    /// A feed after some changes: items and sections that come, go, move and differ.
    private static func random(
        _ random: inout SeededGenerator,
        from old: Snapshot
    ) throws -> Snapshot {
        var sections = TableRules.sections(of: old).map { section in
            let title = section.title["title"]?.stringValue ?? ""
            return (
                title: title, items: section.rows.map { row in row.id.string + stars(row.json) }
            )
        }
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let known = Set(sections.flatMap(\.items).map { $0.filter { $0 != "*" } })
            switch (
                Int.random(in: 0..<9, using: &random),
                sections.indices.randomElement(using: &random)
            ) {
            case (0, _), (_, nil):
                let ids = Set(sections.map { $0.title.filter { $0 != "*" } })
                guard let id = "abcdefgh".map(String.init).first(where: { !ids.contains($0) })
                else { continue }
                let at = Int.random(in: 0...sections.count, using: &random)
                sections.insert((id, []), at: at)
            case (1, let section?): sections.remove(at: section)
            case (2, _): sections.shuffle(using: &random)
            case (3, let section?): sections[section].title += "*"
            case (4...5, let section?):
                let id = "\(Int.random(in: 0..<60, using: &random))"
                guard !known.contains(id) else { continue }
                let at = Int.random(in: 0...sections[section].items.count, using: &random)
                sections[section].items.insert(id, at: at)
            case (6, let section?):
                guard let item = sections[section].items.indices.randomElement(using: &random),
                    let other = sections.indices.randomElement(using: &random)
                else { continue }
                let moved = sections[section].items.remove(at: item)
                let at = Int.random(in: 0...sections[other].items.count, using: &random)
                sections[other].items.insert(moved, at: at)
            case (7, let section?):
                guard let item = sections[section].items.indices.randomElement(using: &random)
                else { continue }
                sections[section].items[item] += "*"
            case (_, let section?):
                guard let item = sections[section].items.indices.randomElement(using: &random)
                else { continue }
                sections[section].items.remove(at: item)
            }
        }
        let text = sections.map { "\($0.title):\($0.items.joined(separator: " "))" }
        return try snapshot(text.joined(separator: "|")).sharing(with: old)
    }

    private static func stars(_ json: JSONText) -> String {
        let number = TestJSON(json.bytes)?["n"]?.int ?? 0
        return String(repeating: "*", count: number)
    }

    @Test func reloadsWhatIsOffScreenOrTooMuch() throws {
        var queue = UpdateQueue()
        queue.operationLimit = 3
        var table = TableRules(Snapshot())
        #expect(
            try show(Self.snapshot("a:1 2"), by: &queue, on: &table).map(\.operations) == [.reload]
        )
        let many = try show(Self.snapshot("a:1 2 3 4 5 6"), by: &queue, on: &table)
        #expect(many.map(\.operations) == [.reload])
        table.isOnScreen = false
        let hidden = try show(Self.snapshot("a:1 2 3 4 5"), by: &queue, on: &table)
        #expect(hidden.map(\.operations) == [.reload])
        table.isOnScreen = true
        let one = try show(Self.snapshot("a:1 2 3 4"), by: &queue, on: &table)
        #expect(one.map(\.operations) != [.reload])
    }

    @Test func reloadsATableThatRefused() throws {
        var queue = UpdateQueue()
        var table = TableRules(Snapshot())
        _ = try show(Self.snapshot("a:1 2"), by: &queue, on: &table)
        queue.receive(try Self.snapshot("a:2 3"))
        let next = queue.next()
        let update = try #require(next)
        #expect(!update.applies(to: [7]))
        #expect(update.applies(to: [2]))
        #expect(update.reloading.applies(to: [7]))
        queue.refuse()
        #expect(queue.next()?.operations == .reload)
    }
}
