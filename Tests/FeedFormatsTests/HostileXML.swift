import Testing

@testable import FeedFormats

/// What is meant to cost much costs as much as its bytes.
@Suite struct HostileXML {
    private static func deepest(_ text: String) -> Int {
        var reader = XMLTreeReader(Array(text.utf8), base: "https://example.com/")
        _ = reader.read { _, _ in
            .container
        } take: { _, _, _ in
        }
        return reader.deepest
    }

    @Test(arguments: [
        "<channel>", "<channel xmlns:a='x'>", "<channel xml:base='a/'>", "<x:y xmlns:x='z'>",
    ])
    func containersAreAsDeepAsElements(_ tag: String) {
        let text = "<rss>" + String(repeating: tag, count: 2000)
        #expect(HostileXML.deepest(text) == XMLTreeReader.openLimit)
        #expect(HostileXML.deepest(text + String(repeating: "</x>", count: 2000)) <= 136)
    }

    /// Many leave elements without content open where HTML is not escaped.
    @Test func breaksThatAreLeftOpenAreNotDepth() throws {
        let lines = (0..<300).map { "line \($0)<br><img src='/\($0).png'><hr>" }.joined()
        let entry = try rssEntry("<description>\(lines)<p>last <b>words</b></p></description>")
        let html = try #require(entry.contentHTML)
        #expect(html.contains("<p>last <b>words</b></p>"))
        #expect(html.contains("src=\"https://example.com/299.png\""))
        #expect(!html.contains("</br>"))
    }

    @Test func anItemBelowTooManyContainersCostsNothing() throws {
        let deep = String(repeating: "<channel>", count: 500)
        let end = String(repeating: "</channel>", count: 500)
        let feed = try feed("<rss>\(deep)\(end)</rss>")
        #expect(feed.entries.isEmpty)
    }

    /// Names beyond the limit are those of no known vocabulary.
    @Test func prefixesAreLimited() throws {
        let prefixes = (0..<60).map { "xmlns:p\($0)='x'" }.joined(separator: " ")
        let more = (60..<120).map { "xmlns:p\($0)='x'" }.joined(separator: " ")
        let last = (120..<180).map { "xmlns:p\($0)='http://purl.org/dc/elements/1.1/'" }
            .joined(separator: " ")
        let feed = try feed(
            """
            <rss \(prefixes)><channel \(more)><item \(last)><p120:creator>A</p120:creator>
            <p179:creator>B</p179:creator></item></channel></rss>
            """
        )
        #expect(feed.entries.first?.authors.map(\.name) == ["A"])
    }

    @Test func aBaseIsNoLongerThanAnAddress() throws {
        let long = "https://long.example/" + String(repeating: "a/", count: 2000)
        let feed = try feed(
            """
            <feed xmlns='http://www.w3.org/2005/Atom' xml:base='https://b.example/x/'>
            <entry xml:base='\(long)'><link href='c'/></entry></feed>
            """
        )
        #expect(feed.entries.first?.url == "https://b.example/x/c")
    }

    @Test(arguments: [
        "<![CDATA[</item>", "<![CDATA[</entry>", "<![CDATA[", "<![CDATA[x</item><![CDATA[",
    ])
    func whatIsNotThereIsSearchedForOnce(_ part: String) {
        for end in ["", "</entry>", "</item>", "]]>"] {
            let text = String(repeating: part, count: 2000) + end
            var scanner = XMLScanner(Array(text.utf8))
            var count = 0
            while scanner.next() != nil { count += 1 }
            #expect(count > 0)
            #expect(scanner.searchedByteCount <= 4 * text.utf8.count)
        }
    }

    @Test(arguments: [
        "<title>One</title><enclosure url='/a.mp3' type=\"audio/mpeg>",
        "<enclosure url='/a.mp3' type=\"audio/mpeg/><title>One</title>",
        "<enclosure url='/a.mp3' type=\"audio/mpeg></enclosure><title a=\"b\">One</title>",
    ])
    func aMissingQuoteCostsNoMoreThanItsTag(_ text: String) throws {
        let feed = try feed(
            "<rss><channel><item>\(text)</item><item><title>Two</title></item></channel></rss>"
        )
        #expect(feed.entries.map(\.title) == ["One", "Two"])
        #expect(feed.entries.first?.attachments.first?.type == "audio/mpeg")
    }

    @Test(arguments: [
        ("a='1 > 2 <b>'", "1 > 2 <b>"), ("a=\"<b>\" c=d", "<b>"), ("a='x>y'/", "x>y"),
    ])
    func quotesMayHoldTags(_ attributes: String, _ value: String) {
        var scanner = XMLScanner(Array("<e \(attributes)>".utf8))
        _ = scanner.next()
        let first = scanner.attributes.first?.value ?? 0..<0
        #expect(String(decoding: scanner.bytes[first], as: UTF8.self) == value)
    }

    @Test func aDocumentWithoutItsEndIsCutOff() throws {
        let items = "<item><title>One</title></item>"
        #expect(try feed("<rss><channel>\(items)</channel></rss>").isCutOff == false)
        #expect(try feed("<rss><channel>\(items)").isCutOff)
        #expect(try feed("<rss><channel>\(items)<item><tit").isCutOff)
    }
}
