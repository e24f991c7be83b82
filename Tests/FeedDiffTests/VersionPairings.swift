import FeedModel
import TestSupport
import Testing

@testable import FeedDiff

/// Changes that are cut from what was paired once lead to where those lead that are found anew, and
/// are as few.
@Suite struct VersionPairings {
    @Test(arguments: 0..<30 as Range<UInt64>)
    func changesCutFromAPairingAreTheFewestAndLeadThere(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            let old = try DiffSamples.feed(&random)
            let new =
                Bool.random(using: &random)
                ? try DiffSamples.edited(old, &random) : try DiffSamples.feed(&random)
            let pairing = VersionPairing(from: old, to: new)
            for _ in 0..<6 {
                let view = Self.view(of: new, &random)
                try check(pairing, from: old, to: new, view)
            }
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func ofLongVersionsTheyAreTheSame(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let items = try (0..<400).map { try DiffSamples.item(ExactString("item-\($0)")) }
        let old = Snapshot(sections: Self.cut(items, &random))
        let kept = items.shuffled(using: &random).prefix(350)
        let come = try (400..<450).map { try DiffSamples.item(ExactString("item-\($0)")) }
        let new = Snapshot(sections: Self.cut((kept + come).shuffled(using: &random), &random))
        let pairing = VersionPairing(from: old, to: new)
        for _ in 0..<12 { try check(pairing, from: old, to: new, Self.view(of: new, &random)) }
    }

    /// A view that shows a few items, or some sections, or ends anywhere.
    private static func view(of feed: Snapshot, _ random: inout SeededGenerator) -> FeedView {
        var view = FeedView()
        if Int.random(in: 0..<3, using: &random) == 0 {
            view.sections = Set(feed.sections.map(\.id).shuffled(using: &random).prefix(2))
        }
        if Int.random(in: 0..<4, using: &random) > 0 {
            view.limit = Int.random(in: 0...feed.count + 2, using: &random)
        }
        return view
    }

    private static func cut(
        _ items: some Collection<FeedItem>,
        _ random: inout SeededGenerator
    ) -> [FeedSection] {
        var rest = Array(items)[...]
        return ["a", "b", "c", "d"].shuffled(using: &random).enumerated().map { number, id in
            let count = number == 3 ? rest.count : Int.random(in: 0...rest.count, using: &random)
            defer { rest = rest.dropFirst(count) }
            return FeedSection(id: ExactString(id), items: Array(rest.prefix(count)))
        }
    }

    private func check(
        _ pairing: VersionPairing,
        from old: Snapshot,
        to new: Snapshot,
        _ view: FeedView
    ) throws {
        let (before, after) = (view(old), view(new))
        let placed = pairing.changes(from: old, to: new, through: view)
        let changes = Changes(placed, from: before, to: after)
        let faults = DiffFewest(from: before.snapshot, to: after.snapshot).faults(of: changes)
        #expect(faults == [])
        let applied = try before.snapshot.applying(changes)
        #expect(applied.tree == after.snapshot.tree)
        // Which of several fewest moves are chosen may differ.
        var (mine, others) = (changes, Changes(from: before, to: after))
        #expect(mine.movedItems.count == others.movedItems.count)
        #expect(mine.movedSections.count == others.movedSections.count)
        (mine.movedItems, mine.movedSections) = ([], [])
        (others.movedItems, others.movedSections) = ([], [])
        #expect(mine == others)
        let patch = try #require(PatchWriter.patch(placed, from: before, to: after))
        let patched = try JSONPatch(parsing: patch).applied(to: before.snapshot.tree)
        #expect(patched == after.snapshot.tree)
    }
}

/// Which differences are worth pairing.
@Suite struct VersionDifferences {
    /// Counts the pairings that a difference makes.
    private func pairings(_ old: [FeedItem], _ new: [FeedItem], _ views: [FeedView]) -> Int {
        let (old, new) = (Self.feed(old), Self.feed(new))
        var kept: [VersionPairing] = []
        for view in views {
            let difference = VersionDifference(from: old, to: new, pairing: kept.last) {
                kept.append($0)
            }
            let changes = difference.changes(through: view)
            let others = Changes(from: view(old), to: view(new))
            #expect(changes.movedItems.count == others.movedItems.count)
            #expect(changes.insertedItems == others.insertedItems)
        }
        return kept.count
    }

    private static func feed(_ items: [FeedItem]) -> Snapshot {
        Snapshot(sections: [FeedSection(id: "s", items: items)]).indexed()
    }

    @Test func manyChangesArePairedOnceForAllLongViews() throws {
        var random = SeededGenerator(seed: 1)
        let items = try (0..<5000).map { try DiffSamples.item(ExactString("i\($0)")) }
        let shuffled = items.shuffled(using: &random)
        let long = [FeedView(), FeedView(limit: 4999), FeedView(sections: ["s"], limit: 3000)]
        #expect(pairings(items, shuffled, long) == 1)
        #expect(pairings(items, shuffled, [FeedView(limit: 20)]) == 0)
        #expect(pairings(items, Array(items.dropFirst(3)), long) == 0)
    }
}
