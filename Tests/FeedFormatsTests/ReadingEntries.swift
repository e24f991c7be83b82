import Testing

@testable import FeedFormats

/// What the texts, addresses and people of an entry come to.
@Suite struct ReadingEntries {
    private static let texts: [(String, content: String?, summary: String?)] = [
        ("<itunes:subtitle>A</itunes:subtitle><itunes:summary>A B</itunes:summary>", "A B", "A"),
        ("<itunes:summary>A B</itunes:summary><itunes:subtitle>A</itunes:subtitle>", "A B", "A"),
        ("<itunes:subtitle>A B</itunes:subtitle><itunes:summary>A</itunes:summary>", nil, "A B"),
        ("<itunes:subtitle>A</itunes:subtitle><itunes:summary>A</itunes:summary>", nil, "A"),
        ("<itunes:summary>A</itunes:summary>", nil, "A"),
        (
            "<media:description>A B</media:description><itunes:subtitle>A</itunes:subtitle>",
            "A B", "A"
        ),
        (
            "<description>D</description><itunes:subtitle>A</itunes:subtitle>"
                + "<itunes:summary>A B</itunes:summary>", "D", "A"
        ),
    ]

    private static let files: [(String, type: String?, image: String?)] = [
        ("<enclosure url='https://a.example/a.jpg'/>", "image/jpeg", "https://a.example/a.jpg"),
        (
            "<enclosure url='https://a.example/x' type='image/png'/>", "image/png",
            "https://a.example/x"
        ),
        ("<enclosure url='https://a.example/a.MP3?x=.jpg'/>", "audio/mpeg", nil),
        ("<media:content url='https://a.example/a.m4a'/>", "audio/mp4", nil),
        ("<enclosure url='https://a.example/a'/>", nil, nil),
        ("<enclosure url='https://a.jpg/'/>", nil, nil),
        (
            "<enclosure url='https://a.example/a.jpg'/><itunes:image href='https://a.example/b'/>",
            "image/jpeg", "https://a.example/b"
        ),
    ]

    @Test(arguments: files)
    func typesAndPicturesAreKnownByNames(
        _ elements: String,
        _ type: String?,
        _ image: String?
    ) throws {
        let entry = try rssEntry(elements)
        #expect(entry.attachments.map(\.type) == [type])
        #expect(entry.image == image)
    }

    @Test func whatIsNoAddressIsNoLink() throws {
        let link = "<link>https://s.example/1</link>"
        let origin = "<feedburner:origLink>not an address</feedburner:origLink>"
        #expect(try rssEntry(link + origin).url == "https://s.example/1")
        #expect(try rssEntry(origin + link).url == "https://s.example/1")
        #expect(
            try atomEntry("<link href=''>https://s.example/1</link>").url == "https://s.example/1"
        )
        #expect(try atomEntry("<link href=' '/><link href='/2'/>").url == "https://example.com/2")
    }

    @Test func categoriesMayStandInAListOfTheirOwn() throws {
        let list = "<categories><category>a</category><category>b</category></categories>"
        #expect(try rssEntry(list + "<category>c</category>").tags == ["a", "b", "c"])
    }

    @Test func attributesMayHaveTheirElementsPrefix() throws {
        let entry = try atomEntry(
            "<a:content a:type='html'>&lt;b>x&lt;/b></a:content><a:link a:href='/1'/>",
            attributes: "xmlns:a='http://www.w3.org/2005/Atom'"
        )
        #expect(entry.contentHTML == "<b>x</b>")
        #expect(entry.url == "https://example.com/1")
    }

    @Test(arguments: [
        ("<![CDATA[a]]>]]>", "a"), ("<![CDATA[<![CDATA[a]]>]]>", "a"), ("a ]]> b", "a ]]> b"),
        ("a > b", "a > b"), ("<![CDATA[a>]]>", "a>"),
    ])
    func theEndOfASectionIsNoText(_ title: String, _ expected: String) throws {
        #expect(try rssEntry("<title>\(title)</title>").title == expected)
    }

    @Test(arguments: texts)
    func theLongerOfTwoSummariesIsTheText(
        _ elements: String,
        _ content: String?,
        _ summary: String?
    ) throws {
        let entry = try rssEntry(elements)
        #expect(entry.content == content)
        #expect(entry.summary == summary)
    }

    @Test(arguments: [
        ("one<br>two<br>three", "one<br>two<br>three"),
        ("a<img src='/x.png'>b<hr>c", "a<img src=\"https://example.com/x.png\">b<hr>c"),
        ("<p>a<br/>b</p><p>c</p>", "<p>a<br>b</p><p>c</p>"),
    ])
    func voidElementsHoldNothing(_ markup: String, _ expected: String) throws {
        #expect(try rssEntry("<description>\(markup)</description>").contentHTML == expected)
    }

    @Test(arguments: [
        ("Intro text <!--more-->", "Intro text"), ("text</p>", "text"),
        ("<o:p>Office</o:p>", "Office"), ("<my-box>x</my-box>", "x"), ("<nobr>x</nobr>", "x"),
        ("<frame src='x.html'/>text", "text"),
        ("<marquee>Old <blink>site</blink></marquee>", "Old site"),
    ])
    func oddMarkupIsMarkup(_ text: String, _ expected: String) throws {
        let entry = try rssEntry("<description><![CDATA[\(text)]]></description>")
        #expect(entry.contentHTML == expected)
        #expect(entry.content == nil)
    }

    /// A section that was escaped like the rest of the text.
    @Test func aSectionInATextIsItsText() throws {
        let text = "&lt;![CDATA[Hello &lt;b&gt;you&lt;/b&gt;]]&gt;"
        let entry = try rssEntry("<title> \(text)\n</title><description>\(text)</description>")
        #expect(entry.title == "Hello you")
        #expect(entry.contentHTML == "Hello <b>you</b>")
        let open = try rssEntry("<description>&lt;![CDATA[Hello &lt;b&gt;you</description>")
        #expect(open.contentHTML == "Hello <b>you</b>")
    }

    @Test(arguments: ["\u{0}", "\u{1}", "\u{8}", "\u{B}", "\u{1B}", "\u{1F}\u{1F}"])
    func noTextHasControls(_ control: String) throws {
        let html = try rssEntry("<description>&lt;b&gt;a\(control)b&lt;/b&gt;</description>")
        #expect(html.contentHTML == "<b>ab</b>")
        let words = "a\(control)b"
        let text = try rssEntry("<title>\(words)</title><description>\(words)</description>")
        #expect(text.content == "ab")
        #expect(text.title == "ab")
        let atom = try atomEntry("<title>a\(control)b</title><content>a\(control)b</content>")
        #expect(atom.content == "ab")
        #expect(atom.title == "ab")
    }

    @Test(arguments: ["a < b", "List<String>", "see <https://example.com/>", "a <branch-name> b"])
    func textIsNoMarkup(_ text: String) throws {
        let entry = try rssEntry("<description><![CDATA[\(text)]]></description>")
        #expect(entry.content == text)
    }

    @Test func aFullTextInASummaryIsTheContent() throws {
        let long = String(repeating: "word ", count: 1000)
        let atom = try atomEntry(
            "<link href='https://example.com/a/'/>"
                + "<summary type='html'>&lt;p&gt;\(long)&lt;img src='b.png'&gt;</summary>"
        )
        #expect(
            atom.contentHTML?.hasSuffix("<img src=\"https://example.com/a/b.png\"></p>") == true
        )
        #expect(atom.summary == nil)
        let text = try atomEntry("<summary>\(long)</summary>")
        #expect(text.content?.count == 4999)
        let short = try atomEntry("<summary>Short</summary>")
        #expect(short.summary == "Short")
        #expect(short.content == nil)
        let podcast = try rssEntry(
            "<itunes:summary>&lt;p&gt;x&lt;/p&gt;</itunes:summary>",
            namespaces: "xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'"
        )
        #expect(podcast.contentHTML == "<p>x</p>")
        let both = try atomEntry(
            "<summary type='html'>&lt;b&gt;s&lt;/b&gt;</summary><content>c</content>"
        )
        #expect(both.summary == "s")
        #expect(both.content == "c")
    }

    @Test(arguments: [
        "<h:div xml:base='https://o.example/d/'><a href='e'>e</a></h:div>",
        "<h:div><p xml:base='https://o.example/d/'><a href='e'>e</a></p></h:div>",
        "<h:div xml:base='https://o.example/'><p xml:base='d/'><a href='e'>e</a></p></h:div>",
    ])
    func basesInXHTMLCount(_ division: String) throws {
        let type = "type='xhtml' xmlns:h='http://www.w3.org/1999/xhtml'"
        let entry = try atomEntry("<content \(type)>\(division)</content>")
        #expect(entry.contentHTML?.contains("<a href=\"https://o.example/d/e\"") == true)
        let picture = division.replacing("<a href='e'>e</a>", with: "<img srcset='e 2x'/>")
        let other = try atomEntry("<content \(type)>\(picture)</content>")
        #expect(other.contentHTML?.contains("srcset=\"https://o.example/d/e 2x\"") == true)
    }

    @Test(
        arguments: [
            ("PHA+SGkgPHNjcmlw\ndD54PC9zY3JpcHQ+w6k8L3A+", "<p>Hi é</p>"),
            ("PHA+SGV5PC9wPg==", "<p>Hey</p>"), ("PHA+SGV5PC9wPg", "<p>Hey</p>"),
            ("PHA+ SGV5\u{2013}PC9wPg=", "<p>Hey</p>"), ("PHA+SGk8L3A+I", "<p>Hi</p>"),
        ]
    )
    func base64OfAtom03IsDecoded(_ text: String, _ html: String) throws {
        let document = """
            <feed version="0.3" xmlns="http://purl.org/atom/ns#"><entry>
            <content type="text/html" mode="base64">
            \(text)</content></entry></feed>
            """
        #expect(try feed(document).entries.first?.contentHTML == html)
    }

    @Test func languagesAreRead() throws {
        let document = """
            <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><title>T</title>
            <entry xml:lang="de"><title>a</title></entry><entry xml:lang="en"><title>b</title></entry>
            <entry><title>c</title></entry></feed>
            """
        let feed = try feed(document)
        #expect(feed.language == "en")
        #expect(feed.entries.map(\.language) == ["de", nil, nil])
        let rss = try FeedFormatsTests.feed(
            "<rss xml:lang='fr'><channel><language>en</language></channel></rss>"
        )
        #expect(rss.language == "en")
    }

    @Test(arguments: [
        "<rss xmlns='http://example.org/x'><channel><item><title>One</title></item></channel></rss>",
        "<feed xmlns='http://www.w3.org/2005/Atom-typo'><entry><title>One</title></entry></feed>",
        "<a:feed xmlns:a='http://example.org/x'><a:entry><a:title>One</a:title></a:entry></a:feed>",
        "<entry xmlns='http://www.w3.org/2005/Atom'><title>One</title></entry>",
        "<?xml version='1.0'?><!-- <x> --><rss xmlns='urn:x'><item><title>One</title></item></rss>",
        "<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='urn:x'>"
            + "<item><title>One</title></item></r:RDF>",
    ])
    func theRootsNamespaceIsThatOfItsFormat(_ document: String) throws {
        let feed = try feed(document)
        #expect(feed.entries.map(\.title) == ["One"])
    }

    @Test func anAtomFeedOfAnUnknownNamespaceIsAtom() throws {
        let document =
            "<feed xmlns='http://example.org/a'><entry><title>a &lt;b&gt; c</title></entry></feed>"
        #expect(try feed(document).entries.first?.title == "a <b> c")
    }

    @Test(arguments: [
        "<created>2001-01-01T00:00:00Z</created><issued>2002-01-01T00:00:00Z</issued>",
        "<issued>2002-01-01T00:00:00Z</issued><created>2001-01-01T00:00:00Z</created>",
        "<published>2002-01-01T00:00:00Z</published><created>2001-01-01T00:00:00Z</created>",
    ])
    func createdIsTheLastResort(_ dates: String) throws {
        #expect(try atomEntry(dates).published?.text == "2002-01-01T00:00:00Z")
        #expect(
            try atomEntry("<created>2001-01-01T00:00:00Z</created>").published?.text
                == "2001-01-01T00:00:00Z"
        )
    }

    @Test func aSourcesAuthorIsTheEntrys() throws {
        let source = "<source><author><name>Ann</name></author><title>T</title></source>"
        #expect(try atomEntry(source).authors.map(\.name) == ["Ann"])
        let own = try atomEntry("\(source)<author><name>Bo</name></author>")
        #expect(own.authors.map(\.name) == ["Bo"])
    }

    @Test func relationsMayBeIRIs() throws {
        let iana = "http://www.iana.org/assignments/relation"
        let entry = try atomEntry(
            "<link rel='\(iana)/alternate' href='/a'/><link rel='\(iana)/enclosure' href='/b'/>"
        )
        #expect(entry.url == "https://example.com/a")
        #expect(entry.attachments.map(\.url) == ["https://example.com/b"])
        let document =
            "<feed xmlns='http://www.w3.org/2005/Atom'><link rel='\(iana)/self' href='/s'/></feed>"
        #expect(try feed(document).selfAddress == "https://example.com/s")
    }

    @Test(arguments: [
        ("<media:content url='/c.png' medium='image'/><media:thumbnail url='/t.png'/>", "t"),
        ("<media:content url='/c.png' medium='image'/><itunes:image href='/i.png'/>", "i"),
        ("<itunes:image href='/i.png'/><media:thumbnail url='/t.png'/>", "t"),
        ("<media:content url='/c.png' medium='image'/>", "c"),
        ("<media:thumbnail url='/t.png'/><media:thumbnail url='/u.png'/>", "t"),
    ])
    func theThumbnailComesFirst(_ elements: String, _ name: String) throws {
        let entry = try rssEntry(
            elements,
            namespaces: "xmlns:media='http://search.yahoo.com/mrss/'"
                + " xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'"
        )
        #expect(entry.image == "https://example.com/\(name).png")
    }

    @Test(arguments: [
        ("<fullitem>&lt;p&gt;x&lt;/p&gt;</fullitem>", "<p>x</p>"),
        ("<description>s</description><fullitem>&lt;p&gt;x&lt;/p&gt;</fullitem>", "<p>x</p>"),
    ])
    func aFullItemIsTheContent(_ elements: String, _ expected: String) throws {
        #expect(try rssEntry(elements).contentHTML == expected)
    }

    /// The best form comes last (RFC 2046 §5.1.4).
    @Test func ofAlternativesTheBestIsTaken() throws {
        let parts =
            "<content type='text/plain'>p</content>"
            + "<content type='text/html' mode='escaped'>&lt;p&gt;h&lt;/p&gt;</content>"
        let document = """
            <feed version='0.3' xmlns='http://purl.org/atom/ns#'><entry><id>1</id>\
            <content type='multipart/alternative'>\(parts)</content></entry></feed>
            """
        #expect(try feed(document).entries.first?.contentHTML == "<p>h</p>")
    }

    @Test(arguments: [
        "Ann (ann@e.example)", "ann@e.example (Ann)", "Ann &lt;ann@e.example&gt;", "Ann",
        " Ann ( ann@e.example ) ",
    ])
    func anAuthorsNameIsWithoutAddress(_ text: String) throws {
        #expect(try rssEntry("<author>\(text)</author>").authors.map(\.name) == ["Ann"])
    }

    /// As feeds have it that put links to their authors, or escape names once more.
    @Test(arguments: [
        (
            "&lt;a href='https://e.example/1'&gt;Ann&lt;/a&gt;, &lt;a href='b'&gt;Bo&lt;/a&gt;",
            "Ann, Bo"
        ),
        ("Ann &lt;ann@e.example&gt;", "Ann"), ("Ann (mailto:ann@e.example)", "Ann"),
        ("<![CDATA[Ann &amp; Bo]]>", "Ann & Bo"), ("Ann &amp; Bo", "Ann & Bo"),
    ])
    func aCreatorsNameIsWithoutMarkup(_ text: String, _ expected: String) throws {
        let names = "xmlns:dc='http://purl.org/dc/elements/1.1/'"
        let entry = try rssEntry("<dc:creator>\(text)</dc:creator>", namespaces: names)
        #expect(entry.authors.map(\.name) == [expected])
    }

    @Test(arguments: [
        ("<media:category scheme='s'>x</media:category>", ["x"]),
        ("<itunes:category text='Tech &amp;amp; co'/><category>y</category>", ["Tech & co", "y"]),
        ("<itunes:category text=''/>", []),
    ])
    func categoriesOfMediaAreTags(_ elements: String, _ expected: [String]) throws {
        let names =
            "xmlns:media='http://search.yahoo.com/mrss/'"
            + " xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'"
        #expect(try rssEntry(elements, namespaces: names).tags == expected)
    }

    @Test(arguments: [("c<d", "c<d"), ("R&amp;D", "R&D"), ("<b>", "<b>")])
    func aTagIsText(_ text: String, _ expected: String) throws {
        #expect(try rssEntry("<category><![CDATA[\(text)]]></category>").tags == [expected])
    }
}
