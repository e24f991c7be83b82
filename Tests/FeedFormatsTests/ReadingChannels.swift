import Testing

@testable import FeedFormats

/// The Channel Definition Format, and podcasts that have titles of their own.
@Suite struct ReadingChannels {
    /// What a channel says itself comes first, in whatever order it stands.
    @Test(arguments: [true, false])
    func aChannelsOwnElementsComeBeforeThoseOfModules(_ isReversed: Bool) throws {
        let elements = [
            "<itunes:subtitle>Short</itunes:subtitle>", "<dc:description>Other</dc:description>",
            "<itunes:summary>A longer summary</itunes:summary>", "<dc:title>Other</dc:title>",
            "<itunes:title>Third</itunes:title>", "<dc:language>de</dc:language>",
        ]
        func channel(_ own: String) throws -> SourceFeed {
            let all = isReversed ? [own] + elements.reversed() : elements + [own]
            return try feed("<rss><channel>\(all.joined())</channel></rss>")
        }
        let own = "<title>T</title><description>D</description><language>fr</language>"
        let first = try channel(own)
        #expect([first.title, first.description, first.language] == ["T", "D", "fr"])
        let second = try channel("")
        #expect([second.title, second.description, second.language] == ["Other", "Other", "de"])
        let podcast = try feed(
            "<rss><channel>\(elements[0])\(elements[2])</channel></rss>"
        )
        #expect(podcast.description == "A longer summary")
    }

    private static let podcasts = "xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'"

    /// Entries are read as they come, and once more if the feed says behind them what they depend
    /// on.
    @Test(arguments: [true, false])
    func whatStandsBehindTheEntriesCountsForThem(_ isBehind: Bool) throws {
        let channel = "<link>https://site.example/blog/</link><language>de</language>"
        let item = """
            <item xml:lang="de"><guid isPermaLink="false">1</guid>\
            <description>&lt;a href="x"&gt;y&lt;/a&gt;</description></item>
            """
        let parts = isBehind ? [item, item, channel] : [channel, item, item]
        let feed = try feed("<rss><channel>\(parts.joined())</channel></rss>")
        #expect(feed.entries.count == 2)
        for entry in feed.entries {
            #expect(entry.language == nil)
            #expect(entry.contentHTML?.contains("https://site.example/blog/x") == true)
        }
    }

    @Test(arguments: [
        ("<CHANNEL HREF='http://e.example/a/'>", "http://e.example/a/", "https://example.com/x"),
        (
            "<channel href='/?a=1&amp;b=2' base='http://e.example/'>",
            "http://e.example/?a=1&b=2", "http://e.example/x"
        ),
        (
            "<Channel Base='http://e.example/' Href='b/'>", "http://e.example/b/",
            "http://e.example/x"
        ),
    ])
    func addressesAreAttributes(_ start: String, _ page: String, _ url: String) throws {
        let feed = try feed(
            start
                + "<TITLE>C</TITLE><ABSTRACT>All</ABSTRACT>"
                + "<ITEM HREF='/x' LASTMOD='2002-11-06T10:00'><TITLE>One</TITLE>"
                + "<ABSTRACT>Text</ABSTRACT></ITEM></\(start.dropFirst().prefix(7))>"
        )
        #expect(feed.title == "C")
        #expect(feed.description == "All")
        #expect(feed.url == page)
        let entry = try #require(feed.entries.first)
        #expect(entry.title == "One")
        #expect(entry.url == url)
        #expect(entry.content == "Text")
        #expect(entry.updated?.text == "2002-11-06T10:00:00Z")
        #expect(feed.notes.isEmpty)
    }

    @Test(arguments: [
        ("<itunes:title>Short</itunes:title>", "Short"),
        ("<itunes:title>Short</itunes:title><title>1: Long</title>", "1: Long"),
        ("<title>1: Long</title><itunes:title>Short</itunes:title>", "1: Long"),
        ("<title/><itunes:title>A &amp;amp; B</itunes:title>", "A & B"),
    ])
    func aPodcastTitleCountsWhereThereIsNoOther(_ text: String, _ title: String) throws {
        #expect(try rssEntry(text, namespaces: ReadingChannels.podcasts).title == title)
        let document =
            "<rss version='2.0' \(ReadingChannels.podcasts)><channel>\(text)</channel></rss>"
        #expect(try feed(document).title == title)
    }

    @Test(arguments: ["<link>https://example.com/l</link>", "<guid>https://example.com/l</guid>"])
    func anAddressThatIsAnElementComesFirst(_ text: String) throws {
        let document =
            "<rss version='2.0'><channel><item href='/attribute'>\(text)</item></channel></rss>"
        let entry = try feed(document).entries.first
        let isLink = text.hasPrefix("<link>")
        #expect(entry?.url == "https://example.com/\(isLink ? "l" : "attribute")")
    }
}
