/// Writes Atom (RFC 4287).
extension SyndicatedFeed {
    /// The name of the generator in a document of Atom.
    static let generator = "Freshet"

    /// The feed as a document of Atom.
    var atom: [UInt8] {
        var writer = XMLWriter()
        writer.open(
            "feed",
            [
                ("xmlns", "http://www.w3.org/2005/Atom"),
                ("xml:lang", language),
            ]
        )
        writer.element("id", id)
        writer.element("title", title)
        writer.element("updated", FeedDate(seconds: changed).text)
        writer.element("subtitle", description)
        writer.element("icon", icon)
        writer.element("generator", SyndicatedFeed.generator)
        for (relation, address) in addresses(.atom) {
            writer.empty(
                "link",
                [("rel", relation), ("type", "application/atom+xml"), ("href", address)]
            )
        }
        if let url {
            writer.empty("link", [("rel", "alternate"), ("href", url)])
        }
        // Entries without an author need the feed's (RFC 4287 §4.1.1).
        write(author ?? SourceAuthor(name: title), to: &writer)
        for entry in entries { write(entry, to: &writer) }
        writer.close("feed")
        return writer.bytes
    }

    private func write(_ author: SourceAuthor, to writer: inout XMLWriter) {
        writer.open("author")
        writer.element("name", author.name)
        writer.element("uri", author.url)
        writer.close("author")
    }

    private func write(_ entry: SyndicatedEntry, to writer: inout XMLWriter) {
        writer.open("entry", [("xml:lang", entry.language), ("xml:base", base(of: entry))])
        writer.element("id", entry.id)
        if let title = entry.title {
            writer.element("title", title)
        } else {
            // An entry must have a title (RFC 4287 §4.1.2), and readers show an address in place of
            // none. The type, which has no meaning, tells another Freshet that this is no title.
            writer.element("title", [("type", "text")], entry.heading ?? "")
        }
        writer.element("updated", (entry.modified ?? FeedDate(seconds: changed)).text)
        writer.element("published", entry.date?.text)
        for author in entry.authors { write(author, to: &writer) }
        if let url = entry.url { writer.empty("link", [("rel", "alternate"), ("href", url)]) }
        if let url = entry.externalURL {
            writer.empty("link", [("rel", "related"), ("href", url)])
        }
        for file in entry.attachments {
            writer.empty(
                "link",
                [
                    ("rel", "enclosure"), ("href", file.url), ("type", file.type),
                    ("length", file.byteCount.map(String.init)), ("title", file.title),
                ]
            )
        }
        for tag in entry.tags { writer.empty("category", [("term", tag)]) }
        writer.element("summary", entry.summary)
        writeContent(of: entry, to: &writer)
        if let origin = entry.origin { write(origin, of: entry, to: &writer) }
        if let image = entry.image {
            writer.empty(
                "media:thumbnail",
                [("xmlns:media", "http://search.yahoo.com/mrss/"), ("url", image)]
            )
        }
        writer.close("entry")
    }

    private func writeContent(of entry: SyndicatedEntry, to writer: inout XMLWriter) {
        if let html = entry.contentHTML {
            writer.element("content", [("type", "html")], html)
        } else if let content = entry.content {
            writer.element("content", [("type", "text")], content)
        } else if entry.url == nil {
            // An entry must have a content or an alternate link (RFC 4287 §4.1.2).
            writer.element("content", [("type", "text")], "")
        }
    }

    /// Writes the feed that an entry was copied from (RFC 4287 §4.2.11).
    private func write(
        _ origin: (name: String, id: String),
        of entry: SyndicatedEntry,
        to writer: inout XMLWriter
    ) {
        writer.open("source")
        writer.element("id", origin.id)
        writer.element("title", origin.name)
        writer.element("updated", (entry.modified ?? FeedDate(seconds: changed)).text)
        writer.close("source")
    }
}
