import FeedModel
import TestSupport
import Testing

@testable import FeedDiff

/// Changes in a view are the fewest, and lead from what one version shows to what the other shows.
@Suite struct ViewedChanges {
    @Test(arguments: 0..<30 as Range<UInt64>)
    func changesInAViewAreTheFewestAndLeadThere(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            let old = try DiffSamples.feed(&random)
            let new =
                Bool.random(using: &random)
                ? try DiffSamples.edited(old, &random) : try DiffSamples.feed(&random)
            for _ in 0..<6 { try check(from: old, to: new, Self.view(of: new, &random)) }
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
        for _ in 0..<12 { try check(from: old, to: new, Self.view(of: new, &random)) }
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

    private func check(from old: Snapshot, to new: Snapshot, _ view: FeedView) throws {
        let (before, after) = (view(old), view(new))
        let changes = Changes(from: before, to: after)
        let faults = DiffFewest(from: before.snapshot, to: after.snapshot).faults(of: changes)
        #expect(faults == [])
        let applied = try before.snapshot.applying(changes)
        #expect(applied.tree == after.snapshot.tree)
        let encoder = DocumentEncoder(feed: try #require(FeedName("news")))
        let patch = encoder.patch(from: before, to: after, atAnyLength: true)
        let patched = try JSONPatch(parsing: patch).applied(to: before.snapshot.tree)
        #expect(patched == after.snapshot.tree)
    }
}
