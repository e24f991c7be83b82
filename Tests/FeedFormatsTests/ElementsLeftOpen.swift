import FeedModel
import TestSupport
import Testing

@testable import FeedFormats

/// An element without its end tag takes nothing away.
@Suite struct ElementsLeftOpen {
    private static let heads = [
        "<atom:link href='https://s.example/f' rel='self'>", "<foo>", "<x:foo>", "<image>",
        "<image><url>i.png</url>", "<itunes:category text='A'>", "<itunes:owner><itunes:name>",
        "<itunes:category text='A'><itunes:category text='B'>", "<textInput>", "<cloud domain='x'>",
        "<atom:link href='a'><atom:link href='b'><foo>", "<items>", "<media:thumbnail url='a'>",
        "<media:group><media:content url='a'>", "<p>", "<description>All of <b>it",
        "<link href='https://s.example/'>",
    ]

    private func document(_ head: String, items: String) -> String {
        "<rss xmlns:atom='http://www.w3.org/2005/Atom'><channel>\(head)<title>T</title>"
            + "<ttl>90</ttl>\(items)</channel></rss>"
    }

    private static let items =
        "<item><title>1</title><guid>g1</guid></item><item><title>2</title><guid>g2</guid></item>"

    @Test(arguments: heads)
    func holdsNoItemsBack(_ head: String) throws {
        let feed = try feed(document(head, items: ElementsLeftOpen.items))
        #expect(feed.entries.map(\.guid) == ["g1", "g2"])
        #expect(feed.entries.map(\.title) == ["1", "2"])
        #expect(feed.title == "T")
        #expect(feed.interval == 5400)
        let name = head.dropFirst().prefix { $0 != ">" && $0 != " " }
        #expect(feed.notes == ["<\(name)> is not closed; what stands in it was taken"])
        #expect(feed.isDoubtful)
    }

    /// It is said also where items alone stand in it.
    @Test func isNoted() throws {
        let link = "<atom:link href='/f' rel='self'>"
        let feed = try feed("<rss><channel>\(link)\(ElementsLeftOpen.items)</channel></rss>")
        #expect(feed.entries.count == 2)
        #expect(feed.notes == ["<atom:link> is not closed; what stands in it was taken"])
        #expect(feed.isDoubtful)
    }

    /// Neither does it where there are no items yet.
    @Test(arguments: heads)
    func holdsNoTitleBack(_ head: String) throws {
        let feed = try feed(document(head, items: ""))
        #expect(feed.title == "T")
        #expect(feed.isDoubtful)
    }

    @Test(arguments: ["<link href='/'>", "<foo>", "<author><name>Ann</name>", "<logo>l.png"])
    func holdsNoEntriesBack(_ head: String) throws {
        let feed = try feed(
            "<feed xmlns='http://www.w3.org/2005/Atom'>\(head)<title>T</title>"
                + "<entry><id>g1</id></entry><entry><id>g2</id></entry></feed>"
        )
        #expect(feed.entries.map(\.guid) == ["g1", "g2"])
        #expect(feed.title == "T")
        if head.contains("logo") { #expect(feed.icon == "https://example.com/l.png") }
        if head.contains("Ann") { #expect(feed.author?.name == "Ann") }
    }

    @Test func holdsNoItemsBackInRDF() throws {
        let feed = try feed(
            "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'"
                + " xmlns='http://purl.org/rss/1.0/'><channel><title>T</title><items></channel>"
                + "<image><item><title>1</title></item><item><title>2</title></item></rdf:RDF>"
        )
        #expect(feed.entries.map(\.title) == ["1", "2"])
    }

    @Test func rss11IsRead() throws {
        let feed = try feed(
            "<Channel xmlns='http://purl.org/net/rss1.1#'"
                + " xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' rdf:about='/f'>"
                + "<title>T</title><items rdf:parseType='Collection'><item rdf:about='/1'>"
                + "<title>1</title><link>/1</link></item></items></Channel>"
        )
        #expect(feed.title == "T")
        #expect(feed.entries.map(\.title) == ["1"])
    }

    /// A list of items that has its end tag is no fault that could hide something.
    @Test func itemsMayStandInAListOfTheirOwn() throws {
        let feed = try feed(
            document("", items: "<items>\(ElementsLeftOpen.items)</items><language>fr</language>")
        )
        #expect(feed.entries.map(\.guid) == ["g1", "g2"])
        #expect(feed.language == "fr")
        #expect(feed.notes == ["items stand in <items>; they were taken"])
        #expect(!feed.isDoubtful)
    }

    @Test(arguments: [
        "<atom:link href='https://s.example/1'>", "<enclosure url='https://s.example/a.mp3'>",
        "<itunes:image href='https://s.example/a.png'>", "<foo>", "<media:content url='a.png'>",
        "<description>Text",
    ])
    func holdsNothingOfItsItemBack(_ open: String) throws {
        let text =
            "<guid>g</guid>\(open)<pubDate>Thu, 01 Jan 2004 19:48:21 GMT</pubDate>"
            + "<category>c</category>"
        let entry = try rssEntry(text, namespaces: "xmlns:atom='http://www.w3.org/2005/Atom'")
        #expect(entry.guid == "g")
        #expect(entry.published?.text == "2004-01-01T19:48:21Z")
        #expect(entry.tags == ["c"])
        if open.contains("Text") { #expect(entry.content == "Text") }
    }

    @Test func itemsOfAnUnknownNamespaceAreSpokenOf() throws {
        let feed = try feed(
            "<rss><channel><title>T</title><x:item xmlns:x='urn:x'><title>1</title></x:item>"
                + "</channel></rss>"
        )
        #expect(feed.entries.isEmpty)
        #expect(feed.isDoubtful)
        #expect(feed.notes == ["<x:item> is of an unknown namespace, and was not taken as an item"])
    }

    @Test func whatIsWholeIsNotDoubted() throws {
        let image = "<image><url>u</url><title>I</title><link>/</link></image>"
        let feed = try feed(document(image, items: ElementsLeftOpen.items))
        #expect(feed.notes.isEmpty)
        #expect(!feed.isDoubtful)
    }

    /// Whatever is left open, the items are found: tags of a head are taken out at random.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func holdsNoItemsBackAtRandom(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let elements = [
            "title", "link", "description", "language", "image", "foo", "x:y", "itunes:author",
            "itunes:image", "atom:link", "category", "generator", "docs", "cloud", "skipHours",
        ]
        var head = ""
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let name = elements.randomElement(using: &random) ?? ""
            let isOpen = Bool.random(using: &random)
            head += "<\(name)>x\(isOpen ? "" : "</\(name)>")"
        }
        let count = Int.random(in: 1...4, using: &random)
        let items = (0..<count).map { "<item><guid>g\($0)</guid></item>" }.joined()
        let feed = try feed(document(head, items: items))
        #expect(feed.entries.map(\.guid) == (0..<count).map { "g\($0)" }, "\(head)")
    }

    /// A document with such a fault does not take what it does not show.
    @Test(arguments: [(0, 4), (1, 4), (2, 2)])
    func takesFewItems(_ count: Int, _ left: Int) throws {
        func items(_ count: Int) -> String {
            (0..<count).map { "<item><guid>g\($0)</guid><title>\($0)</title></item>" }.joined()
        }
        let now = FeedDate(seconds: 1_700_000_000)
        let options = SourceSnapshot.Options()
        let whole = try feed(document("", items: items(4)))
        let before = SourceSnapshot.make(whole, current: nil, options: options, now: now)
        let head = count == 0 ? "<foo><x:item xmlns:x='urn:x'>" : "<foo>"
        let odd = try feed(document(head, items: items(count)))
        let after = SourceSnapshot.make(odd, current: before, options: options, now: now)
        #expect(after.count == left)
    }
}
