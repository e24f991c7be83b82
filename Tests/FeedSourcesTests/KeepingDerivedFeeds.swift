import FeedModel
import FeedStore
import StoreModel
import TestSupport
import Testing

@testable import FeedSources

/// Derived feeds that are kept up, against ones that are made anew by looking at everything.
@Suite struct KeepingDerivedFeeds {
    typealias Recipe = NaiveDerivation.Recipe

    static var recipes: [Recipe] {
        let kind = MemberPath("kind")
        let published = MemberPath("published")
        guard let kind, let published else { return [] }
        let isStory = ItemCondition.equal(kind, [.text("story")])
        return [
            Recipe(testDescription: "all of two feeds", from: ["b", "a"]),
            Recipe(testDescription: "a pattern", from: ["a*", "*"], limit: 7),
            Recipe(
                testDescription: "the newest",
                from: ["*"],
                sort: "published",
                key: { $0.published },
                isDescending: true,
                limit: 10
            ),
            Recipe(
                testDescription: "stories by points",
                from: ["a", "b", "c*"],
                condition: isStory,
                holds: { $0.kind == "story" },
                sort: "points",
                key: { $0.points }
            ),
            Recipe(
                testDescription: "some of each source",
                from: ["c", "*"],
                sort: "points",
                key: { $0.points },
                isDescending: true,
                limit: 12,
                sections: .bySource
            ),
            Recipe(
                testDescription: "days",
                from: ["*"],
                condition: .not(isStory),
                holds: { $0.kind != "story" },
                sort: "published",
                key: { $0.published },
                isDescending: true,
                limit: 15,
                sections: .byDay(published)
            ),
            Recipe(testDescription: "kinds", from: ["*"], sections: .byMember(kind)),
        ]
    }

    @Test(arguments: recipes, 1...3)
    func areWhatLookingAtEverythingFinds(_ recipe: Recipe, seed: UInt64) throws {
        var subject = try Subject(recipe, seed: seed)
        for step in 0..<150 {
            try subject.change()
            let expected = NaiveDerivation.sections(subject.feeds, recipe)
            try #require(try subject.published() == expected, "step \(step)")
        }
        // Otherwise nothing was kept up.
        #expect(subject.store.current(subject.name)?.token.version ?? 0 > 20)
    }

    @Test func areMadeAnewOnlyWhereMuchChanged() throws {
        let recipe = Recipe(testDescription: "", from: ["*"])
        var subject = try Subject(recipe, seed: 1)
        let items = (0..<2000).map { NaiveDerivation.Item(id: "i\($0)") }
        subject.feeds["a"] = NaiveDerivation.Feed(sections: [("s", items)])
        try subject.publish("a")
        let before = subject.content.entries
        subject.feeds["a"]?.sections[0].items.insert(NaiveDerivation.Item(id: "new"), at: 1000)
        try subject.publish("a")
        let after = subject.content.entries
        #expect(after.count == 2001)
        // What did not change is the very same.
        #expect(before.allSatisfy { after[$0.key]?.item === $0.value.item })
        #expect(try subject.published() == NaiveDerivation.sections(subject.feeds, recipe))
    }

    @Test func takeInSectionsThatMoveAlone() throws {
        let recipe = Recipe(testDescription: "", from: ["*"])
        var subject = try Subject(recipe, seed: 1)
        let sections = (0..<100).map { number in
            ("s\(number)", (0..<20).map { NaiveDerivation.Item(id: "i\(number)-\($0)") })
        }
        subject.feeds["a"] = NaiveDerivation.Feed(sections: sections)
        try subject.publish("a")
        let before = subject.content.entries
        for (from, to) in [(3, 90), (99, 0), (50, 49), (7, 60), (8, 61)] {
            if let section = subject.feeds["a"]?.sections.remove(at: from) {
                subject.feeds["a"]?.sections.insert(section, at: to)
            }
        }
        subject.feeds["a"]?.sections[30].items.swapAt(0, 19)
        try subject.publish("a")
        #expect(try subject.published() == NaiveDerivation.sections(subject.feeds, recipe))
        let kept = subject.content.entries.count { before[$0.key]?.item === $0.value.item }
        // Those of the sections that moved, and one item, were made anew.
        #expect((1800..<2000).contains(kept))
    }

    @Test func keepOrderAfterVeryManyInsertionsInOnePlace() throws {
        let recipe = Recipe(testDescription: "", from: ["*"], limit: 5)
        var subject = try Subject(recipe, seed: 1)
        let ends = ["first", "last"].map { NaiveDerivation.Item(id: $0) }
        subject.feeds["a"] = NaiveDerivation.Feed(sections: [("s", ends)])
        try subject.publish("a")
        for number in 0..<200 {
            subject.feeds["a"]?.sections[0].items.insert(.init(id: "i\(number)"), at: 1)
            try subject.publish("a")
        }
        #expect(try subject.published() == NaiveDerivation.sections(subject.feeds, recipe))
        #expect(subject.content.entries.count == 202)
    }

    @Test func giveLongIdsAsDigests() throws {
        let feed = try #require(FeedName("news"))
        let long = ExactString(String(repeating: "x", count: 252))
        #expect(DerivedFeed.id("a/b", of: feed) == "news/a/b")
        let edge = ExactString(String(repeating: "x", count: 251))
        #expect(DerivedFeed.id(edge, of: feed).string == "news/" + edge.string)
        // The SHA-256 of 252 times "x".
        let digest = "d4e4680fda132078b04db757a09faeee1e9824a84057a627f366d0bd317f01b0"
        #expect(DerivedFeed.id(long, of: feed).string == "news/" + digest)
    }
}

/// Feeds that change at random, and the feed that is derived of them.
private struct Subject {
    let store = FeedStore()
    let name: FeedName
    var content: DerivedFeed
    var feeds: [String: NaiveDerivation.Feed] = [:]
    private var random: SeededGenerator
    private var lastID = 0

    init(_ recipe: NaiveDerivation.Recipe, seed: UInt64) throws {
        name = try #require(FeedName("derived"))
        let from = try recipe.from.map { try #require(FeedPattern($0)) }
        var derivation = Derivation(feed: name, from: from)
        derivation.condition = recipe.condition
        derivation.sort = recipe.sort.flatMap { MemberPath($0) }
        derivation.isDescending = recipe.isDescending
        derivation.limit = recipe.limit
        derivation.sections = recipe.sections
        content = DerivedFeed(derivation, derived: [name])
        content.rebuild([:])
        random = SeededGenerator(seed: seed)
    }

    private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    private mutating func item(_ id: String) -> NaiveDerivation.Item {
        NaiveDerivation.Item(
            id: id,
            kind: [nil, "story", "note", "link"][number(4)],
            published: number(5) == 0 ? nil : number(200),
            points: number(4) == 0 ? nil : number(6)
        )
    }

    private mutating func newItem() -> NaiveDerivation.Item {
        lastID += 1
        return item("i\(lastID)")
    }

    /// Changes a feed, publishes it, and takes that in.
    mutating func change() throws {
        let name = ["a", "ab", "b", "c", "c1"][number(5)]
        guard feeds[name] != nil else {
            let sections = (0..<1 + number(3)).map { "s\($0)" }
            feeds[name] = NaiveDerivation.Feed(
                title: "T\(number(3))",
                sections: sections.map { id in
                    (id, (0..<number(12)).map { _ in newItem() })
                }
            )
            return try publish(name)
        }
        for _ in 0..<1 + number(3) { changeOnce(name) }
        if number(40) == 0 { feeds[name] = nil }
        try publish(name)
    }

    private mutating func changeOnce(_ name: String) {
        guard var feed = feeds[name] else { return }
        defer { feeds[name] = feed }
        let section = number(feed.sections.count)
        let count = feed.sections[section].items.count
        switch number(count > 0 ? 12 : 3) {
        case 0, 1: feed.sections[section].items.insert(newItem(), at: number(count + 1))
        case 2:
            feed.sections.swapAt(section, number(feed.sections.count))
        case 3, 4: feed.sections[section].items.remove(at: number(count))
        case 5, 6:
            let place = number(count)
            let id = feed.sections[section].items[place].id
            feed.sections[section].items[place] = item(id)
        case 7, 8:
            let moved = feed.sections[section].items.remove(at: number(count))
            let target = number(feed.sections.count)
            let place = number(feed.sections[target].items.count + 1)
            feed.sections[target].items.insert(moved, at: place)
        case 9:
            feed.sections.remove(at: section)
            if feed.sections.isEmpty { feed.sections = [("s9", [newItem()])] }
        case 10: feed.title = number(2) == 0 ? nil : "T\(number(5))"
        default:
            if number(4) == 0 {
                // All of it goes, and comes again later.
                feed.sections = [("s0", [])]
            } else {
                feed.sections.insert(("n\(lastID)", [newItem()]), at: section)
            }
        }
    }

    mutating func publish(_ name: String) throws {
        let feedName = try #require(FeedName(name))
        if feeds[name] == nil {
            _ = store.remove(feedName) { _ in }
        } else if let feed = feeds[name] {
            let sections = feed.sections.map { id, items in
                "{\"id\":\"\(id)\",\"items\":[\(items.map(\.json).joined(separator: ","))]}"
            }
            let title = feed.title.map { "\"title\":\"\($0)\"," } ?? ""
            let json = "{\(title)\"sections\":[\(sections.joined(separator: ","))]}"
            let snapshot = try Snapshot(parsing: Array(json.utf8))
            _ = store.publishInMemory(feedName) { _ in snapshot }
        }
        content.update(feedName, to: store.current(feedName)?.snapshot)
        let next = content.snapshot
        content.adopt(store.publishInMemory(self.name) { _ in next }.current.snapshot)
    }

    /// The derived feed as it is in the store.
    func published() throws -> [NaiveDerivation.Section] {
        let snapshot = try #require(store.current(name)?.snapshot)
        return try snapshot.sections.map { section in
            NaiveDerivation.Section(
                id: section.id.string,
                title: section.members["title"]?.stringValue,
                items: try section.items.map { item in
                    let values = item.values(of: ["kind", "published", "points"])
                    let date = values["published"]?.stringValue
                    return NaiveDerivation.Item(
                        id: item.id.string,
                        kind: values["kind"]?.stringValue,
                        published: try date.map { text in
                            let day = try #require(Int(text.dropFirst(8).prefix(2)))
                            let hour = try #require(Int(text.dropFirst(11).prefix(2)))
                            return (day - 1) * 24 + hour
                        },
                        points: values["points"]?.wholeNumber
                    )
                }
            )
        }
    }
}
