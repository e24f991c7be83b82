import Testing

@testable import FeedFormats

/// RSS, Atom and RDF as they are found.
@Suite struct ReadingXML {
    @Test func rssHasItsMembers() throws {
        let feed = try feed(
            """
            <?xml version="1.0"?><rss version="2.0"><channel><title>News &amp; more</title>
            <link>https://example.com/</link><description>All of &lt;b&gt;it&lt;/b&gt;</description>
            <language>en</language><ttl>90</ttl><image><url>/icon.png</url><title>x</title></image>
            <item><title>One</title><link>/one</link><guid isPermaLink="false">n1</guid>
            <description>&lt;p&gt;Text&lt;/p&gt;</description><author>a@b.example (Ann)</author>
            <pubDate>Thu, 01 Jan 2004 19:48:21 GMT</pubDate><category>x</category><category>y</category>
            <enclosure url="/a.mp3" length="" type="audio/mpeg"/></item></channel></rss>
            """
        )
        #expect(feed.format == .rss)
        #expect(feed.title == "News & more")
        #expect(feed.url == "https://example.com/")
        #expect(feed.description == "All of it")
        #expect(feed.language == "en")
        #expect(feed.interval == 5400)
        #expect(feed.icon == "https://example.com/icon.png")
        let entry = try #require(feed.entries.first)
        #expect(entry.guid == "n1")
        #expect(entry.url == "https://example.com/one")
        #expect(entry.title == "One")
        #expect(entry.contentHTML == "<p>Text</p>")
        #expect(entry.authors == [SourceAuthor(name: "Ann")])
        #expect(entry.published?.text == "2004-01-01T19:48:21Z")
        #expect(entry.tags == ["x", "y"])
        #expect(
            entry.attachments == [
                SourceAttachment(url: "https://example.com/a.mp3", type: "audio/mpeg")
            ]
        )
        #expect(feed.notes.isEmpty)
    }

    @Test func atomHasItsMembers() throws {
        let feed = try feed(
            """
            <feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://example.org/a/">
            <title type="html">A &amp;lt;b&amp;gt; &lt;i&gt;c&lt;/i&gt;</title><link href="/"/>
            <link rel="self" href="feed.xml"/><link rel="hub" href="https://hub.example/"/>
            <author><name>Ann</name><uri>ann/</uri></author><logo>logo.png</logo>
            <entry xml:base="b/"><id>tag:x,1:1</id><title>A &lt;b&gt;</title><link href="c"/>
            <link rel="enclosure" href="d.mp3" type="audio/mpeg" length="5"/>
            <published>2004-01-01T00:00:00Z</published><updated>2005-01-01T00:00:00Z</updated>
            <category term="t" label="Label"/><summary>Short</summary>
            <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Hi <a href="e">e</a></p>
            </div></content></entry></feed>
            """
        )
        #expect(feed.format == .atom)
        #expect(feed.title == "A <b> c")
        #expect(feed.url == "https://example.org/")
        #expect(feed.selfAddress == "https://example.org/a/feed.xml")
        #expect(feed.hub == "https://hub.example/")
        #expect(feed.author == SourceAuthor(name: "Ann", url: "https://example.org/a/ann/"))
        #expect(feed.icon == "https://example.org/a/logo.png")
        let entry = try #require(feed.entries.first)
        #expect(entry.guid == "tag:x,1:1")
        #expect(entry.title == "A <b>")
        #expect(entry.url == "https://example.org/a/b/c")
        #expect(entry.summary == "Short")
        #expect(entry.contentHTML?.contains("<a href=\"https://example.org/a/b/e\"") == true)
        #expect(entry.updated?.text == "2005-01-01T00:00:00Z")
        #expect(entry.tags == ["Label"])
        #expect(entry.attachments.map(\.url) == ["https://example.org/a/b/d.mp3"])
        #expect(entry.attachments.map(\.byteCount) == [5])
    }

    @Test func rdfHasItsItemsBesideTheChannel() throws {
        let feed = try feed(
            """
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
             xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
            <channel rdf:about="https://example.com/"><title>T</title><link>https://example.com/</link>
            <items><rdf:Seq><rdf:li rdf:resource="https://example.com/1"/></rdf:Seq></items></channel>
            <item rdf:about="https://example.com/1"><title>One</title><link>https://example.com/1</link>
            <dc:creator>Ann</dc:creator><dc:date>2004-01-01</dc:date><dc:subject>s</dc:subject></item>
            </rdf:RDF>
            """
        )
        #expect(feed.format == .rdf)
        #expect(feed.title == "T")
        let entry = try #require(feed.entries.first)
        #expect(entry.guid == "https://example.com/1")
        #expect(entry.authors.map(\.name) == ["Ann"])
        #expect(entry.published?.text == "2004-01-01T00:00:00Z")
        #expect(entry.tags == ["s"])
    }

    @Test func elementsOfOtherVocabulariesAreNotTheItems() throws {
        let entry = try rssEntry(
            "<title>Real</title><s:v><title>Wrong</title><guid>w</guid></s:v><s:title>No</s:title>",
            namespaces: "xmlns:s='https://shop.example/'"
        )
        #expect(entry.title == "Real")
        #expect(entry.guid == nil)
    }

    @Test func mediaAndPodcastsHaveFilesAndPictures() throws {
        let entry = try rssEntry(
            """
            <title>E</title><media:group><media:content url="/v.mp4" type="video/mp4" duration="60"/>
            <media:thumbnail url="/t.jpg"/></media:group><itunes:duration>1:02:03</itunes:duration>
            <enclosure url="/v.mp4" length="7" type="video/mp4"/>
            <enclosure url="/a.mp3" length="9" type="audio/mpeg"/>
            """,
            namespaces: "xmlns:media='http://search.yahoo.com/mrss/'"
                + " xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'"
        )
        #expect(entry.image == "https://example.com/t.jpg")
        #expect(
            entry.attachments.map(\.url) == [
                "https://example.com/v.mp4", "https://example.com/a.mp3",
            ]
        )
        #expect(entry.attachments.first?.seconds == 60)
    }

    @Test(
        arguments: [
            ("7", 7), (" 7 ", 7), ("0", nil), ("", nil), ("+7", nil), ("-7", nil), ("7.5", nil),
        ] as [(String, Int?)]
    )
    func sizesOfFilesAreDigits(_ size: String, _ byteCount: Int?) throws {
        let entry = try rssEntry(
            "<enclosure url='/a.mp3' length='\(size)'/><atom:link rel='enclosure' href='/b.mp3' "
                + "length='\(size)'/><media:content url='/c.mp3' fileSize='\(size)'/>",
            namespaces: "xmlns:media='http://search.yahoo.com/mrss/'"
                + " xmlns:atom='http://www.w3.org/2005/Atom'"
        )
        #expect(entry.attachments.count == 3)
        #expect(entry.attachments.allSatisfy { $0.byteCount == byteCount })
    }

    @Test(
        arguments: [
            ("1:02:03", 3723), ("62:03", 3723), ("60", 60), ("60.5", 60), ("+60", nil),
            ("-60", nil), ("0x10", nil), ("1e2", nil), ("1:+2", nil), ("inf", nil), ("", nil),
        ] as [(String, Int?)]
    )
    func durationsAreDigits(_ text: String, _ seconds: Int?) {
        #expect(EntryElements.seconds(text) == seconds)
    }

    @Test(
        arguments: [
            ("<ttl>90</ttl>", 5400), ("<ttl>+90</ttl>", nil), ("<ttl>-90</ttl>", nil),
            ("<sy:updatePeriod>hourly</sy:updatePeriod>", 3600),
            (
                "<sy:updatePeriod>hourly</sy:updatePeriod>"
                    + "<sy:updateFrequency>2</sy:updateFrequency>", 1800
            ),
            (
                "<sy:updatePeriod>hourly</sy:updatePeriod>"
                    + "<sy:updateFrequency>+2</sy:updateFrequency>", 3600
            ),
        ] as [(String, Int?)]
    )
    func intervalsAreDigits(_ elements: String, _ seconds: Int?) throws {
        let feed = try feed(
            "<rss xmlns:sy='http://purl.org/rss/1.0/modules/syndication/'><channel>\(elements)"
                + "<item><title>a</title></item></channel></rss>"
        )
        #expect(feed.interval == seconds)
    }

    @Test(arguments: [
        ("AT&amp;T &amp; Co", "AT&T & Co"), ("a &lt; b", "a < b"),
        ("&lt;b&gt;x&lt;/b&gt; y", "x y"),
        ("<![CDATA[<i>x</i> &amp; y]]>", "x & y"), ("List&lt;String&gt;", "List<String>"),
        ("&nbsp;x&nbsp;", "x"), ("x & y", "x & y"), ("caf&#xe9; &#8217;", "café ’"),
        ("How to use the &lt;script&gt; tag", "How to use the <script> tag"),
        ("if x&lt;y then", "if x<y then"), ("&#55357;&#56832;&#xD83D;&#xDE00;", "😀😀"),
        ("&#55357;x&#56832;", "\u{FFFD}x\u{FFFD}"), ("&#55357;&#65;", "\u{FFFD}A"),
        ("&amp;#8217;", "’"), ("a\n  b", "a b"), ("&bogus; x", "&bogus; x"), ("&#146;", "’"),
    ])
    func aTitleIsText(_ text: String, _ expected: String) throws {
        #expect(try rssEntry("<title>\(text)</title>").title == expected)
    }

    @Test(arguments: [
        "<description>x", "<description>x</item", "<description><![CDATA[x", "<title>",
        "<title>Two</title><descrip", "<title>Two</titl",
    ])
    func aCutOffDocumentGivesWhatIsWhole(_ rest: String) throws {
        let feed = try feed(
            "<rss><channel><title>T</title><item><title>One</title></item><item>\(rest)"
        )
        #expect(feed.entries.map(\.title) == ["One"])
        #expect(feed.notes == ["the document is cut off; what is whole was taken"])
    }

    @Test(arguments: [
        "<title>One</title><description>a<br>b</item>",
        "<title>One</title><description>a</p></description></item>",
        "<title>One<description>a</description></item>",
        "<title>One</title><description><![CDATA[a</description></item>",
        "<title a=b c='d' e>One</title></item>", "<title>One</TITLE></item>",
    ])
    func anIllFormedItemIsAnItem(_ item: String) throws {
        let feed = try feed(
            "\n\n<rss><channel><item>\(item)<item><title>Two</title></item></channel></rss>"
        )
        #expect(feed.entries.count == 2)
        #expect(feed.entries.last?.title == "Two")
        #expect(feed.entries.first?.title?.hasPrefix("One") == true)
    }

    /// What a publisher's own element holds is not the next item.
    @Test(arguments: [
        "<s:related><item><title>Inner</title></item></s:related>",
        "<related><item><title>Inner</title></item><item/></related>",
        "<x:y><z><entry><title>Inner</title></entry></z></x:y>",
    ])
    func anItemInAnElementOfAnItemIsPartOfIt(_ own: String) throws {
        let feed = try feed(
            """
            <rss><channel><title>Feed</title><item><guid>1</guid>\(own)<title>One</title></item>
            <item><title>Two</title></item></channel></rss>
            """
        )
        #expect(feed.entries.map(\.title) == ["One", "Two"])
        #expect(feed.entries.first?.guid == "1")
        #expect(feed.title == "Feed")
    }

    @Test func doctypesDeclareNothing() throws {
        let feed = try feed(
            """
            <!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>
            <rss><channel><item><title>&a;&b;&f;</title></item></channel></rss>
            """
        )
        #expect(feed.entries.first?.title == "&a;&b;&f;")
    }

    @Test func deepElementsCostNoStack() throws {
        let deep = String(repeating: "<x>", count: 200_000)
        let entry = try rssEntry("<title>One</title><description>\(deep)text</description>")
        #expect(entry.title == "One")
    }

    @Test(arguments: [
        ("", FeedFormatError.empty), ("  \n", .empty),
        (
            "<!DOCTYPE html><html><head><title>Are you human?</title>",
            .page(title: "Are you human?")
        ),
        ("<opml><body/></opml>", .unknown("its root is <opml>")),
        ("hello", .unknown("it is neither XML nor JSON")),
        ("[1]", .unknown("it is JSON without a mapping")),
        ("{\"a\":1}", .unknown("it is JSON without “items” or “sections”, and without a mapping")),
    ])
    func whatIsNoFeedIsSaidToBeNone(_ text: String, _ error: FeedFormatError) {
        #expect(throws: error) { try feed(text) }
    }

    /// Whatever is cut off or changed, nothing ends the process.
    @Test func everyCutOfADocumentCanBeRead() throws {
        let document = Array(
            """
            <?xml version="1.0"?><!-- c --><rss><channel><item><title a='b'>x &amp; <![CDATA[y]]></title>
            <link href="/a"/><pubDate>1 Jan 2004</pubDate></item></channel></rss>
            """.utf8
        )
        for index in document.indices {
            _ = try? FeedReader().read(Array(document[..<index]))
            _ = try? FeedReader().read(Array(document[index...]))
            var changed = document
            changed[index] ^= 0x80
            _ = try? FeedReader().read(changed)
        }
    }
}
