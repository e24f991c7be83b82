import FeedModel
import TestSupport
import Testing

@testable import FeedDiff

/// Versions that share most of their sections, through views that end anywhere.
@Suite struct ViewsOfManySections {
    @Test(arguments: 0..<24 as Range<UInt64>)
    func changesBetweenViewsAreTheFewestAndLeadThere(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let versions = try Versions(&random).list
        for _ in 0..<12 {
            let old = versions[Int.random(in: 0..<versions.count, using: &random)]
            let new = versions[Int.random(in: 0..<versions.count, using: &random)]
            let view = Self.view(of: new, &random)
            try check(view(old), view(new))
        }
    }

    /// A view that shows a few items, or ends near the end of a section, or anywhere.
    private static func view(of feed: Snapshot, _ random: inout SeededGenerator) -> FeedView {
        var view = FeedView()
        if Int.random(in: 0..<4, using: &random) == 0 {
            view.sections = Set(feed.sections.map(\.id).shuffled(using: &random).prefix(20))
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: view.limit = Int.random(in: 0...3, using: &random)
        case 1: view.limit = feed.count - Int.random(in: 0...3, using: &random)
        case 2 where view.sections != nil: break
        default: view.limit = Int.random(in: 0...feed.count + 2, using: &random)
        }
        return view
    }

    private func check(_ old: ViewedSnapshot, _ new: ViewedSnapshot) throws {
        let changes = Changes(from: old, to: new)
        #expect(DiffFewest(from: old.snapshot, to: new.snapshot).faults(of: changes) == [])
        let applied = try old.snapshot.applying(changes)
        #expect(applied.tree == new.snapshot.tree)
        #expect(applied.order == new.order && applied.count == new.count)
        let counts = try #require(old.fullCounts)
        var known = Dictionary(uniqueKeysWithValues: zip(old.snapshot.sections.map(\.id), counts))
        for id in changes.removedSections { known[id] = nil }
        for section in changes.insertedSections { known[section.id] = section.fullCount }
        for section in changes.updatedSections {
            if let count = section.fullCount { known[section.id] = count }
        }
        #expect(new.snapshot.sections.compactMap { known[$0.id] } == new.fullCounts)
        try checkDocuments(changes, old, new)
    }

    private func checkDocuments(
        _ changes: Changes,
        _ old: ViewedSnapshot,
        _ new: ViewedSnapshot
    ) throws {
        let encoder = DocumentEncoder(feed: try #require(FeedName("news")))
        let items = new.snapshot.sections.flatMap(\.items)
        #expect(new.itemByteCount == items.reduce(0) { $0 + $1.json.bytes.count })
        let patch = try #require(PatchWriter.patch(changes, from: old, to: new))
        #expect(PatchWriter.patch(changes, from: old, to: new, byteLimit: patch.count) == patch)
        #expect(PatchWriter.patch(changes, from: old, to: new, byteLimit: patch.count - 1) == nil)
        let patched = try JSONPatch(parsing: patch).applied(to: old.snapshot.tree)
        #expect(patched == new.snapshot.tree)
        let sent = encoder.patch(from: old, to: new)
        let isReplacement = patch.count > encoder.document(new).count
        #expect(isReplacement ? sent != patch : sent == patch)
        #expect(try JSONPatch(parsing: sent).applied(to: old.snapshot.tree) == new.snapshot.tree)
    }
}

/// Versions of one feed, each made of the one before by some edits.
private struct Versions {
    private(set) var list: [Snapshot] = []
    private var feed = Snapshot()
    private var nextID = 0

    init(_ random: inout SeededGenerator) throws {
        let count = [3, 40, 300].randomElement(using: &random) ?? 3
        for position in 0..<count { try insertSection(at: position, &random) }
        list.append(Bool.random(using: &random) ? feed.indexed() : feed)
        for _ in 0..<5 {
            for _ in 0..<Int.random(in: 1...6, using: &random) { try edit(&random) }
            list.append(Bool.random(using: &random) ? feed.indexed() : feed)
        }
    }

    private mutating func item() throws -> FeedItem {
        nextID += 1
        return try DiffSamples.item(ExactString("i\(nextID)"))
    }

    private mutating func insertSection(
        at position: Int,
        _ random: inout SeededGenerator
    ) throws {
        nextID += 1
        let id = ExactString("s\(nextID)")
        let items = try (0..<Int.random(in: 0...3, using: &random)).map { _ in try item() }
        let section = FeedSection(id: id, members: try DiffSamples.members(&random), items: items)
        feed.sections.insert(section, at: position)
    }

    private mutating func edit(_ random: inout SeededGenerator) throws {
        let position = Int.random(in: 0..<feed.sections.count, using: &random)
        switch Int.random(in: 0..<9, using: &random) {
        case 0: try insertSection(at: position, &random)
        case 1 where feed.sections.count > 2: feed.sections.remove(at: position)
        case 2:
            let section = feed.sections.remove(at: position)
            let target = Int.random(in: 0...feed.sections.count, using: &random)
            feed.sections.insert(section, at: target)
        case 3: feed.sections[position].members = try DiffSamples.members(&random)
        case 4:
            // The ends of all views move.
            let count = Int.random(in: 1...40, using: &random)
            let items = try (0..<count).map { _ in try item() }
            feed.sections[0].items.insert(contentsOf: items, at: 0)
        case 5 where !feed.sections[position].items.isEmpty:
            let item = feed.sections[position].items.removeFirst()
            guard Bool.random(using: &random) else { return }
            let target = Int.random(in: 0..<feed.sections.count, using: &random)
            feed.sections[target].items.append(item)
        case 6: feed.sections[position].items.shuffle(using: &random)
        case 7 where Int.random(in: 0..<4, using: &random) == 0:
            feed.sections = SectionList(feed.sections.shuffled(using: &random))
        default: feed.sections[position].items.append(try item())
        }
    }
}
