import FeedModel
import TestSupport
import Testing

@testable import FeedFormats

/// What was read is not lost to sites that err, and other articles do not take its place.
@Suite struct MatchingArticles {
    private static let now = FeedDate(seconds: 1_700_000_000)

    private static func entry(
        _ guid: String?,
        _ url: String?,
        _ title: String?,
        day: Int? = nil,
        content: String? = nil
    ) -> SourceEntry {
        var entry = SourceEntry()
        (entry.guid, entry.url, entry.title, entry.content) = (guid, url, title, content)
        entry.published = day.map { FeedDate(seconds: 1_600_000_000 + $0 * 86_400) }
        return entry
    }

    private static func next(
        _ entries: [SourceEntry],
        after current: Snapshot? = nil,
        now: FeedDate = now,
        isCutOff: Bool = false,
        _ change: (inout SourceSnapshot.Options) -> Void = { _ in }
    ) -> Snapshot {
        var feed = SourceFeed(.rss)
        feed.entries = entries
        feed.isCutOff = isCutOff
        var options = SourceSnapshot.Options()
        change(&options)
        return SourceSnapshot.make(feed, current: current, options: options, now: now)
    }

    private static func ids(_ snapshot: Snapshot) -> [String] { items(snapshot).map(\.id.string) }

    private static func text(_ item: FeedItem?, _ name: ExactString) -> String? {
        guard let value = item?.values(of: [name])[name], case .string(let text) = JSONValue(value)
        else { return nil }
        return text.string
    }

    @Test(arguments: [
        (
            "one address for all", entry("g1", "http://a/page", "One", day: 1),
            entry("g2", "http://a/page", "Two", day: 2), false
        ),
        (
            "parts of a page", entry("g1", "http://a/page#1", "One"),
            entry("g2", "http://a/page#2", "One"), false
        ),
        (
            "a site moves", entry("http://old.example/1", "http://old.example/1", "One"),
            entry("http://new.example/1", "http://new.example/1", "One"), true
        ),
        (
            "another site's article",
            entry("http://old.example/1", "http://old.example/1", "One"),
            entry("http://new.example/1", "http://new.example/1", "Two"), false
        ),
        (
            "an edited text", entry(nil, nil, "One", content: "x"),
            entry(nil, nil, "One", content: "y"), true
        ),
        (
            "another guid and another title, and nothing else",
            entry("g1", "http://a/x", "One"), entry("g2", "http://a/x", "Two"), false
        ),
        (
            "another guid and a date that stays", entry("g1", "http://a/x", "One", day: 1),
            entry("g2", "http://a/x", "One!", day: 1), true
        ),
    ])
    func anArticleIsTheSameOrAnother(
        _ what: String,
        _ first: SourceEntry,
        _ second: SourceEntry,
        _ isSame: Bool
    ) {
        let before = MatchingArticles.next([first])
        let after = MatchingArticles.next([second], after: before)
        #expect((MatchingArticles.ids(before) == MatchingArticles.ids(after)) == isSame, "\(what)")
    }

    /// Documents that come after one another, of which each has the article with the id `g1` first.
    @Test(arguments: [
        (
            "it goes by its new guid", entry("g2", "http://a/", "One", day: 1),
            [entry("g2", "http://a/", "Another", day: 2)]
        ),
        (
            "it is repeated", entry("g2", "http://b/", "One", day: 1),
            [entry("g2", "http://b/", "One"), entry("g2", "http://b/", "One")]
        ),
        (
            "it is alone at an address of several", entry("g1", "http://a/", "One", day: 1),
            [entry("g2", "http://a/", "One", day: 1)]
        ),
    ])
    func anArticleWithAnotherGUIDStaysTheSame(
        _ what: String,
        _ second: SourceEntry,
        _ third: [SourceEntry]
    ) {
        let first = MatchingArticles.entry("g1", second.url, "One", day: 1)
        let other = MatchingArticles.entry("h", second.url, "Two", day: 0)
        var feed = MatchingArticles.next([first, other])
        feed = MatchingArticles.next([second, other], after: feed)
        #expect(MatchingArticles.ids(feed) == ["g1", "h"])
        feed = MatchingArticles.next(third, after: feed)
        #expect(MatchingArticles.ids(feed) == ["g1"], "\(what)")
    }

    @Test func aNewArticleAtTheSameAddressLeavesTheOldOneWhereItIsKept() {
        let before = MatchingArticles.next([MatchingArticles.entry("g1", "http://a/", "One")])
        let second = [MatchingArticles.entry("g2", "http://a/", "Two")]
        let after = MatchingArticles.next(second, after: before) { $0.keeping = .count(10) }
        #expect(MatchingArticles.ids(after) == ["g2", "g1"])
    }

    @Test func severalOfOneTitleAreSeveral() {
        let entries = ["x", "y", "z"].map { MatchingArticles.entry(nil, nil, "One", content: $0) }
        let before = MatchingArticles.next(entries)
        #expect(before.count == 3)
        let after = MatchingArticles.next(entries.reversed(), after: before)
        #expect(MatchingArticles.ids(after) == MatchingArticles.ids(before).reversed())
    }

    /// Entries that differ in nothing that ids are made of.
    @Test(arguments: [(100, 20), (2000, 20)])
    func likeEntriesCostAsManyStepsAsThereAre(_ count: Int, _ factor: Int) {
        let entries = (0..<count).map { MatchingArticles.entry("g", "http://a/", "T", day: $0) }
        var matching = EntryMatching([FeedItem]())
        let ids = matching.ids(of: entries).compactMap(\.self)
        #expect(Set(ids).count == count)
        #expect(matching.stepCount <= factor * count)
        let before = MatchingArticles.next(entries)
        var again = EntryMatching(items(before))
        #expect(again.ids(of: entries).compactMap(\.self) == ids)
        #expect(again.stepCount <= factor * count)
        var other = EntryMatching(items(before))
        let others = (0..<count).map { MatchingArticles.entry("g", "http://a/", "U", day: -$0 - 1) }
        _ = other.ids(of: others)
        #expect(other.stepCount <= (2 * EntryMatching.comparisonLimit + factor) * count)
    }

    /// All entries get the ids that matching alone would give them, also those that stayed.
    @Test(arguments: 0..<20)
    func entriesThatStayedChangeNothingForTheOthers(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func entry(_ guid: Int) -> SourceEntry {
            MatchingArticles.entry(
                "g\(guid)",
                ["http://a/\(Int.random(in: 0..<12, using: &random))", "https://www.a/3/", nil]
                    .randomElement(using: &random) ?? nil,
                ["T", "U", "V\(guid)", nil].randomElement(using: &random) ?? nil,
                day: [1, 2, guid, nil].randomElement(using: &random) ?? nil,
                content: Bool.random(using: &random) ? "x" : "y"
            )
        }
        var entries = (0..<12).map(entry)
        var current = MatchingArticles.next(entries)
        for round in 1..<12 {
            for index in entries.indices where Int.random(in: 0..<3, using: &random) == 0 {
                let moved = entries[index]
                entries[index] = entry(12 * round + index)
                if Bool.random(using: &random) { entries[index].url = moved.url }
                if Bool.random(using: &random) { entries[index].title = moved.title }
            }
            entries.shuffle(using: &random)
            var matching = EntryMatching(items(current))
            let expected = matching.ids(of: entries).compactMap(\.self)
            current = MatchingArticles.next(entries, after: current)
            #expect(MatchingArticles.ids(current) == expected)
        }
    }

    @Test func entriesThatStayedAreThereOnce() {
        let one = MatchingArticles.entry("g", "http://a/1", "One", day: 1)
        var other = one
        other.content = "edited"
        let before = MatchingArticles.next([one])
        #expect(MatchingArticles.ids(before) == ["g"])
        let after = MatchingArticles.next([one, one], after: before)
        #expect(MatchingArticles.ids(after) == ["g"])
        // The one that is as it was keeps the id, wherever it stands.
        let both = items(MatchingArticles.next([other, one], after: before))
        #expect(both.count == 2 && both[1].id == "g" && both[1] == items(before)[0])
    }

    /// Two entries that differ, and make the same item of the id of one of them: as one without a
    /// guid does, or one of a time that was to come.
    @Test(arguments: [
        [entry("http://a/1", "http://a/1", "One"), entry(nil, "http://a/1", "One")],
        [entry(nil, "http://a/1", nil, day: 1158), entry(nil, "http://a/1", nil, day: 1159)],
    ])
    func entriesThatMakeLikeItemsAreSeveral(_ entries: [SourceEntry]) {
        let before = MatchingArticles.next(entries)
        let later = FeedDate(seconds: 1_700_200_000)
        #expect(items(MatchingArticles.next(entries, after: before, now: later)).count == 2)
    }

    @Test(arguments: [
        (SourceKeeping.nothing, true, ["1", "5", "4", "3", "2"]),
        (.nothing, false, ["1"]), (.count(4), true, ["1", "5", "4", "3"]),
    ])
    func whatACutOffDocumentDoesNotShowStays(
        _ keeping: SourceKeeping,
        _ isCutOff: Bool,
        _ expected: [String]
    ) {
        func entries(_ numbers: [Int]) -> [SourceEntry] {
            numbers.map { MatchingArticles.entry("\($0)", nil, "T\($0)", day: $0) }
        }
        let before = MatchingArticles.next(entries([5, 4, 3, 2, 1]))
        let after = MatchingArticles.next(entries([1]), after: before, isCutOff: isCutOff) {
            $0.keeping = keeping
        }
        #expect(MatchingArticles.ids(after) == expected)
    }

    @Test func documentsThatAreAlwaysCutOffDoNotMakeAFeedGrow() {
        var current: Snapshot?
        for start in 0..<20 {
            let entries = (start..<start + 5).reversed().map {
                MatchingArticles.entry("\($0)", nil, "T\($0)", day: $0)
            }
            current = MatchingArticles.next(entries, after: current, isCutOff: true)
        }
        #expect(current.map(MatchingArticles.ids) == ["23", "22", "21", "20", "19"])
    }

    @Test(arguments: [
        (SourceKeeping.nothing, true, 0), (.nothing, false, 2), (.count(10), true, 2),
        (.count(1), true, 1), (.age(86_400), true, 0), (.age(1_000_000_000), true, 2),
    ])
    func anEmptyDocumentTakesNothingThatIsToStay(
        _ keeping: SourceKeeping,
        _ believesEmpty: Bool,
        _ count: Int
    ) {
        let before = MatchingArticles.next([
            MatchingArticles.entry("2", nil, "U", day: 2),
            MatchingArticles.entry("1", nil, "T", day: 1),
        ])
        let after = MatchingArticles.next([], after: before) {
            ($0.keeping, $0.believesEmpty) = (keeping, believesEmpty)
        }
        #expect(after.count == count)
    }

    @Test func aDateToComeStaysThatOfTheFirstSightThoughTheTextIsEdited() {
        var entry = MatchingArticles.entry("1", nil, "T", day: 9999)
        entry.updated = entry.published
        let before = MatchingArticles.next([entry])
        entry.title = "T, corrected"
        let later = FeedDate(seconds: 1_700_009_000)
        let after = items(MatchingArticles.next([entry], after: before, now: later)).first
        #expect(MatchingArticles.text(after, "title") == "T, corrected")
        #expect(MatchingArticles.text(after, "published") == "2023-11-14T22:13:20Z")
        #expect(MatchingArticles.text(after, "updated") == "2023-11-14T22:13:20Z")
    }

    @Test func articlesWithoutADateGoByTheirFirstSight() {
        let entries = ["2", "1"].map { MatchingArticles.entry($0, nil, "T" + $0) }
        var current = MatchingArticles.next(entries) { $0.keeping = .age(86_400) }
        for (hour, count) in [(1, 2), (23, 2), (25, 1)] {
            current = MatchingArticles.next(
                [entries[0]],
                after: current,
                now: FeedDate(seconds: 1_700_000_000 + hour * 3600)
            ) { $0.keeping = .age(86_400) }
            #expect(current.count == count)
        }
    }

    @Test(arguments: [
        "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "/relative", "x", "http:",
        "//host/x", "JAVASCRIPT:x",
    ])
    func addressesAreOfTheWeb(_ address: String) throws {
        var entry = MatchingArticles.entry("1", address, "T")
        (entry.externalURL, entry.image) = (address, address)
        entry.authors = [SourceAuthor(name: "A", url: address)]
        entry.attachments = [SourceAttachment(url: address)]
        let item = try #require(items(MatchingArticles.next([entry])).first)
        let names = item.members.list.map(\.name.string)
        #expect(Set(names) == ["id", "title", "author"] || Set(names) == ["title", "author"])
        #expect(MatchingArticles.text(item, "author") == "A")
    }
}
