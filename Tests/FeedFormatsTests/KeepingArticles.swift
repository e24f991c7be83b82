import FeedModel
import Testing

@testable import FeedFormats

/// An article keeps its id from one fetch to the next, and stays for as long as it is to.
@Suite struct KeepingArticles {
    private static let now = FeedDate(seconds: 1_700_000_000)

    private static func entry(
        _ guid: String?,
        _ url: String?,
        _ title: String = "T",
        day: Int? = 1
    ) -> SourceEntry {
        var entry = SourceEntry()
        entry.guid = guid
        entry.url = url
        entry.title = title
        entry.published = day.map { FeedDate(seconds: 1_600_000_000 + $0 * 86_400) }
        return entry
    }

    /// An entry without an address.
    private static func bare(
        _ guid: String?,
        _ title: String?,
        _ content: String? = nil,
        day: Int? = nil
    ) -> SourceEntry {
        var entry = entry(guid, nil, day: day)
        (entry.title, entry.content) = (title, content)
        return entry
    }

    private static func next(
        _ entries: [SourceEntry],
        after current: Snapshot? = nil,
        keeping: SourceKeeping = .nothing,
        now: FeedDate = now
    ) -> Snapshot {
        var feed = SourceFeed(.rss)
        feed.entries = entries
        var options = SourceSnapshot.Options()
        options.keeping = keeping
        return SourceSnapshot.make(feed, current: current, options: options, now: now)
    }

    /// What is left out counts as shown: it says which of the others have left the window.
    @Test func whatIsNotWantedIsLeftOut() throws {
        var feed = SourceFeed(.rss)
        var options = SourceSnapshot.Options()
        options.keeping = .count(3)
        func next(_ days: [Int], after current: Snapshot?) -> Snapshot {
            feed.entries = days.map {
                KeepingArticles.entry("\($0)", nil, $0 % 2 == 0 ? "even" : "odd", day: $0)
            }
            return SourceSnapshot.make(
                feed,
                current: current,
                options: options,
                now: KeepingArticles.now
            ) { $0.values(of: ["title"])["title"]?.bytes == Array("\"even\"".utf8) }
        }
        var snapshot = next([4, 3, 2, 1], after: nil)
        #expect(KeepingArticles.ids(snapshot) == ["4", "2"])
        snapshot = next([5, 4, 3], after: snapshot)
        #expect(KeepingArticles.ids(snapshot) == ["4", "2"])
        // Not older than all that is shown, so it was removed.
        snapshot = next([5, 3, 1], after: snapshot)
        #expect(KeepingArticles.ids(snapshot) == [])
        snapshot = next([9, 8, 7, 6, 4, 2], after: snapshot)
        snapshot = next([10, 9], after: snapshot)
        #expect(KeepingArticles.ids(snapshot) == ["10", "8", "6"])
    }

    private static func ids(_ snapshot: Snapshot) -> [String] { items(snapshot).map(\.id.string) }

    private typealias Case = (String, [SourceEntry], [SourceEntry])

    private static let changes: [Case] = [
        ("scheme", [entry("http://a/1", "http://a/1")], [entry("https://a/1", "https://a/1")]),
        ("host", [entry("http://a/1", "http://a/1")], [entry("http://www.a/1", "http://www.a/1")]),
        ("guid", [entry("1", "http://a/1")], [entry("one", "http://a/1")]),
        ("no guid any more", [entry("1", "http://a/1")], [entry(nil, "http://a/1")]),
        (
            "tracking", [entry(nil, "http://a/1?utm_source=x")],
            [entry(nil, "http://a/1?utm_source=y")]
        ),
        ("token per request", [entry(nil, "http://a/?t=1")], [entry(nil, "http://a/?t=2")]),
        ("site moved", [entry("http://a/1", "http://a/1")], [entry("http://b/x", "http://b/x")]),
        ("title", [entry("1", "http://a/1", "T")], [entry("1", "http://a/1", "T, corrected")]),
        (
            "two of one guid", [entry("1", "http://a/1"), entry("1", "http://a/2", "U")],
            [entry("1", "http://a/1"), entry("1", "http://a/2", "U")]
        ),
        (
            "two of one guid, turned around",
            [entry("1", "http://a/1"), entry("1", "http://a/2", "U")],
            [entry("1", "http://a/2", "U"), entry("1", "http://a/1")]
        ),
        (
            "an article a day at one address",
            [entry("1", "http://a/"), entry("2", "http://a/", day: 2)],
            [entry("1", "http://a/"), entry("2", "http://a/", day: 2)]
        ),
        (
            "two of one guid, and nothing else to tell", [bare("1", "T"), bare("1", "U")],
            [bare("1", "T"), bare("1", "U")]
        ),
        (
            "two of one guid, turned around, with titles alone", [bare("1", "T"), bare("1", "U")],
            [bare("1", "U"), bare("1", "T")]
        ),
        (
            "two of one guid without titles", [bare("1", nil, "x"), bare("1", nil, "y")],
            [bare("1", nil, "x"), bare("1", nil, "y")]
        ),
        (
            "byte order marks", [entry("\u{FEFF}1", "\u{FEFF}x"), bare("\u{FEFF}1", "U")],
            [entry("\u{FEFF}1", "\u{FEFF}x"), bare("\u{FEFF}1", "U")]
        ),
        ("a title alone", [bare(nil, "T")], [bare(nil, "T")]),
        ("a content alone", [bare(nil, nil, "x")], [bare(nil, nil, "x")]),
        (
            "nothing but a time, several times", (0..<9).map { bare(nil, nil, "x\($0)", day: 3) },
            (0..<9).map { bare(nil, nil, "x\($0)", day: 3) }
        ),
        ("a time to come", [bare(nil, "T", day: 9999)], [bare(nil, "T", day: 9999)]),
        (
            "two of one guid, to come", [bare("1", "T", day: 9999), bare("1", "U", day: 9999)],
            [bare("1", "T", day: 9999), bare("1", "U", day: 9999)]
        ),
        (
            "two at one address",
            [entry(nil, "http://a/", "T", day: nil), entry(nil, "http://a/", "U", day: nil)],
            [entry(nil, "http://a/", "T", day: nil), entry(nil, "http://a/", "U", day: nil)]
        ),
        (
            "a long guid", [entry(String(repeating: "x", count: 300), nil)],
            [entry(String(repeating: "x", count: 300), nil)]
        ),
    ]

    @Test(arguments: changes)
    func noArticleIsRemovedAndInserted(
        _ what: String,
        _ first: [SourceEntry],
        _ second: [SourceEntry]
    ) {
        let before = KeepingArticles.next(first)
        let after = KeepingArticles.next(second, after: before)
        #expect(before.count == first.count)
        #expect(Set(KeepingArticles.ids(before)) == Set(KeepingArticles.ids(after)), "\(what)")
    }

    @Test func aNewArticleWithAnOldGuidIsAnother() {
        let before = KeepingArticles.next([
            KeepingArticles.entry("1", "http://a/1"), KeepingArticles.entry("1", "http://a/2", "U"),
        ])
        let after = KeepingArticles.next(
            [
                KeepingArticles.entry("1", "http://a/3", "V", day: 3),
                KeepingArticles.entry("1", "http://a/1"),
                KeepingArticles.entry("1", "http://a/2", "U"),
            ],
            after: before
        )
        #expect(Array(KeepingArticles.ids(after).dropFirst()) == KeepingArticles.ids(before))
    }

    @Test func theOtherOfOneGuidStaysItselfWhenTheFirstGoes() {
        let (first, second) = (KeepingArticles.bare("1", "T"), KeepingArticles.bare("1", "U"))
        let before = KeepingArticles.next([first, second])
        let after = KeepingArticles.next([second], after: before)
        #expect(KeepingArticles.ids(after) == Array(KeepingArticles.ids(before).dropFirst()))
        let again = KeepingArticles.next([first, second], after: after)
        #expect(KeepingArticles.ids(again).last == KeepingArticles.ids(before).last)
    }

    @Test func theSameEntryTwiceIsOneItem() {
        let entry = KeepingArticles.entry("1", "http://a/1")
        #expect(KeepingArticles.next([entry, entry]).count == 1)
    }

    @Test func idsAreWhatItemsMayHave() {
        let guids = ["", ".", "..", "a\u{7}b", String(repeating: "é", count: 200), "plain"]
        let entries = guids.enumerated().map { index, guid in
            KeepingArticles.entry(guid, "http://a/\(index)", "T\(index)")
        }
        let ids = KeepingArticles.ids(KeepingArticles.next(entries))
        #expect(ids.count == 6)
        #expect(ids.last == "plain")
    }

    @Test func nothingChangesWhereNothingDid() {
        let entries = (0..<20).map { (day: Int) in
            KeepingArticles.entry("\(day)", "http://a/\(day)", day: day)
        }
        let before = KeepingArticles.next(entries)
        #expect(items(before) == items(KeepingArticles.next(entries, after: before)))
    }

    @Test func aDateToComeIsTheFirstSight() {
        let later = FeedDate(seconds: 1_700_000_500)
        let entries = [KeepingArticles.entry("1", "http://a/1", day: 100_000)]
        let before = KeepingArticles.next(entries)
        let after = KeepingArticles.next(entries, after: before, now: later)
        #expect(items(before) == items(after))
        let published = items(before).first?.values(of: ["published"])["published"]
        #expect(
            published.map { String(decoding: $0.bytes, as: UTF8.self) }
                == "\"2023-11-14T22:13:20Z\""
        )
    }

    /// As of a source whose clock is two hours ahead.
    @Test func aDateToComeStaysThatOfTheFirstSightWhenItHasCome() {
        var entry = KeepingArticles.entry("1", "http://a/1", day: 1)
        entry.published = FeedDate(seconds: 1_700_007_200)
        entry.updated = entry.published
        let before = KeepingArticles.next([entry])
        var current = before
        for hours in [1, 3, 5] {
            let now = FeedDate(seconds: 1_700_000_000 + hours * 3600)
            current = KeepingArticles.next([entry], after: current, now: now)
            #expect(items(current) == items(before), "after \(hours) hours")
        }
        // An earlier one is taken at its word.
        entry.published = FeedDate(seconds: 1_699_990_000)
        let later = FeedDate(seconds: 1_700_020_000)
        current = KeepingArticles.next([entry], after: current, now: later)
        let published = items(current).first?.values(of: ["published"])["published"]
        #expect(
            published.map { String(decoding: $0.bytes, as: UTF8.self) }
                == "\"2023-11-14T19:26:40Z\""
        )
    }

    /// A window of ten slides by three; one in its middle is taken back.
    @Test(arguments: [
        (SourceKeeping.nothing, [12, 11, 10, 9, 8, 6, 5, 4, 3]),
        (.count(100), [12, 11, 10, 9, 8, 6, 5, 4, 3, 2, 1, 0]),
        (.count(11), [12, 11, 10, 9, 8, 6, 5, 4, 3, 2, 1]),
        (.age(100_000_000 - 2 * 86_400), [12, 11, 10, 9, 8, 6, 5, 4, 3, 2]),
    ])
    func whatHasLeftTheWindowIsKept(_ keeping: SourceKeeping, _ expected: [Int]) {
        func window(_ days: [Int]) -> [SourceEntry] {
            days.map { KeepingArticles.entry("\($0)", "http://a/\($0)", "T\($0)", day: $0) }
        }
        let before = KeepingArticles.next(window((0...9).reversed()), keeping: keeping)
        let shown = [12, 11, 10, 9, 8, 6, 5, 4, 3]
        let after = KeepingArticles.next(window(shown), after: before, keeping: keeping)
        #expect(KeepingArticles.ids(after) == expected.map(String.init))
    }

    @Test func withoutDatesPlaceDecides() {
        func window(_ numbers: [Int]) -> [SourceEntry] {
            numbers.map { KeepingArticles.entry("\($0)", nil, "T\($0)", day: nil) }
        }
        let before = KeepingArticles.next(window([4, 3, 2, 1]), keeping: .count(10))
        let after = KeepingArticles.next(window([5, 4, 2]), after: before, keeping: .count(10))
        #expect(KeepingArticles.ids(after) == ["5", "4", "2", "1"])
    }
}
