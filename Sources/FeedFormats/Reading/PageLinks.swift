/// The feeds that a web page names.
package struct PageLinks: Sendable, Equatable {
    /// Addresses in `<link rel="alternate">` of a feed's type, in their order, each once.
    package var feeds: [String] = []
    /// Those of lists of feeds (OPML).
    package var lists: [String] = []

    /// The most links that are taken.
    private static let limit = 20

    /// Looks through a page.
    ///
    /// - Parameters:
    ///   - page: HTML; what is none has no links.
    ///   - address: Where it was.
    ///   - charset: What its transport says of its encoding.
    package init(_ page: [UInt8], address: String, charset: String? = nil) {
        var base = address
        let (text, _) = TextEncoding.decode(page, charset: charset)
        var tokenizer = HTMLTokenizer(text[...])
        while let token = tokenizer.next(), feeds.count + lists.count < PageLinks.limit {
            guard case .start(let name, let attributes) = token else { continue }
            func value(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
            guard let href = value("href") else { continue }
            if name.text == "base" { base = WebAddress.resolve(href, base: address) }
            guard name.text == "link" || name.text == "a" else { continue }
            let relations = (value("rel") ?? "").lowercased().split(whereSeparator: \.isWhitespace)
            let type = (value("type") ?? "").lowercased()
            let url = WebAddress.resolve(href, base: base)
            guard WebAddress.isWeb(url) else { continue }
            let isAlternate = relations.contains("alternate")
            if relations.contains("feed") || isAlternate && PageLinks.isFeed(type) {
                if !feeds.contains(url) { feeds.append(url) }
            } else if isAlternate, type.contains("opml"), !lists.contains(url) {
                lists.append(url)
            }
        }
    }

    /// Whether a type is one that feeds have; JSON Feed 1.0 had that of any JSON.
    private static func isFeed(_ type: String) -> Bool {
        ["rss", "atom", "json", "rdf+xml"].contains { type.contains($0) }
    }
}
