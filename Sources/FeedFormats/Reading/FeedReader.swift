import FeedModel

/// Reads documents of all formats.
package struct FeedReader: Sendable {
    /// How much of a document is read.
    package var entryLimit = 10_000

    /// Where it came from; relative addresses are relative to it. Empty: not known.
    package var address: String

    /// The `charset` that the transport said.
    package var charset: String?

    /// How to read JSON of no known form.
    package var mapping: JSONMapping?

    /// Whether HTML is sanitised; if not, it is passed on as it is.
    package var isSanitizing = true

    package init(address: String = "") { self.address = address }

    /// Reads a document.
    ///
    /// - Throws: ``FeedFormatError`` where there is no feed; what is wrong with parts of one costs
    ///   these parts and is noted.
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
        if feed.ownForm == nil { feed.isEmpty = feed.entries.isEmpty }
        feed.title = feed.title?.cut
        return feed
    }

    /// With line feeds alone at the ends of lines (XML 1.0 §2.11).
    private static func withoutReturns(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard var next = bytes.place(of: 0x0D, from: bytes.startIndex) else { return Array(bytes) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var start = bytes.startIndex
        while true {
            result.append(contentsOf: bytes[start..<next])
            start = next + 1
            if start == bytes.endIndex || bytes[start] != 0x0A { result.append(0x0A) }
            guard let following = bytes.place(of: 0x0D, from: start) else { break }
            next = following
        }
        result.append(contentsOf: bytes[start...])
        return result
    }

    /// Takes entries into a feed, as long as they come to no more than a document of that length
    /// can mean: relative addresses are short, and what they mean may be long.
    func take(
        _ entries: some Sequence<SourceEntry>,
        ofDocument byteCount: Int,
        into feed: inout SourceFeed
    ) {
        var gathered = GatheredEntries(ofDocument: byteCount, limit: entryLimit)
        for entry in entries where !gathered.isTooMuch { gathered.take { entry } }
        gathered.move(to: &feed)
    }

    /// How many characters of a title or summary are taken.
    static let textLimit = 2000

    /// HTML as it may be in an item.
    func html(_ markup: String, base: String) -> String? {
        let html = isSanitizing ? HTMLSanitizer.sanitize(markup, base: base) : markup
        return html.nonempty
    }
}

extension String {
    /// As much of it as a title or summary may have.
    var cut: String {
        utf8.count <= FeedReader.textLimit ? self : String(prefix(FeedReader.textLimit))
    }
}
