/// The feeds that a web page names.
package struct PageLinks: Sendable, Equatable {
    /// The addresses in `<link rel="alternate">` of a feed's type, in their order, each once.
    package var feeds: [String] = []
    /// The addresses of lists of feeds (OPML).
    package var lists: [String] = []
    /// The addresses of the page's visible links that look like a feed's, such as `/rss`.
    package var pages: [String] = []

    /// The most links that are taken.
    private static let limit = 20

    /// Finds the feeds that a page of HTML links to, in the encoding that its response names;
    /// another document has no links.
    package init(_ page: [UInt8], address: String, charset: String? = nil) {
        let (text, _) = TextEncoding.decode(page, charset: charset)
        // The first `base` applies to all links, also to those before it (HTML Standard §4.2.3).
        let base = PageLinks.base(text).map { WebAddress.resolve($0, base: address) } ?? address
        var tokenizer = HTMLTokenizer(text[...])
        while let token = tokenizer.next(), feeds.count + lists.count < PageLinks.limit {
            guard case .start(let name, let attributes) = token else { continue }
            guard let href = attributes["href"], name.text == "link" || name.text == "a" else {
                continue
            }
            let relations = (attributes["rel"] ?? "").lowercased()
                .split(whereSeparator: \.isWhitespace)
            let type = (attributes["type"] ?? "").lowercased()
            let url = WebAddress.resolve(WebAddress.withWebScheme(href), base: base)
            guard WebAddress.isWeb(url) else { continue }
            let isAlternate = relations.contains("alternate")
            if relations.contains("feed") || isAlternate && PageLinks.isFeed(type) {
                if !feeds.contains(url) { feeds.append(url) }
            } else if isAlternate, type.contains("opml"), !lists.contains(url) {
                lists.append(url)
            } else if name.text == "a", pages.count < PageLinks.limit, PageLinks.isNamedAsFeed(url),
                !pages.contains(url)
            {
                pages.append(url)
            }
        }
    }

    private static func base(_ text: [UInt8]) -> String? {
        var tokenizer = HTMLTokenizer(text[...])
        while let token = tokenizer.next() {
            guard case .start(let name, let attributes) = token, name.text == "base" else {
                continue
            }
            if let href = attributes["href"] { return href }
        }
        return nil
    }

    /// Returns whether the last part of an address's path has a name that is usual for feeds.
    private static func isNamedAsFeed(_ address: String) -> Bool {
        guard let name = WebAddress.parts(address).dropFirst(2).last?.lowercased() else {
            return false
        }
        let names = ["feed", "feeds", "rss", "atom", "feed.json", "index.xml", "rss2"]
        return names.contains(name)
            || [".rss", ".atom", ".rdf"].contains { name.hasSuffix($0) }
            || name.hasSuffix(".xml") && ["feed", "rss", "atom"].contains { name.contains($0) }
    }

    /// Returns whether a media type is one that feeds have; JSON Feed 1.0 had the type of any JSON.
    package static func isFeed(_ type: String) -> Bool {
        ["rss", "atom", "json", "rdf+xml", "text/xml", "application/xml"]
            .contains { type.contains($0) }
    }
}
