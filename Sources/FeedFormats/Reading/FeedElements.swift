import FeedModel

/// Reads the elements of a feed itself.
struct FeedElements {
    private let reader: FeedReader

    init(_ reader: FeedReader) { self.reader = reader }

    func take(_ nodes: [XMLNode], into feed: inout SourceFeed) {
        var period: Int?
        var frequency = 1
        var podcast = SourceFeed(feed.format)
        var module = SourceFeed(feed.format)
        for node in nodes {
            switch (node.namespace, node.element) {
            case (.rss, _), (.atom, _), (.atom03, _): core(node, &feed)
            case (.dublinCore, .creator), (.itunes, .author): author(node, &feed)
            case (.dublinCore, .date), (.dublinCoreTerms, .modified):
                feed.updated = feed.updated ?? FeedDate(parsing: node.text)
            case (.dublinCore, _): dublinCore(node, &module)
            case (.itunes, .image):
                feed.icon =
                    feed.icon ?? node["href"].map { WebAddress.resolve($0, base: node.base) }
            case (.itunes, _): itunes(node, &podcast)
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
        feed.title = feed.title ?? module.title ?? podcast.title
        feed.description = feed.description ?? module.description ?? podcast.description
        feed.language = feed.language ?? module.language
        if feed.interval == nil, let period { feed.interval = period / frequency }
    }

    private func core(_ node: XMLNode, _ feed: inout SourceFeed) {
        switch node.element {
        case .title: feed.title = feed.title ?? TextConstruct(node).line
        case .description, .subtitle, .tagline, .abstract:
            feed.description = feed.description ?? TextConstruct(node).text
        case .link: link(node, &feed)
        case .language: feed.language = feed.language ?? node.text.nonempty
        case .image:
            let url = node.child("url")?.text ?? node["href"]
            feed.icon = feed.icon ?? url?.nonempty.map { WebAddress.resolve($0, base: node.base) }
        case .logo, .icon:
            feed.icon =
                feed.icon ?? node.text.nonempty.map { WebAddress.resolve($0, base: node.base) }
        case .author, .managingEditor: author(node, &feed)
        case .updated, .modified, .lastBuildDate, .pubDate:
            feed.updated = feed.updated ?? FeedDate(parsing: node.text)
        case .generator:
            feed.hasHeadings = node.namespace == .atom && node.text == AtomWriter.generator
        case .ttl:
            feed.interval = Int(digits: node.text.trimmed.utf8).flatMap {
                $0 <= 525_600 ? $0 * 60 : nil
            }
        default: break
        }
    }

    /// Reads an element whose value the channel's own element replaces.
    private func dublinCore(_ node: XMLNode, _ module: inout SourceFeed) {
        switch node.element {
        case .title: module.title = module.title ?? TextConstruct(node).line
        case .description: module.description = module.description ?? TextConstruct(node).text
        case .language: module.language = module.language ?? node.text.nonempty
        default: break
        }
    }

    /// Reads an element whose value the elements of the channel and Dublin Core replace; the
    /// longest description is taken.
    private func itunes(_ node: XMLNode, _ podcast: inout SourceFeed) {
        switch node.element {
        case .title: podcast.title = podcast.title ?? TextConstruct(node).line
        case .summary, .subtitle:
            let text = TextConstruct(node).text ?? ""
            if text.utf8.count > podcast.description?.utf8.count ?? 0 { podcast.description = text }
        default: break
        }
    }

    private func author(_ node: XMLNode, _ feed: inout SourceFeed) {
        feed.author = feed.author ?? SourceAuthor(node)
    }

    private func link(_ node: XMLNode, _ feed: inout SourceFeed) {
        guard let address = node["href"]?.nonempty ?? node.text.nonempty else { return }
        let url = WebAddress.resolve(address, base: node.base)
        switch node.relation {
        case "alternate":
            // A page comes before a feed in another format.
            let isFeed = node["type"].map { $0.contains("xml") && !$0.contains("xhtml") } ?? false
            if !isFeed { feed.url = feed.url ?? url }
        case "self": feed.selfAddress = feed.selfAddress ?? url
        case "hub": feed.hub = feed.hub ?? url
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
