import FeedModel
import Testing

@Suite
struct FeedViewTests {
    /// A view is what it shows, whoever made it and however.
    @Test(arguments: [
        (FeedView(), FeedView(), true),
        (FeedView(), FeedView(sections: []), false),
        (FeedView(limit: 1), FeedView(limit: 1), true),
        (FeedView(limit: 1), FeedView(limit: 2), false),
        (FeedView(sections: ["a", "b"]), FeedView(sections: ["b", "a"]), true),
        (FeedView(sections: ["a", "b"]), FeedView(sections: ["a", "c"]), false),
        (FeedView(sections: ["a"]), FeedView(sections: ["a"], limit: 1), false),
        (FeedView(sections: ["é"]), FeedView(sections: ["e\u{301}"]), false),
    ])
    func viewsAreTheSameByWhatTheyShow(_ one: FeedView, _ other: FeedView, _ isSame: Bool) {
        #expect((one == other) == isSame)
        #expect((one.hashValue == other.hashValue) == isSame)
        #expect(one.isWhole == (one == FeedView()))
    }

    @Test func aViewIsAValue() {
        let before = FeedView(sections: ["a"])
        var after = before
        after.sections?.insert("b")
        #expect(before.sections == ["a"])
        #expect(after == FeedView(sections: ["b", "a"]))
        after.sections = nil
        #expect(after == FeedView())
    }
}
