import FeedModel
import TestSupport
import Testing

@testable import FeedDiff

@Suite struct ViewOfASnapshot {
    private let feed: Snapshot

    init() throws {
        feed = try DiffSamples.feed(["s": ["a", "b"], "é": [], "t": ["c", "d", "e"]]).snapshot
    }

    @Test func aViewIsTheSnapshotItselfWhenWhole() {
        let viewed = FeedView()(feed)
        #expect(viewed.fullCounts == nil)
        #expect(viewed.total == nil)
        #expect(viewed.snapshot.layout == feed.layout)
        #expect(viewed.snapshot.sections[2].items.sharesStorage(with: feed.sections[2].items))
    }

    @Test(
        arguments: [
            (0, [["s"], ["é"], ["t"]]), (1, [["s", "a"], ["é"], ["t"]]),
            (2, [["s", "a", "b"], ["é"], ["t"]]), (4, [["s", "a", "b"], ["é"], ["t", "c", "d"]]),
            (5, [["s", "a", "b"], ["é"], ["t", "c", "d", "e"]]),
            (.max, [["s", "a", "b"], ["é"], ["t", "c", "d", "e"]]), (-1, [["s"], ["é"], ["t"]]),
        ] as [(Int, [[ExactString]])]
    )
    func aViewHasTheFirstItemsAndEverySection(_ limit: Int, _ layout: [[ExactString]]) {
        let viewed = FeedView(limit: limit)(feed)
        #expect(viewed.snapshot.layout == layout)
        #expect(viewed.fullCounts == [2, 0, 3])
        #expect(viewed.total == 5)
    }

    @Test(
        arguments: [
            ([], [], []), (["t", "s"], [["s", "a", "b"], ["t", "c", "d", "e"]], [2, 3]),
            (["t", "nowhere"], [["t", "c", "d", "e"]], [3]), (["e\u{301}"], [], []),
            (["é"], [["é"]], [0]),
        ] as [(Set<ExactString>, [[ExactString]], [Int])]
    )
    func keepsSectionsInTheOrderOfTheFeed(
        _ sections: Set<ExactString>,
        _ layout: [[ExactString]],
        _ counts: [Int]
    ) {
        let viewed = FeedView(sections: sections)(feed)
        #expect(viewed.snapshot.layout == layout)
        #expect(viewed.fullCounts == counts)
        #expect(viewed.total == 5)
    }

    @Test func limitsWhatTheSectionsLeave() {
        let viewed = FeedView(sections: ["t"], limit: 2)(feed)
        #expect(viewed.snapshot.layout == [["t", "c", "d"]])
        #expect(viewed.fullCounts == [3])
    }

    @Test func tellsOfFullCountsThatChanged() throws {
        let new = try DiffSamples.feed(["s": ["a", "b"], "n": ["x"], "é": [], "t": ["c"]]).snapshot
        let view = FeedView(limit: 1)
        let changes = Changes(from: view(feed), to: view(new))
        #expect(changes.updatedSections == [.init(id: "t", edit: .init(), fullCount: 1)])
        #expect(
            changes.insertedSections
                == [.init(index: 1, id: "n", members: Members(), fullCount: 1)]
        )
        #expect(changes.removedItems.isEmpty && changes.insertedItems.isEmpty)
        let whole = Changes(from: FeedView()(feed), to: FeedView()(new))
        #expect(whole.updatedSections.isEmpty)
        #expect(whole.insertedSections.first?.fullCount == nil)
    }
}

extension ViewedSnapshot {
    /// The full number of items of each listed section; `nil` if the view is the whole feed.
    var fullCounts: [Int]? {
        givenCounts ?? (total == nil ? nil : base.list.map(\.items.count))
    }
}
