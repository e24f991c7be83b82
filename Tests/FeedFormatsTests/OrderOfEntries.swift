import FeedModel
import Testing

@testable import FeedFormats

/// Publishers put the new first, or last; either way the new is what counts.
@Suite struct OrderOfEntries {
    private static func rss(_ days: [Int]) -> String {
        let items = days.map {
            "<item><guid>\($0)</guid><pubDate>2020-01-\($0 < 10 ? "0" : "")\($0)</pubDate></item>"
        }
        return "<rss><channel>\(items.joined())</channel></rss>"
    }

    private static func json(_ days: [Int]) -> String {
        let items = days.map {
            "{\"id\":\"\($0)\",\"date_published\":\"2020-01-\($0 < 10 ? "0" : "")\($0)\"}"
        }
        return "{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":"
            + "[\(items.joined(separator: ","))]}"
    }

    private func read(_ document: String) throws -> SourceFeed {
        var reader = FeedReader()
        reader.entryLimit = 5
        return try reader.read(Array(document.utf8))
    }

    @Test(
        arguments: [
            (Array(1...12), [8, 9, 10, 11, 12], "only the last 5 of 12 entries were taken"),
            (
                Array((1...12).reversed()), [12, 11, 10, 9, 8],
                "only the first 5 of 12 entries were taken"
            ),
            ([3, 1, 4, 2, 5, 9, 6], [3, 1, 4, 2, 5], "only the first 5 of 7 entries were taken"),
            (Array(1...5), [1, 2, 3, 4, 5], nil),
            (Array(1...6), [2, 3, 4, 5, 6], "only the last 5 of 6 entries were taken"),
        ] as [([Int], [Int], String?)]
    )
    func theNewestAreTaken(_ days: [Int], _ taken: [Int], _ note: String?) throws {
        for document in [OrderOfEntries.rss(days), OrderOfEntries.json(days)] {
            let feed = try read(document)
            #expect(feed.entries.map(\.guid) == taken.map { "\($0)" })
            #expect(feed.notes == [note].compactMap(\.self))
        }
    }

    @Test func thoseWithoutDatesAreTakenFromTheFirst() throws {
        let items = (1...9).map { "<item><guid>\($0)</guid></item>" }.joined()
        let feed = try read("<rss><channel>\(items)</channel></rss>")
        #expect(feed.entries.map(\.guid) == (1...5).map { "\($0)" })
    }

    /// What is kept stands where the publisher had it.
    @Test func whatIsKeptStaysInItsPlace() throws {
        let now = FeedDate(seconds: 1_700_000_000)
        var options = SourceSnapshot.Options()
        options.keeping = .count(6)
        func next(_ days: [Int], after current: Snapshot?) throws -> Snapshot {
            let feed = try FeedReader().read(Array(OrderOfEntries.rss(days).utf8))
            return SourceSnapshot.make(feed, current: current, options: options, now: now)
        }
        var (rising, falling): (Snapshot?, Snapshot?) = (nil, nil)
        for start in stride(from: 1, through: 9, by: 2) {
            let days = Array(start...(start + 3))
            rising = try next(days, after: rising)
            falling = try next(days.reversed(), after: falling)
        }
        let ids = items(try #require(rising)).map(\.id.string)
        #expect(ids == (7...12).map { "\($0)" })
        #expect(items(try #require(falling)).map(\.id.string) == ids.reversed())
    }

    /// The one that was too much had taken the place of the oldest.
    @Test(arguments: 4...7) func anEntryThatIsTooMuchLeavesTheOthersInOrder(_ last: Int) throws {
        var gathered = GatheredEntries(ofDocument: 0, limit: 3)
        for day in 1...last {
            gathered.take {
                var entry = SourceEntry()
                entry.guid = "\(day)"
                entry.published = FeedDate(seconds: 86_400 * day)
                if day == last { entry.contentHTML = String(repeating: "a", count: 9 << 20) }
                return entry
            }
        }
        var feed = SourceFeed(.rss)
        gathered.move(to: &feed)
        #expect(feed.isCutOff)
        #expect(feed.entries.map(\.guid) == ((last - 2)..<last).map { "\($0)" })
        #expect(
            feed.notes == ["its addresses come to too much; only 2 of \(last) entries were taken"]
        )
    }
}
