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
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || mapping != nil {
            feed = try JSONSourceReader(self).read(Array(body))
        } else if body.contains(UInt8(ascii: "<")) {
            feed = try XMLFeedReader(self).read(FeedReader.withoutReturns(body))
        } else {
            throw .unknown("it is neither XML nor JSON")
        }
        if let note { feed.notes.insert(note, at: 0) }
        return feed
    }

    /// With line feeds alone at the ends of lines (XML 1.0 §2.11).
    private static func withoutReturns(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard bytes.contains(0x0D) else { return Array(bytes) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for index in bytes.indices {
            let byte = bytes[index]
            if byte != 0x0D {
                result.append(byte)
            } else if index + 1 == bytes.endIndex || bytes[index + 1] != 0x0A {
                result.append(0x0A)
            }
        }
        return result
    }

    /// HTML as it may be in an item.
    func html(_ markup: String, base: String) -> String? {
        let html = isSanitizing ? HTMLSanitizer.sanitize(markup, base: base) : markup
        return html.nonempty
    }
}
