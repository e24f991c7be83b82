import FeedModel
import Testing

@testable import FeedFormats

/// What goes out can be read by what comes in: the round trip of every format.
@Suite struct WritingFormats {
    private static let document = """
        {"title":"News & <more>","url":"https://example.com/","description":"About","language":"en",
         "icon":"https://example.com/i.png","author":"Ann","items":[
         {"id":"https://example.com/1","url":"https://example.com/1?a=1&b=2","title":"A <b> & \\"c\\"",
          "summary":"Short & sweet","content_html":"<p>x &amp; <em>y</em></p>",
          "author":{"name":"Bo","url":"https://example.com/bo"},"published":"2024-01-02T03:04:05Z",
          "updated":"2024-02-03T04:05:06Z","image":"https://example.com/p.png","tags":["t & u","v"],
          "attachments":[{"url":"https://example.com/a.mp3","mime_type":"audio/mpeg","size_in_bytes":7}]},
         {"id":"plain é/?","headline":"Second","content":"One\\n\\nTwo & <3","published":"2024-01-01T00:00:00Z"},
         {"id":"bare"},{"id":"odd","title":"a\\u0000b\\uFFFFc\\u001f"}]}
        """

    private static func written(
        _ format: SyndicationFormat,
        of document: String = WritingFormats.document,
        _ change: (inout SyndicatedFeed.Options) -> Void = { _ in }
    ) throws -> [UInt8] {
        let snapshot = try Snapshot(parsing: Array(document.utf8))
        var options = SyndicatedFeed.Options(name: "news")
        change(&options)
        return SyndicatedFeed(snapshot, options, changed: 1_700_000_000).document(format)
    }

    @Test(arguments: SyndicationFormat.allCases)
    func comeBack(_ format: SyndicationFormat) throws {
        let feed = try FeedReader().read(WritingFormats.written(format) { $0.keepsIDs = true })
        #expect(feed.title == "News & <more>")
        #expect(feed.url == "https://example.com/")
        #expect(feed.description == "About")
        #expect(feed.icon == "https://example.com/i.png")
        #expect(feed.notes.isEmpty)
        #expect(feed.entries.count == 4)
        let entry = try #require(feed.entries.first)
        #expect(entry.guid == "https://example.com/1")
        #expect(entry.url == "https://example.com/1?a=1&b=2")
        #expect(entry.title == "A <b> & \"c\"")
        #expect(entry.summary == "Short & sweet")
        #expect(entry.contentHTML == "<p>x &amp; <em>y</em></p>")
        #expect(entry.authors.map(\.name) == ["Bo"])
        #expect(entry.published?.text == "2024-01-02T03:04:05Z")
        #expect(entry.tags == ["t & u", "v"])
        #expect(entry.image == "https://example.com/p.png")
        #expect(entry.attachments.map(\.url) == ["https://example.com/a.mp3"])
        #expect(entry.attachments.map(\.byteCount) == [7])
        let second = feed.entries[1]
        #expect(second.title == "Second")
        let text = second.content ?? HTMLText.plain(second.contentHTML ?? "")
        #expect(text.split(whereSeparator: \.isNewline).joined(separator: "|") == "One|Two & <3")
        // An id of Atom is a URI.
        let uri = "tag:freshet,2026:news/plain%20%C3%A9%2F%3F"
        #expect(second.guid == (format == .atom ? uri : "plain é/?"))
        if format != .rss { #expect(entry.updated?.text == "2024-02-03T04:05:06Z") }
    }

    /// A JSON Feed that is published as it is has names of its own (docs/ITEMS.md).
    @Test(arguments: SyndicationFormat.allCases)
    func aPublishedJSONFeedGoesOutWhole(_ format: SyndicationFormat) throws {
        let document = """
            {"version":"https://jsonfeed.org/version/1.1","title":"F","home_page_url":"https://example.com/",
             "favicon":"https://example.com/f.png","authors":[{"name":"Ann"}],"items":[
             {"id":"https://example.com/1","url":"https://example.com/1","content_text":"Words",
              "date_published":"2024-01-02T03:04:05Z","date_modified":"2024-02-03T04:05:06Z",
              "banner_image":"https://example.com/b.png","authors":[{"name":"Bo"},{"name":"Cy"}]}]}
            """
        let feed = try FeedReader().read(WritingFormats.written(format, of: document))
        #expect(feed.url == "https://example.com/")
        #expect(feed.icon == "https://example.com/f.png")
        let entry = try #require(feed.entries.first)
        #expect((entry.content ?? HTMLText.plain(entry.contentHTML ?? "")).contains("Words"))
        #expect(entry.published?.text == "2024-01-02T03:04:05Z")
        if format != .rss { #expect(entry.updated?.text == "2024-02-03T04:05:06Z") }
        #expect(entry.image == "https://example.com/b.png")
        #expect(entry.authors.map(\.name) == ["Bo", "Cy"])
    }

    @Test(arguments: SyndicationFormat.allCases)
    func allTextsComeBack(_ format: SyndicationFormat) throws {
        let document = """
            {"title":"F <b> & x &amp; if y<z","language":"de","items":[
             {"id":"1","title":"How to <script>","summary":"A <b> & x &amp; y","tags":["c<d","<b>","&amp;"],
              "language":"fr"},
             {"id":"2","summary":"Short","content":"Long"}]}
            """
        let feed = try FeedReader().read(WritingFormats.written(format, of: document))
        #expect(feed.title == "F <b> & x &amp; if y<z")
        #expect(feed.language == "de")
        let entry = try #require(feed.entries.first)
        #expect(entry.title == "How to <script>")
        #expect(entry.summary == "A <b> & x &amp; y")
        #expect(entry.content == nil)
        #expect(entry.contentHTML == nil)
        #expect(entry.tags == ["c<d", "<b>", "&amp;"])
        #expect(entry.language == "fr")
        #expect(feed.entries.last?.summary == "Short")
        #expect(feed.entries.last?.content == "Long" || format == .rss)
    }

    /// Texts that could be taken for HTML.
    @Test(
        arguments: SyndicationFormat.allCases,
        [
            "Prices < 5, sizes <b>L</b>", "About <br> and <p>", "<br>", "<b>All</b>", "if a<b or c",
            "R&amp;D &lt; R&D", "&nbsp;&#65;&x;", "Tom & Jerry", "<!-- no -->", "<![CDATA[x]]>",
            "One <i>x\nTwo</i>\n\nThree", "List<String>", "<script>a", "a > b",
            "<https://e.example/>",
        ]
    )
    func descriptionsComeBack(_ format: SyndicationFormat, _ text: String) throws {
        let value = JSONValue.string(ExactString(text)).text
        let document = "{\"title\":\(String(decoding: value.bytes, as: UTF8.self)),\"items\":[]}"
        let described = document.replacing("{\"title\":", with: "{\"title\":\"T\",\"description\":")
        let feed = try FeedReader().read(WritingFormats.written(format, of: described))
        #expect(feed.description == text)
        // Where there is none, RSS has the title.
        let untold = try FeedReader().read(WritingFormats.written(format, of: document))
        #expect(untold.title == text.singleLine)
        #expect(untold.description == (format == .rss ? text.singleLine : nil))
    }

    /// Names that could be taken for HTML, or for a name with an address.
    @Test(
        arguments: SyndicationFormat.allCases,
        [
            "Jane <jane@example.com>", "jane@example.com (Jane)", "Jane (jane@example.com)",
            "<b>Jane</b>",
            "Jane & Joe", "R&amp;D", "Jane <br> Doe", "<br>", "<jane>", "(Jane)", "Jane (Paris)",
            "&eacute;",
            "a > b", "Jane <Paris>", "<!-- Jane -->",
            String(repeating: "Jane ", count: 200) + "Doe",
        ]
    )
    func namesOfAuthorsComeBack(_ format: SyndicationFormat, _ name: String) throws {
        let value = String(decoding: JSONValue.string(ExactString(name)).text.bytes, as: UTF8.self)
        let document = """
            {"items":[{"id":"1","author":\(value)},
             {"id":"2","authors":[{"name":"Ann"},{"name":\(value)},{"name":"Bo"}]}]}
            """
        let feed = try FeedReader().read(WritingFormats.written(format, of: document))
        #expect(feed.entries.first?.authors.map(\.name) == [name])
        #expect(feed.entries.last?.authors.map(\.name) == ["Ann", name, "Bo"])
    }

    @Test(arguments: SyndicationFormat.allCases)
    func addressesAreThePublicOnes(_ format: SyndicationFormat) throws {
        let text = String(
            decoding: try WritingFormats.written(format) { $0.publicURL = "https://feeds.example" },
            as: UTF8.self
        )
        #expect(text.contains("https://feeds.example/feeds/news.\(format.rawValue)"))
        #expect(text.contains("https://feeds.example/feeds/news/items/bare"))
        let plain = String(decoding: try WritingFormats.written(format), as: UTF8.self)
        #expect(!plain.contains("feeds.example"))
        #expect(plain.contains("tag:freshet,2026:news/bare"))
    }

    @Test(arguments: [SyndicationFormat.atom, .rss])
    func whatXMLCannotHoldIsReplaced(_ format: SyndicationFormat) throws {
        let text = String(decoding: try WritingFormats.written(format), as: UTF8.self)
        #expect(text.contains("a\u{FFFD}b\u{FFFD}c\u{FFFD}"))
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    }
}
