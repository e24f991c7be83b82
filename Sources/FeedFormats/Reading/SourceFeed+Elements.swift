import FeedModel

/// Reads a feed's own elements.
extension SourceFeed {
    /// Takes the elements of the feed that are no entries.
    mutating func take(_ nodes: [XMLNode]) {
        var period: Int?
        var frequency = 1
        var podcast = SourceFeed(format)
        var module = SourceFeed(format)
        for node in nodes {
            switch (node.namespace, node.element) {
            case (.rss, _), (.atom, _), (.atom03, _): core(node)
            case (.dublinCore, .creator), (.itunes, .author): takeAuthor(node)
            case (.dublinCore, .date), (.dublinCoreTerms, .modified):
                updated = updated ?? FeedDate(parsing: node.text)
            case (.dublinCore, _): module.dublinCore(node)
            case (.itunes, .image):
                icon = icon ?? node["href"].map { WebAddress.resolve($0, base: node.base) }
            case (.itunes, _): podcast.itunes(node)
            case (.other, .updatePeriod):
                period =
                    [
                        "hourly": 3600, "daily": 86_400, "weekly": 604_800, "monthly": 2_592_000,
                        "yearly": 31_536_000,
                    ][node.text.trimmed.lowercased()]
            case (.other, .updateFrequency):
                frequency = max(1, Int(digits: node.text.trimmed.utf8) ?? 1)
            default: break
            }
        }
        // The channel's own elements come before those of its modules, in whatever order they
        // stand.
        title = title ?? module.title ?? podcast.title
        description = description ?? module.description ?? podcast.description
        language = language ?? module.language
        if interval == nil, let period { interval = period / frequency }
    }

    private mutating func core(_ node: XMLNode) {
        switch node.element {
        case .title: title = title ?? TextConstruct(node).line
        case .description, .subtitle, .tagline, .abstract:
            description = description ?? TextConstruct(node).text
        case .link: takeLink(node)
        case .language: language = language ?? node.text.nonempty
        case .image:
            let url = node.child("url")?.text ?? node["href"]
            icon = icon ?? url?.nonempty.map { WebAddress.resolve($0, base: node.base) }
        case .logo, .icon:
            icon = icon ?? node.text.nonempty.map { WebAddress.resolve($0, base: node.base) }
        case .author, .managingEditor: takeAuthor(node)
        case .updated, .modified, .lastBuildDate, .pubDate:
            updated = updated ?? FeedDate(parsing: node.text)
        case .generator:
            hasHeadings = node.namespace == .atom && node.text == SyndicatedFeed.generator
        case .ttl:
            interval = Int(digits: node.text.trimmed.utf8).flatMap {
                $0 <= 525_600 ? $0 * 60 : nil
            }
        default: break
        }
    }

    /// Reads an element whose value the channel's own element replaces.
    private mutating func dublinCore(_ node: XMLNode) {
        switch node.element {
        case .title: title = title ?? TextConstruct(node).line
        case .description: description = description ?? TextConstruct(node).text
        case .language: language = language ?? node.text.nonempty
        default: break
        }
    }

    /// Reads an element whose value the elements of the channel and Dublin Core replace; the
    /// longest description is taken.
    private mutating func itunes(_ node: XMLNode) {
        switch node.element {
        case .title: title = title ?? TextConstruct(node).line
        case .summary, .subtitle:
            let text = TextConstruct(node).text ?? ""
            if text.utf8.count > description?.utf8.count ?? 0 { description = text }
        default: break
        }
    }

    private mutating func takeAuthor(_ node: XMLNode) { author = author ?? SourceAuthor(node) }

    private mutating func takeLink(_ node: XMLNode) {
        guard let address = node["href"]?.nonempty ?? node.text.nonempty else { return }
        let target = WebAddress.resolve(address, base: node.base)
        switch node.relation {
        case "alternate":
            // A page comes before a feed in another format.
            let isFeed = node["type"].map { $0.contains("xml") && !$0.contains("xhtml") } ?? false
            if !isFeed { url = url ?? target }
        case "self": selfAddress = selfAddress ?? target
        case "hub": hub = hub ?? target
        default: break
        }
    }
}

extension XMLNode {
    /// The relation of a link, in lower case; a name of IANA may be an IRI (RFC 4287 §4.2.7.2).
    var relation: String {
        let relation = self["rel"]?.trimmed.lowercased() ?? "alternate"
        let registry = "http://www.iana.org/assignments/relation/"
        return relation.hasPrefix(registry) ? String(relation.dropFirst(registry.count)) : relation
    }
}

extension SourceAuthor {
    /// Reads an author's element: a person construct of Atom, or a text that may hold an address.
    init?(_ node: XMLNode) {
        let (name, mail) = (node.child("name"), node.child("email"))
        let address = node.children.first { $0.name == "uri" || $0.name == "url" }
        if name != nil || mail != nil || address != nil {
            guard let text = (name?.text.nonempty ?? mail?.text.nonempty ?? address?.text.nonempty)
            else { return nil }
            self.init(
                name: text.singleLine,
                url: address?.text.nonempty.map { WebAddress.resolve($0, base: node.base) }
            )
        } else {
            self.init(text: TextConstruct(node).line ?? "")
        }
    }

    /// Reads `name@example.com (A Name)`, as RSS has it, `A Name (name@example.com)`, `A Name
    /// <name@example.com>`, or a name.
    init?(text: String) {
        var name = text.trimmed
        if let open = name.firstIndex(of: "("), name.last == ")", open > name.startIndex {
            let inner = name[name.index(after: open)...].dropLast()
            if name[..<open].contains("@") {
                name = String(inner)
            } else if inner.contains("@") {
                name = String(name[..<open])
            }
        } else if let open = name.firstIndex(of: "<"), name.last == ">", open > name.startIndex {
            name = String(name[..<open])
        }
        guard let name = name.nonempty else { return nil }
        self.init(name: String(name.prefix(500)), url: nil)
    }
}
