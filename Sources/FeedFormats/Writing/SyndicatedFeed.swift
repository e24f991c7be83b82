package import FeedModel

/// A feed as the formats of feed readers have it (docs/ITEMS.md).
package struct SyndicatedFeed {
    /// What the bytes depend on beside the feed.
    package struct Options: Sendable, Equatable {
        /// The feed's name.
        package var name: String
        /// Where readers reach the server, without a slash at the end; `nil`: not known.
        package var publicURL: String?
        /// What ids of entries begin with; `nil`: the public address.
        package var entryBase: String?
        /// Whether items keep the ids that they had where they came from.
        package var keepsIDs = false
        /// The names of all feeds that are made of others, in order, if this is one: its items' ids
        /// begin with the names of their feeds.
        package var derived: [String] = []
        /// The names of those that it is made of whose items keep their ids, in order.
        package var keepingOrigins: [String] = []

        package init(name: String) { self.name = name }

        /// The feed that an item is of, and its id there.
        package func origin(of id: String) -> (feed: String, id: String) {
            var origin = (feed: name, id: id)
            while derived.contains(origin.feed), let slash = origin.id.firstIndex(of: "/") {
                origin = (
                    String(origin.id[..<slash]), String(origin.id[origin.id.index(after: slash)...])
                )
            }
            return origin
        }
    }

    let options: Options
    let members: [String: JSONValue]
    let entries: [SyndicatedEntry]
    /// When anything of it last changed, seconds since 1970.
    let changed: Int

    /// - Parameters:
    ///   - snapshot: The feed.
    ///   - changed: When its version was published, seconds since 1970.
    ///   - items: The items to write, in their order; `nil`: all.
    package init(_ snapshot: Snapshot, _ options: Options, changed: Int, items: [FeedItem]? = nil) {
        self.options = options
        self.changed = changed
        members = Dictionary(
            snapshot.members.list.map { ($0.name.string, JSONValue($0.value)) }
        ) { first, _ in first }
        let items = items ?? snapshot.sections.flatMap { Array($0.items) }
        entries = items.map { SyndicatedEntry($0, options) }
    }

    /// The document.
    package func document(_ format: SyndicationFormat) -> [UInt8] {
        switch format {
        case .jsonFeed: JSONFeedWriter(self).document
        case .atom: AtomWriter(self).document
        case .rss: RSSWriter(self).document
        }
    }

    var title: String { members["title"]?.scalar ?? options.name }

    func address(_ member: String) -> String? {
        members[member]?.scalar.flatMap { WebAddress.isWeb($0) ? $0 : nil }
    }

    /// The feed's own address in a format.
    func selfAddress(_ format: SyndicationFormat) -> String? {
        options.publicURL.map { "\($0)/feeds/\(options.name).\(format.rawValue)" }
    }

    /// What the feed is known by: it stays when the format changes.
    var id: String { SyndicatedFeed.id(of: options.name, options) }

    /// What a feed of this server is known by.
    static func id(of name: String, _ options: Options) -> String {
        if let base = options.entryBase ?? options.publicURL { return "\(base)/feeds/\(name)" }
        return "tag:freshet,2026:\(name)"
    }

    var author: SourceAuthor? { SyndicatedEntry.authors(members).first }
}

/// An item as the formats of feed readers have it.
struct SyndicatedEntry {
    /// A URI.
    let id: String
    /// What it was known by where it came from, which need be no URI; else ``id``.
    let guid: String
    /// The feed of this server that it is of, if that is another one: its name and id.
    let origin: (name: String, id: String)?
    let title: String?
    let url: String?
    let externalURL: String?
    let summary: String?
    let contentHTML: String?
    let content: String?
    let authors: [SourceAuthor]
    let published: FeedDate?
    let updated: FeedDate?
    let image: String?
    let tags: [String]
    let attachments: [SourceAttachment]
    let language: String?
    /// When the server first saw it and last saw it change; 0: not known.
    let seen: (first: Int, changed: Int)

    init(_ item: FeedItem, _ options: SyndicatedFeed.Options) {
        let members = Dictionary(
            item.members.list.map { ($0.name.string, JSONValue($0.value)) }
        ) { first, _ in first }
        func text(_ name: String) -> String? { members[name]?.scalar?.nonempty }
        func address(_ name: String) -> String? {
            text(name).flatMap { WebAddress.isWeb($0) ? $0 : nil }
        }
        let place = options.origin(of: item.id.string)
        let isOwn = place.feed == options.name
        let keepsID = isOwn ? options.keepsIDs : options.keepingOrigins.contains(place.feed)
        id = SyndicatedEntry.id(place, guid: text("guid"), keepsID, options)
        guid = keepsID ? text("guid") ?? place.id : id
        origin = isOwn ? nil : (place.feed, SyndicatedFeed.id(of: place.feed, options))
        title = (text("title") ?? text("headline") ?? text("name"))?.singleLine
        url = address("url")
        externalURL = address("external_url")
        summary = text("summary")
        contentHTML = text("content_html")
        content = text("content")
        authors = SyndicatedEntry.authors(members)
        published = text("published").flatMap { FeedDate(parsing: $0) }
        updated = text("updated").flatMap { FeedDate(parsing: $0) }
        image = address("image")
        language = text("language")
        if case .array(let tags)? = members["tags"] {
            self.tags = tags.compactMap { $0.scalar?.nonempty }
        } else {
            tags = []
        }
        if case .array(let files)? = members["attachments"] {
            attachments = files.compactMap(SyndicatedEntry.attachment)
        } else {
            attachments = []
        }
        seen = (Int(item.seen.first), Int(item.seen.changed))
    }

    /// An id that lasts (RFC 4287 §4.2.6): the one that the entry had where it came from, if that is a
    /// URI, else one of the server's.
    private static func id(
        _ place: (feed: String, id: String),
        guid: String?,
        _ keepsID: Bool,
        _ options: SyndicatedFeed.Options
    ) -> String {
        let original = guid ?? place.id
        if keepsID, isURI(original) { return original }
        let path = percentEncoded(place.id)
        if let base = options.entryBase ?? options.publicURL {
            return "\(base)/feeds/\(place.feed)/items/\(path)"
        }
        return "tag:freshet,2026:\(place.feed)/\(path)"
    }

    private static func isURI(_ text: String) -> Bool {
        guard let scheme = WebAddress.scheme(of: text), scheme.utf8.count > 1 else { return false }
        return text.utf8.allSatisfy {
            $0 > 0x20 && $0 != 0x7F && $0 != 0x22 && $0 != 0x3C && $0 != 0x3E
        }
    }

    private static func percentEncoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            if byte.isASCIIAlphanumeric || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }

    static func authors(_ members: [String: JSONValue]) -> [SourceAuthor] {
        var all: [JSONValue] = []
        if case .array(let authors)? = members["authors"] { all = authors }
        if all.isEmpty, let author = members["author"] { all = [author] }
        return all.compactMap { author in
            if let name = author.scalar?.nonempty { return SourceAuthor(name: name.singleLine) }
            guard let name = author.text("name") else { return nil }
            let url = author.text("url").flatMap { WebAddress.isWeb($0) ? $0 : nil }
            return SourceAuthor(name: name.singleLine, url: url)
        }
    }

    private static func attachment(_ value: JSONValue) -> SourceAttachment? {
        guard let url = value.text("url"), WebAddress.isWeb(url) else { return nil }
        return SourceAttachment(
            url: url,
            type: value.text("mime_type"),
            byteCount: value.text("size_in_bytes").flatMap { Int($0) },
            seconds: value.text("duration_in_seconds").flatMap { Int($0) },
            title: value.text("title")
        )
    }

    /// When it was published, or else first seen.
    var date: FeedDate? { published ?? (seen.first > 0 ? FeedDate(seconds: seen.first) : nil) }

    /// When it last changed, as it says or as the server saw it.
    var modified: FeedDate? {
        updated ?? (seen.changed > 0 ? FeedDate(seconds: seen.changed) : nil) ?? date
    }
}
