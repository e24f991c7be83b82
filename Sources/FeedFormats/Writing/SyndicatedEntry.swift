import FeedModel

/// An item as the formats of feed readers have it.
struct SyndicatedEntry {
    /// The entry's id, a URI.
    let id: String
    /// The guid that the entry had in its source, which need not be a URI; otherwise ``id``.
    let guid: String
    /// The name and id of the feed of this server that the item comes from; `nil`: it is the feed
    /// itself.
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
    /// The times at which the server first saw the item and last saw it change, in seconds since
    /// 1970; 0: not known.
    let seen: (first: Int, changed: Int)

    /// The names of the members that an entry is written from; an item may have many others.
    private static let names: [ExactString] = [
        "guid", "title", "headline", "name", "url", "external_url", "summary", "content_html",
        "content", "content_text", "authors", "author", "published", "date_published", "updated",
        "date_modified", "image", "banner_image", "language", "tags", "attachments",
    ]

    init(_ item: FeedItem, _ options: SyndicatedFeed.Options) {
        let values = item.values(of: SyndicatedEntry.names)
        let members = JSONValue.object(
            values.map { JSONValue.Entry(name: $0, value: JSONValue($1)) }
        )
        func text(_ name: ExactString) -> String? { members.text(name) }
        func address(_ name: ExactString) -> String? { text(name).flatMap(WebAddress.written) }
        let source = options.origin(of: item.id.string)
        let isOwn = source.feed == options.name
        let keepsID = isOwn ? options.keepsIDs : options.keepingOrigins.contains(source.feed)
        // The id is the guid that the entry first came with, unless that cannot be an id: then it
        // is the guid's digest. Guids that several entries have, or that change later, do not
        // count.
        let guid = text("guid").flatMap { EntryID.digest($0) == source.id ? $0 : nil } ?? source.id
        id = SyndicatedEntry.id(source, original: guid, keepsID, options)
        // Several feeds may have the same guid, unless that is a URI.
        self.guid = keepsID && isOwn ? guid : id
        origin = isOwn ? nil : (source.feed, SyndicatedFeed.id(of: source.feed, options))
        title = (text("title") ?? text("headline") ?? text("name"))?.singleLine.nonempty
        url = address("url")
        externalURL = address("external_url")
        summary = text("summary")
        contentHTML = text("content_html")
        content = text("content") ?? text("content_text")
        authors = SyndicatedEntry.authors(members)
        published = (text("published") ?? text("date_published")).flatMap(SyndicatedEntry.date)
        updated = (text("updated") ?? text("date_modified")).flatMap(SyndicatedEntry.date)
        image = address("image") ?? address("banner_image")
        language = text("language")?.languageTag
        tags = members.elements("tags").compactMap { $0.scalar?.singleLine.nonempty }
        attachments = members.elements("attachments").compactMap(SyndicatedEntry.attachment)
        seen = (Int(item.seen.first), Int(item.seen.changed))
    }

    /// Returns an id that lasts (RFC 4287 §4.2.6): the id that the entry had in its source, if that
    /// is a URI, otherwise one of the server's.
    private static func id(
        _ source: (feed: String, id: String),
        original: String,
        _ keepsID: Bool,
        _ options: SyndicatedFeed.Options
    ) -> String {
        if keepsID, isURI(original) { return original }
        let folder = options.base == nil ? "/" : "/items/"
        return SyndicatedFeed.id(of: source.feed, options) + folder + source.id.percentEncoded
    }

    /// Returns whether a text may be an id (RFC 3987 §2.2); brackets belong to hosts only, which no
    /// id needs.
    private static func isURI(_ text: String) -> Bool {
        guard let scheme = WebAddress.scheme(of: text), scheme.utf8.count > 1,
            text.utf8.count > scheme.utf8.count + 1
        else { return false }
        return text.utf8.allSatisfy {
            $0 > 0x20 && $0 != 0x7F && !WebAddress.isForbidden($0) && $0 != 0x5B && $0 != 0x5D
        }
    }

    static func authors(_ members: JSONValue) -> [SourceAuthor] {
        members.authors.compactMap { author in
            if let name = author.scalar?.singleLine.nonempty { return SourceAuthor(name: name) }
            guard let name = author.text("name")?.singleLine.nonempty else { return nil }
            return SourceAuthor(name: name, url: author.text("url").flatMap(WebAddress.written))
        }
    }

    private static func attachment(_ value: JSONValue) -> SourceAttachment? {
        guard let url = value.text("url").flatMap(WebAddress.written) else { return nil }
        func count(_ name: ExactString) -> Int? {
            value.text(name).flatMap { Int(digits: $0.utf8) }
        }
        return SourceAttachment(
            url: url,
            type: value.text("mime_type").flatMap { $0.isMediaType ? $0 : nil },
            byteCount: count("size_in_bytes"),
            seconds: count("duration_in_seconds"),
            title: value.text("title")
        )
    }

    /// Reads a time that all formats can have: in the years 1 to 9999.
    private static func date(_ text: String) -> FeedDate? {
        FeedDate(parsing: text).flatMap {
            -62_135_596_800_000..<253_402_300_800_000 ~= $0.milliseconds ? $0 : nil
        }
    }

    /// The entry's title, or the beginning of its text; `nil`: it has neither.
    var heading: String? {
        if let title { return title }
        if let words = summary ?? content { return words.beginning }
        return contentHTML.flatMap { HTMLText.line($0).beginning }
    }

    /// The time at which the entry was published, or else first seen.
    var date: FeedDate? { published ?? (seen.first > 0 ? FeedDate(seconds: seen.first) : nil) }

    /// The time of the entry's last change, as the entry says or else as the server saw it.
    var modified: FeedDate? {
        updated ?? (seen.changed > 0 ? FeedDate(seconds: seen.changed) : nil) ?? date
    }
}
