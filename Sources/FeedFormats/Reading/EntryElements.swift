import FeedModel

/// Reads the elements of an entry.
struct EntryElements {
    private let reader: FeedReader
    /// The feed's properties that its entries depend on.
    private let format: SourceFeed.Format
    private let page: String?
    private let feedLanguage: String?
    private let hasHeadings: Bool
    private let isDayFirst: Bool

    init(_ reader: FeedReader, feed: SourceFeed, isDayFirst: Bool = false) {
        self.isDayFirst = isDayFirst
        self.reader = reader
        format = feed.format
        page = feed.url
        feedLanguage = feed.language
        hasHeadings = feed.hasHeadings
    }

    /// Returns whether the two may read an entry differently; both have the same reader.
    static func != (left: EntryElements, right: EntryElements) -> Bool {
        func areOther(_ left: String?, _ right: String?) -> Bool {
            left.map { ExactString($0) } != right.map { ExactString($0) }
        }
        return left.format != right.format || areOther(left.page, right.page)
            || areOther(left.feedLanguage, right.feedLanguage)
            || left.hasHeadings != right.hasHeadings || left.isDayFirst != right.isDayFirst
    }

    /// An entry as its elements have described it so far.
    struct Draft {
        var entry = SourceEntry()
        /// The best element for the content: its rank, text and node.
        var content: (rank: Int, text: TextConstruct, node: XMLNode)?
        var summary: (rank: Int, text: TextConstruct, node: XMLNode)?
        /// The longest text among the elements that can hold a summary.
        var longest: (text: TextConstruct, node: XMLNode)?
        var description: XMLNode?
        var permalink: String?
        var alternate: (rank: Int, url: String)?
        /// The best element that names a picture: its rank and address.
        var image: (rank: Int, url: String)?
        /// The time at which the entry was made, used if there is no time of publishing.
        var created: FeedDate?
        /// The authors of the feed that the entry was copied from (RFC 4287 §4.2.11).
        var originAuthors: [SourceAuthor] = []
        var media: [SourceAttachment] = []
        var mediaTitle: String?
        var duration: Int?
        var hasBase = false

        mutating func offer(content node: XMLNode, rank: Int) {
            if let content, content.rank <= rank { return }
            let text = TextConstruct(node)
            if text.value.nonempty != nil { content = (rank, text, node) }
        }

        mutating func offer(summary node: XMLNode, rank: Int) {
            let text = TextConstruct(node)
            guard text.value.nonempty != nil else { return }
            if longest.map({ $0.text.value.utf8.count < text.value.utf8.count }) ?? true {
                longest = (text, node)
            }
            if let summary, summary.rank <= rank { return }
            summary = (rank, text, node)
        }

        mutating func offer(image url: String?, of node: XMLNode, rank: Int) {
            if let image, image.rank <= rank { return }
            guard let url = url?.nonempty else { return }
            let address = WebAddress.resolve(url, base: node.base)
            if WebAddress.isWeb(address) { image = (rank, address) }
        }

        /// Adds a tag, unless it is there already; at most 100 are taken.
        mutating func add(tag: String?) {
            guard let tag, entry.tags.count < 100 else { return }
            let text = String(tag.prefix(200))
            if !entry.tags.contains(text) { entry.tags.append(text) }
        }

        /// Adds the tags of an element that lists them with commas.
        mutating func add(keywords node: XMLNode) {
            for name in node.text.split(separator: ",") { add(tag: String(name).nonempty) }
        }

        /// Adds a file; past 200, files are ignored and not made.
        mutating func add(file: @autoclosure () -> SourceAttachment) {
            if media.count < 200 { media.append(file()) }
        }

        /// Adds the file at an address, with the type and length that its element states.
        mutating func add(
            file url: String,
            of node: XMLNode,
            length: String = "length",
            seconds: Int? = nil,
            title: String? = nil
        ) {
            add(
                file: SourceAttachment(
                    url: url,
                    type: node["type"]?.nonempty ?? MediaType.named(url),
                    byteCount: node.byteCount(length),
                    seconds: seconds,
                    title: title
                )
            )
        }

        /// Adds an author, up to 50.
        mutating func add(author: SourceAuthor) {
            if entry.authors.count < 50 { entry.authors.append(author) }
        }

        /// Takes the attributes of an item in the Channel Definition Format (`ITEM`).
        mutating func take(channelDefinition node: XMLNode) {
            guard node.namespace == .rss else { return }
            if let address = node["href"]?.nonempty {
                alternate = (3, WebAddress.resolve(address, base: node.base))
            }
            entry.updated = node["lastmod"].flatMap { FeedDate(parsing: $0) }
        }
    }

    func entry(_ node: XMLNode) -> SourceEntry {
        var draft = Draft()
        draft.hasBase = node.base != reader.address
        if let about = node.attributes.first(where: { $0.name == "about" })?.value.nonempty {
            draft.entry.guid = about
        }
        draft.take(channelDefinition: node)
        draft.entry.language = language(node)
        for case .node(let child) in node.content { take(child, &draft) }
        finish(&draft)
        // The entry is swapped out, since a copy takes longer.
        var entry = SourceEntry()
        swap(&entry, &draft.entry)
        return entry
    }

    /// Returns the language in `xml:lang`, if it is not the feed's.
    private func language(_ node: XMLNode) -> String? {
        let language = node.attributes.first { $0.namespace == .xml && $0.name == "lang" }
        return language?.value.nonempty.flatMap { $0 == feedLanguage ? nil : $0 }
    }

    private func take(_ node: XMLNode, _ draft: inout Draft) {
        switch node.namespace {
        case .rss, .atom, .atom03, .rdf: core(node, &draft)
        case .content where node.element == .encoded: draft.offer(content: node, rank: 0)
        case .xhtml where node.element == .body || node.element == .div:
            draft.offer(content: node, rank: 2)
        case .dublinCore, .dublinCoreTerms: dublinCore(node, &draft)
        case .itunes: podcast(node, &draft)
        case .media: media(node, &draft)
        case .feedBurner where node.element == .originalLink:
            if let url = node.text.nonempty, WebAddress.isWeb(url.trimmed) {
                draft.alternate = (0, WebAddress.resolve(url, base: node.base))
            }
        default: break
        }
    }

    func date(_ node: XMLNode) -> FeedDate? {
        FeedDate(parsing: node.text, isDayFirst: isDayFirst)
    }

    private func core(_ node: XMLNode, _ draft: inout Draft) {
        switch node.element {
        case .title:
            if hasHeadings, node["type"] != nil { break }
            draft.entry.title = draft.entry.title ?? title(node)
        case .link: link(node, &draft)
        case .guid:
            guard let text = node.text.nonempty else { break }
            draft.entry.guid = text
            if node["ispermalink"]?.lowercased() != "false", WebAddress.isWeb(text) {
                draft.permalink = text
            }
        case .id: if let text = node.text.nonempty { draft.entry.guid = text }
        case .description, .abstract: draft.description = draft.description ?? node
        case .summary: draft.offer(summary: node, rank: 0)
        case .content, .fulltext, .fullItem, .body, .xhtmlBody: content(node, &draft)
        case .author: if let author = SourceAuthor(node) { draft.add(author: author) }
        case .contributor: break
        case .source:
            draft.originAuthors = node.children.filter { $0.name == "author" }
                .compactMap { SourceAuthor($0) }
        case .pubDate, .published, .issued:
            draft.entry.published = date(node) ?? draft.entry.published
        case .created: draft.created = date(node)
        case .updated, .modified:
            draft.entry.updated = date(node) ?? draft.entry.updated
        case .category: category(node, &draft)
        case .categories: for child in node.children { take(child, &draft) }
        case .enclosure: enclosure(node, &draft)
        case .image:
            let url = node.child("url")?.text ?? node["href"] ?? node.text
            draft.offer(image: url, of: node, rank: 1)
        default: break
        }
    }

    /// Returns a title's text; in RSS it is HTML only if it has a tag or a reference of HTML.
    func title(_ node: XMLNode) -> String? { TextConstruct(node).line }

    private func content(_ node: XMLNode, _ draft: inout Draft) {
        let type = node["type"]?.trimmed.lowercased() ?? ""
        if let source = node["src"]?.nonempty {
            let url = WebAddress.resolve(source, base: node.base)
            if type.isEmpty || type.hasPrefix("text/") || type.contains("html") {
                draft.alternate = draft.alternate ?? (2, url)
            } else {
                draft.add(file: SourceAttachment(url: url, type: type))
            }
            return
        }
        if type == "multipart/alternative" {
            // The best alternative comes last (RFC 2046 §5.1.4).
            for part in node.children.reversed() where part.element == .content {
                content(part, &draft)
            }
            return
        }
        let isOther = type.contains("/") && !type.hasPrefix("text/") && !type.hasSuffix("xml")
        if !isOther { draft.offer(content: node, rank: 1) }
    }

    private func link(_ node: XMLNode, _ draft: inout Draft) {
        guard let address = node["href"]?.nonempty ?? node.text.nonempty else { return }
        let url = WebAddress.resolve(address, base: node.base)
        switch node.relation {
        case "alternate":
            let isPage = node["type"].map { $0.contains("html") } ?? true
            let rank = isPage ? 1 : 3
            if draft.alternate.map({ $0.rank > rank }) ?? true { draft.alternate = (rank, url) }
        case "enclosure":
            draft.add(file: url, of: node, title: node["title"]?.nonempty)
        case "related", "via":
            if draft.entry.externalURL == nil { draft.entry.externalURL = url }
        default: break
        }
    }

    private func category(_ node: XMLNode, _ draft: inout Draft) {
        let name = node["label"]?.nonempty ?? node["term"]?.nonempty ?? tag(node.text)
        draft.add(tag: name)
    }

    /// Returns a tag's text with its references resolved once more: many feeds escape tags twice.
    func tag(_ name: String) -> String? {
        CharacterReferences.text(Array(name.utf8)[...]).singleLine.nonempty
    }

    private func enclosure(_ node: XMLNode, _ draft: inout Draft) {
        guard let url = (node["url"] ?? node["href"])?.nonempty else { return }
        draft.add(file: WebAddress.resolve(url, base: node.base), of: node)
    }
}

/// Completes an entry after its last element.
extension EntryElements {
    private func finish(_ draft: inout Draft) {
        var url = draft.alternate?.url ?? draft.permalink
        if url == nil, let guid = draft.entry.guid, WebAddress.isWeb(guid), format != .rss {
            url = guid
        }
        draft.entry.url = url.map(WebAddress.withoutTracking)
        if draft.entry.externalURL == draft.entry.url { draft.entry.externalURL = nil }
        offerDescription(&draft)
        setTexts(&draft)
        draft.entry.published = draft.entry.published ?? draft.created
        draft.entry.image = draft.image?.url
        if draft.entry.authors.isEmpty { draft.entry.authors = draft.originAuthors }
        draft.entry.title = draft.entry.title ?? draft.mediaTitle
        if !draft.media.isEmpty { draft.entry.attachments = attachments(draft) }
        draft.entry.image = draft.entry.image ?? MediaType.image(among: draft.entry.attachments)
    }

    /// Uses the description as the content, or as the summary if there is content.
    ///
    /// Without either, a summary that is HTML or long counts as the content.
    private func offerDescription(_ draft: inout Draft) {
        if let description = draft.description {
            // An Atom summary of the same text says that the description is only a summary.
            let summary = draft.summary.flatMap { $0.node.namespace == .atom ? $0.text.line : nil }
            if let content = draft.content {
                // Many feeds repeat the content for readers that know no other element.
                if TextConstruct(description).value != content.text.value {
                    draft.offer(summary: description, rank: 0)
                }
            } else if summary == nil || summary != TextConstruct(description).line {
                draft.offer(content: description, rank: 5)
            }
        }
        guard draft.content == nil, let (rank, text, node) = draft.summary else { return }
        // If there are two summaries, the longer one is the content.
        if let longest = draft.longest, longest.node !== node, longest.text.line != text.line {
            draft.content = (rank, longest.text, longest.node)
            return
        }
        if text.isHTML && HTMLText.isMarkup(text.value) || text.value.utf8.count > 2000 {
            draft.content = (rank, text, node)
            draft.summary = nil
        }
    }

    private func setTexts(_ draft: inout Draft) {
        if let (_, text, node) = draft.content {
            let base =
                draft.hasBase || node.base != reader.address
                ? node.base : draft.entry.url ?? page ?? node.base
            let value = text.value
            let isMarkup = text.isHTML && HTMLText.isMarkup(value)
            if isMarkup || text.isHTML && value.has(UInt8(ascii: "&")) {
                draft.entry.contentHTML = reader.html(text.value, base: base)
            } else {
                draft.entry.content = text.value.nonempty
            }
        }
        if let summary = draft.summary?.text.text, summary != draft.entry.content {
            draft.entry.summary = summary.cut
        }
    }

    /// Returns the files, each address once.
    private func attachments(_ draft: Draft) -> [SourceAttachment] {
        var seen: Set<String> = []
        var files = draft.media.filter { WebAddress.isWeb($0.url) && seen.insert($0.url).inserted }
        if let first = files.first, first.seconds == nil { files[0].seconds = draft.duration }
        return Array(files.prefix(50))
    }
}
