package import FeedModel

/// What a document of any format says: a feed, its entries in their order, and what was odd.
package struct SourceFeed: Sendable {
    /// The formats that are known by what a document holds.
    package enum Format: String, Sendable {
        case rss = "RSS"
        case rdf = "RSS 1.0"
        case atom = "Atom"
        case jsonFeed = "JSON Feed"
        case own = "Freshet"
        case mapped = "JSON"
    }

    package var format: Format
    package var title: String?
    /// The site's address.
    package var url: String?
    package var description: String?
    package var language: String?
    package var icon: String?
    package var author: SourceAuthor?
    package var updated: FeedDate?
    /// How long its publisher asks to wait, in seconds.
    package var interval: Int?
    /// A WebSub hub, and the address that is subscribed to there.
    package var hub: String?
    package var selfAddress: String?
    /// Whether it is Atom of a Freshet, where a title may be the beginning of the text.
    var hasHeadings = false
    package var entries: [SourceEntry] = []
    /// A document of the protocol's own form, which is published as it is.
    package var ownForm: [UInt8]?
    /// Whether it has no items at all.
    package internal(set) var isEmpty = false
    /// Whether its end is missing, so that nobody can say which entries were there.
    package var isCutOff = false
    /// Whether it is so odd that some of its entries may be missing.
    package internal(set) var isDoubtful = false
    /// What was odd about the document, in words.
    package var notes: [String] = []

    init(_ format: Format) { self.format = format }
}

/// Who wrote something.
package struct SourceAuthor: Sendable, Hashable {
    package var name: String
    package var url: String?
}

/// One entry of a source.
package struct SourceEntry: Sendable {
    /// What the document says it is known by; `nil`: nothing.
    package var guid: String?
    package var url: String?
    package var externalURL: String?
    /// Text.
    package var title: String?
    /// Text.
    package var summary: String?
    /// HTML, sanitised.
    package var contentHTML: String?
    /// Text, of an entry whose content is no HTML.
    package var content: String?
    package var authors: [SourceAuthor] = []
    package var published: FeedDate?
    package var updated: FeedDate?
    package var tags: [String] = []
    package var image: String?
    package var attachments: [SourceAttachment] = []
    package var language: String?
    /// Members that a mapping took as they are.
    package var members: [Member] = []

    package init() {}
}

/// A file that goes with an entry.
package struct SourceAttachment: Sendable, Hashable {
    package var url: String
    package var type: String?
    package var byteCount: Int?
    package var seconds: Int?
    package var title: String?
}

extension SourceEntry {
    /// The length of all that it says.
    var byteCount: Int {
        func length(_ text: String?) -> Int { text?.utf8.count ?? 0 }
        var count = length(guid) + length(url) + length(externalURL) + length(title)
        count += length(summary) + length(contentHTML) + length(content)
        count += length(image) + length(language)
        for author in authors { count += author.name.utf8.count + (author.url?.utf8.count ?? 0) }
        for tag in tags { count += tag.utf8.count }
        for file in attachments { count += file.url.utf8.count + (file.title?.utf8.count ?? 0) }
        for member in members { count += member.value.bytes.count }
        return count
    }

    /// Whether what it is known by has byte order marks.
    var hasMarks: Bool {
        [guid, url, title].contains { $0?.hasMark ?? false }
    }

    /// With what it is known by as items keep it: without byte order marks.
    var asKept: SourceEntry {
        func kept(_ text: String?) -> String? {
            guard let text, text.hasMark else { return text }
            return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\u{FEFF}" }))
        }
        var entry = self
        (entry.guid, entry.url, entry.title) = (kept(guid), kept(url), kept(title))
        return entry
    }
}
