import FeedCollation
import FeedModel
import FeedUI
import Foundation
import TestSupport
import Testing

/// docs/ui-vectors: what both UI cores do alike.
@Suite(.timeLimit(.minutes(2))) @MainActor struct Behaviours {
    nonisolated private static let views = Result {
        try VectorCase.cases(
            "activity-indicator",
            "control",
            "diffable-data-source",
            "index-bar",
            "prefetching",
            "refresh-control",
            "refreshing-scroll-view",
            "scroll-view",
            "selection",
            "sticky-headers",
            "table",
            "table-updates"
        )
    }
    nonisolated private static let snapshots = Result { try VectorCase.cases("diffable-snapshot") }
    nonisolated private static let differences = Result { try VectorCase.cases("difference") }
    nonisolated private static let collations = Result {
        try VectorCase.cases("indexed-collation")
    }

    @Test(arguments: try views.get())
    func ofViews(_ vector: VectorCase) throws {
        let setup = try #require(vector.json["view"])
        let run = try VectorRun(setup)
        run.perform(vector.json["steps"]?.list ?? [])
    }

    @Test(arguments: try snapshots.get())
    func ofSnapshots(_ vector: VectorCase) throws {
        var run = try SnapshotRun(vector.json["snapshot"])
        for (number, step) in (vector.json["steps"]?.list ?? []).enumerated() {
            run.perform(step, "step \(number)")
        }
    }

    @Test(arguments: try differences.get())
    func ofDifferences(_ vector: VectorCase) throws {
        for (number, step) in (vector.json["steps"]?.list ?? []).enumerated() {
            let old = try SnapshotRun(step["from"]).snapshot
            let new = try SnapshotRun(step["to"]).snapshot
            try SnapshotRun.compare(old, new, step["expect"], "step \(number)")
        }
    }

    @Test(arguments: try collations.get())
    func ofCollations(_ vector: VectorCase) throws {
        guard IndexedCollation.isAvailable else { return }
        let locale = try #require(vector.json["collation"]?.string)
        let collation = IndexedCollation(locale: locale)
        for step in vector.json["steps"]?.list ?? [] {
            #expect((step["refused"] != nil) == (collation == nil))
            guard let collation, let expected = step["expect"] else { continue }
            if let titles = expected["titles"] {
                #expect(collation.sectionTitles == titles.strings)
            }
            if let titles = expected["indexTitles"] {
                #expect(collation.sectionIndexTitles == titles.strings)
            }
            for (text, title) in expected["section"]?.members ?? [:] {
                let section = collation.section(for: text.string)
                #expect(collation.sectionTitles[section] == title.string, "\(text)")
            }
            if let lists = expected["sorted"]?.list {
                let sorted = collation.sortedArray(from: lists[0].strings) { $0 }
                #expect(sorted == lists[1].strings)
            }
        }
    }
}
