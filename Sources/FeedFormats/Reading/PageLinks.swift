/// The feeds that a web page names.
package enum PageLinks {
    /// Addresses in `<link rel=alternate>` of a feed's type, in their order, each once.
    package static func feeds(_ page: [UInt8], address: String) -> [String] {
        var found: [String] = []
        var base = address
        let (text, _) = TextEncoding.decode(page, charset: nil)
        var tokenizer = HTMLTokenizer(text[...])
        while let token = tokenizer.next(), found.count < 20 {
            guard case .start(let name, let attributes) = token else { continue }
            func value(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
            if name == "base", let href = value("href") {
                base = WebAddress.resolve(href, base: address)
            }
            guard name == "link" || name == "a", let href = value("href") else { continue }
            let relations = (value("rel") ?? "").lowercased().split(separator: " ")
            let type = (value("type") ?? "").lowercased()
            let isFeed = ["rss", "atom", "feed+json", "rdf+xml"].contains(where: type.contains)
            guard relations.contains("feed") || relations.contains("alternate") && isFeed else {
                continue
            }
            let url = WebAddress.resolve(href, base: base)
            if WebAddress.isWeb(url), !found.contains(url) { found.append(url) }
        }
        return found
    }
}
