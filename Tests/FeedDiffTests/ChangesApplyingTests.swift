import FeedModel
import TestSupport
import Testing

@testable import FeedDiff

@Suite struct ChangesLeadToTheNewVersion {
    private let encoder: DocumentEncoder
    private let token = Token(epoch: "q7x2m5kd", version: 42)
    private let since = Token(epoch: "q7x2m5kd", version: 41)

    init() throws {
        encoder = DocumentEncoder(feed: try #require(FeedName("news")))
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func changesAtRandomLeadToTheNewVersion(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let old = try DiffSamples.feed(&generator)
            let new =
                Int.random(in: 0..<4, using: &generator) == 0
                ? try DiffSamples.feed(&generator) : try DiffSamples.edited(old, &generator)
            try check(FeedView()(old), FeedView()(new))
        }
    }

    @Test(arguments: 100..<120 as Range<UInt64>)
    func throughViews(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let old = try DiffSamples.feed(&generator)
            let new = try DiffSamples.edited(old, &generator)
            var view = FeedView()
            if Bool.random(using: &generator) {
                view.sections = Set(DiffSamples.sectionIDs.shuffled(using: &generator).prefix(3))
            }
            if Bool.random(using: &generator) {
                view.limit = Int.random(in: 0...20, using: &generator)
            }
            try check(view(old), view(new))
        }
    }

    /// The same feed with its items in one long list, so that walking along it goes astray.
    @Test(arguments: 200..<240 as Range<UInt64>)
    func changesInOneSectionLeadToTheNewVersion(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            var old = try DiffSamples.feed(&generator, most: 40)
            let items = old.sections.flatMap(\.items)
            old.sections = [FeedSection(id: "main", items: items)]
            try check(FeedView()(old), FeedView()(try DiffSamples.edited(old, &generator)))
        }
    }

    /// Checks our own way and a client's that knows the documents alone.
    private func check(_ old: ViewedSnapshot, _ new: ViewedSnapshot) throws {
        let changes = Changes(from: old, to: new)
        let applied = try old.snapshot.applying(changes)
        #expect(applied.tree == new.snapshot.tree)
        #expect(applied.layout == new.snapshot.layout)
        #expect(applied.order == new.snapshot.order)
        let inPlace = try old.snapshot.indexed().applying(changes)
        #expect(inPlace.tree == new.snapshot.tree)
        #expect(inPlace.layout == new.snapshot.layout)
        #expect(inPlace.order == new.snapshot.order)

        var client = try DiffNaiveClient(snapshot: encoder.snapshot(old, token: since))
        let document = try DiffNaiveClient.object(
            encoder.changes(changes, since: since, token: token, now: new)
        )
        let object = try #require(document["changes"] as? [String: Any])
        try client.apply(object)
        var expected = try DiffNaiveClient(snapshot: encoder.snapshot(new, token: token))
        if new.total == nil {
            // A whole feed's counts follow from its items.
            client.forgetCounts()
            expected.forgetCounts()
        }
        #expect(client == expected)
        #expect(document["count"] as? Int == client.count)
        let order = try #require(document["order"] as? String)
        #expect(order.utf8.count == 8)
        #expect(UInt32(order, radix: 16) == naiveCRC32(client.orderText.utf8))
        #expect(document["total"] as? Int == new.total)
    }
}

@Suite struct ChangesThatDoNotFit {
    private let feed: Snapshot

    init() throws {
        feed = try DiffSamples.feed(["s": ["a", "b"], "t": ["c"]]).snapshot
    }

    @Test(arguments: [
        edit { $0.removedItems = ["x"] },
        edit { $0.removedItems = ["a", "a"] },
        edit { $0.movedItems = [.init(section: "s", index: 0, id: "x")] },
        edit { $0.movedItems = [.init(section: "x", index: 0, id: "a")] },
        edit { $0.movedItems = [.init(section: "s", index: 2, id: "a")] },
        edit { $0.movedItems = [.init(section: "s", index: -1, id: "a")] },
        edit { $0.movedItems = [.init(section: "s", index: .max, id: "a")] },
        edit { $0.movedItems = [.init(section: "s", index: .min, id: "a")] },
        edit {
            $0.removedItems = ["a"]
            $0.movedItems = [.init(section: "s", index: 0, id: "a")]
        },
        edit {
            $0.movedItems = [
                .init(section: "s", index: 0, id: "a"), .init(section: "s", index: 0, id: "b"),
            ]
        },
        edit { $0.updatedItems = [.init(id: "x", edit: .init())] },
        edit { $0.updatedItems = [.init(id: "a", edit: .init()), .init(id: "a", edit: .init())] },
        edit { $0.updatedItems = [.init(id: "a", edit: .init(unset: ["id"]))] },
        edit { $0.updatedSections = [.init(id: "x", edit: .init())] },
        edit { $0.updatedSections = [.init(id: "s", edit: .init(unset: ["items"]))] },
        edit { $0.feed = .init(unset: ["sections"]) },
        edit { $0.removedSections = ["x"] },
        edit { $0.removedSections = ["s", "s"] },
        edit { $0.movedSections = [.init(index: 0, id: "x")] },
        edit { $0.movedSections = [.init(index: 2, id: "s")] },
        edit { $0.insertedSections = [.init(index: 0, id: "s", members: Members())] },
        edit { $0.insertedSections = [.init(index: 9, id: "x", members: Members())] },
        edit {
            $0.removedSections = ["t"]
            $0.updatedItems = [.init(id: "c", edit: .init())]
        },
    ])
    func changesThatDoNotFitAreRefused(_ changes: Changes) {
        #expect(throws: ChangesError.self) { try feed.applying(changes) }
        #expect(throws: ChangesError.self) { try feed.indexed().applying(changes) }
    }

    @Test(arguments: ["a", "c"] as [ExactString])
    func changesThatBringAnItemThatIsThereAreRefused(_ id: ExactString) throws {
        var changes = Changes()
        changes.insertedItems = [
            .init(section: "s", index: 0, item: try DiffSamples.item(id))
        ]
        for feed in [feed, feed.indexed()] {
            #expect(throws: ChangesError.self) { try feed.applying(changes) }
        }
        changes.insertedItems = [
            .init(section: "s", index: 0, item: try DiffSamples.item("x")),
            .init(section: "t", index: 0, item: try DiffSamples.item("x")),
        ]
        for feed in [feed, feed.indexed()] {
            #expect(throws: ChangesError.self) { try feed.applying(changes) }
        }
    }

    /// Changes made for another feed are refused or come to a feed of some kind.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func changesForAnotherFeedNeverTrap(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var refusedCount = 0
        for _ in 0..<40 {
            let feeds = try (0..<3).map { _ in FeedView()(try DiffSamples.feed(&generator)) }
            let changes = Changes(from: feeds[0], to: feeds[1])
            let inPlace = try? feeds[2].snapshot.indexed().applying(changes)
            do {
                let applied = try feeds[2].snapshot.applying(changes)
                #expect(inPlace?.tree == applied.tree)
                let ids = applied.sections.flatMap { $0.items.map(\.id) }
                #expect(Set(ids).count == ids.count)
                #expect(applied.count == ids.count)
            } catch let error as ChangesError {
                #expect(!error.reason.isEmpty)
                #expect(inPlace == nil)
                refusedCount += 1
            }
        }
        #expect(refusedCount > 0)
    }
}

/// Changes made by hand.
private func edit(_ make: (inout Changes) -> Void) -> Changes {
    var changes = Changes()
    make(&changes)
    return changes
}
