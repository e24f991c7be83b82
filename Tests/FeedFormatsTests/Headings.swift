import FeedModel
import Testing

@testable import FeedFormats

/// Items without titles are headed by the beginning of their text.
@Suite struct Headings {
    private static let long = String(repeating: "word ", count: 40)

    private static let items: [(String, String?)] = [
        ("{\"id\":\"a\",\"title\":\"T\",\"content\":\"C\"}", "T"),
        ("{\"id\":\"a\",\"headline\":\"H\"}", "H"),
        ("{\"id\":\"a\",\"title\":\" \",\"content\":\"A\\n B\"}", "A B"),
        ("{\"id\":\"a\",\"summary\":\"S\",\"content\":\"C\"}", "S"),
        ("{\"id\":\"a\",\"content_html\":\"<p>A <b>b</b> &amp; c</p><p>d</p>\"}", "A b & c d"),
        (
            "{\"id\":\"a\",\"content\":\"\(long)\"}",
            String(repeating: "word ", count: 15) + "word…"
        ),
        (
            "{\"id\":\"a\",\"content\":\"\(String(repeating: "文", count: 200))\"}",
            String(repeating: "文", count: 80) + "…"
        ),
        ("{\"id\":\"a\",\"content_html\":\"<img src=x>\"}", nil), ("{\"id\":\"a\"}", nil),
        ("{\"id\":\"a\",\"url\":\"https://a.example/\"}", nil),
    ]

    @Test(arguments: items)
    func areTitlesOrTheBeginningOfTexts(_ json: String, _ heading: String?) throws {
        #expect(try FeedItem(parsing: Array(json.utf8)).heading == heading)
    }

    /// No reader has to show an address for want of something else.
    @Test func standInAllFormats() throws {
        let json =
            "{\"id\":\"a\",\"url\":\"https://a.example/\",\"content_html\":\"<p>A <b>note</b></p>\"}"
        let item = try FeedItem(parsing: Array(json.utf8))
        let section = FeedSection(id: "main", items: [item])
        let snapshot = Snapshot(members: Members([]), sections: [section])
        let feed = SyndicatedFeed(snapshot, SyndicatedFeed.Options(name: "f"), changed: 1)
        func text(_ format: SyndicationFormat) -> String {
            String(decoding: feed.document(format), as: UTF8.self)
        }
        #expect(text(.atom).contains("<title type=\"text\">A note</title>"))
        #expect(text(.rss).contains("<description>&lt;p&gt;A &lt;b&gt;note"))
        for format in SyndicationFormat.allCases {
            let entry = try FeedReader().read(feed.document(format)).entries.first
            #expect(entry?.title == nil)
            #expect(entry?.summary == nil)
            #expect(entry?.contentHTML == "<p>A <b>note</b></p>")
        }
    }
}
