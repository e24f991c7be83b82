package import FeedModel

/// A document of any format as it was read: a feed, its entries in their order, and notes on how it
/// deviates from its format.
package struct SourceFeed: Sendable {
    /// The formats that a document's content identifies.
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
    /// The seconds that the publisher asks to wait between fetches.
    package var interval: Int?
    /// The feed's WebSub hub, and the address that is subscribed to there.
    package var hub: String?
    package var selfAddress: String?
    /// Whether the document is Atom from a Freshet server, where a title may be the beginning of
    /// the text.
    var hasHeadings = false
    package var entries: [SourceEntry] = []
    /// The document as ``NativeDocument`` has cleaned it, if it has the protocol's own form.
    package var nativeDocument: [UInt8]?
    /// Whether the feed has no items at all.
    package internal(set) var isEmpty = false
    /// Whether the document's end is missing, so that some entries may be missing, too.
    package var isCutOff = false
    /// Whether the document is so odd that some of its entries may be missing.
    package internal(set) var isDoubtful = false
    /// The ways in which the document deviates from its format, in words.
    package var notes: [String] = []

    init(_ format: Format) { self.format = format }
}

/// The author of a feed or an entry.
package struct SourceAuthor: Sendable, Hashable {
    package var name: String
    package var url: String?
}

/// An entry of a source.
package struct SourceEntry: Sendable {
    /// The name that the document gives the entry; `nil`: none.
    package var guid: String?
    package var url: String?
    package var externalURL: String?
    /// The title, as text.
    package var title: String?
    /// The summary, as text.
    package var summary: String?
    /// The content as HTML, sanitised.
    package var contentHTML: String?
    /// The content as text, if it is not HTML.
    package var content: String?
    package var authors: [SourceAuthor] = []
    package var published: FeedDate?
    package var updated: FeedDate?
    package var tags: [String] = []
    package var image: String?
    package var attachments: [SourceAttachment] = []
    package var language: String?
    /// The members that a mapping took as they are.
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
    /// The number of bytes of all texts of the entry.
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

    /// Whether guid, address or title have byte order marks.
    var hasMarks: Bool {
        [guid, url, title].contains { $0?.hasByteOrderMark ?? false }
    }

    /// The entry with guid, address and title as items have them: without byte order marks.
    var asKept: SourceEntry {
        var entry = self
        entry.guid = guid?.withoutByteOrderMarks
        entry.url = url?.withoutByteOrderMarks
        entry.title = title?.withoutByteOrderMarks
        return entry
    }
}
