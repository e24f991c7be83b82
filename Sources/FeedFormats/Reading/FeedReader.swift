import FeedModel

/// Reads a feed from a document in XML or JSON, whose format it detects.
package struct FeedReader: Sendable {
    /// The most entries that are taken from a document; of more entries, the newest are kept.
    package var entryLimit = 10_000

    /// The address that the document came from, the base of relative addresses; empty: not known.
    package var address: String

    /// The `charset` in the response's Content-Type; `nil`: none.
    package var charset: String?

    /// The mapping for JSON in no known format; with a mapping, every document is read as JSON.
    package var mapping: JSONMapping?

    /// Whether HTML is sanitised; if not, HTML is passed on as it is.
    package var isSanitizing = true

    package init(address: String = "") { self.address = address }

    /// Reads a document.
    ///
    /// - Throws: ``FeedFormatError`` if the document is no feed. Faulty parts of a feed are left
    ///   out and noted.
    package func read(_ bytes: [UInt8]) throws(FeedFormatError) -> SourceFeed {
        let (text, note) = TextEncoding.decode(bytes, charset: charset)
        let body = text.drop { $0.isSpace || $0 == 0 }
        guard let first = body.first else { throw .empty }
        var feed: SourceFeed
        let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        if isJSON || mapping != nil {
            if !isJSON, let page = XMLFeedReader.page(Array(body)) { throw page }
            feed = try JSONSourceReader(self).read(Array(body))
        } else if body.contains(UInt8(ascii: "<")) {
            feed = try XMLFeedReader(self).read(FeedReader.withoutReturns(body))
        } else {
            throw .unknown("it is neither XML nor JSON")
        }
        if let note { feed.notes.insert(note, at: 0) }
        if feed.nativeDocument == nil { feed.isEmpty = feed.entries.isEmpty }
        feed.title = feed.title?.cut
        return feed
    }

    /// Returns the bytes with every CR LF and every CR replaced by LF (XML 1.0 §2.11).
    private static func withoutReturns(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        if bytes.firstIndex(of: 0x0D, from: bytes.startIndex) == nil { return Array(bytes) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var last: UInt8 = 0
        for byte in bytes {
            if byte != 0x0A || last != 0x0D { result.append(byte == 0x0D ? 0x0A : byte) }
            last = byte
        }
        return result
    }

    /// Adds entries to a feed, up to a number of bytes that grows with the document.
    ///
    /// Without that limit, a document with very many short relative addresses could fill the memory
    /// when the addresses are resolved.
    func take(
        _ entries: some Sequence<SourceEntry>,
        ofDocument byteCount: Int,
        into feed: inout SourceFeed
    ) {
        var gathered = GatheredEntries(ofDocument: byteCount, limit: entryLimit)
        for entry in entries where !gathered.isTooMuch { gathered.take { entry } }
        gathered.move(to: &feed)
    }

    /// The most characters of a title or summary; the rest is cut off.
    static let textLimit = 2000

    /// Returns HTML for an item, sanitised if ``isSanitizing`` says so; `nil`: nothing is left.
    func html(_ markup: String, base: String) -> String? {
        let html = isSanitizing ? HTMLSanitizer.sanitize(markup, base: base) : markup
        return html.nonempty
    }
}

extension String {
    /// The text, cut after ``FeedReader/textLimit`` characters.
    var cut: String {
        utf8.count <= FeedReader.textLimit ? self : String(prefix(FeedReader.textLimit))
    }
}

/// The reason why a document cannot be read as a feed.
package enum FeedFormatError: Error, Equatable, CustomStringConvertible {
    /// The document is empty.
    case empty
    /// The document is a web page, perhaps one that asks for a login or whether the reader is
    /// human.
    case page(title: String?)
    /// The document's format is not a feed's; the text says what it seems to be.
    case unknown(String)
    /// The document is malformed JSON, or its structure is not what the mapping expects.
    case malformed(String)

    package var description: String {
        switch self {
        case .empty: "the document is empty"
        case .page(let title):
            "the document is a web page" + (title.map { ", “\($0.prefix(100))”" } ?? "")
        case .unknown(let what): "the document is no feed: \(what)"
        case .malformed(let reason): "the document is malformed: \(reason)"
        }
    }
}
