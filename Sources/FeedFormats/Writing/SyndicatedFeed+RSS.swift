/// Writes RSS 2.0.
extension SyndicatedFeed {
    /// The feed as a document of RSS.
    var rss: [UInt8] {
        var writer = XMLWriter()
        writer.open(
            "rss",
            [
                ("version", "2.0"), ("xmlns:atom", "http://www.w3.org/2005/Atom"),
                ("xmlns:content", "http://purl.org/rss/1.0/modules/content/"),
                ("xmlns:dc", "http://purl.org/dc/elements/1.1/"),
                ("xmlns:media", "http://search.yahoo.com/mrss/"),
            ]
        )
        writer.open("channel")
        writer.element("title", title.escapedIfAmbiguous)
        // A channel must have a link and a description, and neither may be empty.
        writer.element("link", url ?? options.publicURL ?? id)
        let description = self.description?.nonempty ?? title
        writer.element("description", description.escapedIfAmbiguous)
        writer.element("language", language)
        writer.element("lastBuildDate", FeedDate(seconds: changed).mailText)
        for (relation, address) in addresses(.rss) {
            writer.empty(
                "atom:link",
                [("rel", relation), ("type", "application/rss+xml"), ("href", address)]
            )
        }
        if let icon, let url {
            writer.open("image")
            writer.element("url", icon)
            writer.element("title", title.escapedIfAmbiguous)
            writer.element("link", url)
            writer.close("image")
        }
        for entry in entries { write(entry, to: &writer) }
        writer.close("channel")
        writer.close("rss")
        return writer.bytes
    }

    private func write(_ entry: SyndicatedEntry, to writer: inout XMLWriter) {
        writer.open("item", [("xml:base", base(of: entry))])
        writer.element("guid", [("isPermaLink", "false")], entry.guid)
        writer.element("title", entry.title.map(\.escapedIfAmbiguous))
        writer.element("link", entry.url)
        writer.element("pubDate", entry.date?.mailText)
        for author in entry.authors { write(author: author.name, to: &writer) }
        writer.element("dc:language", entry.language)
        for tag in entry.tags { writer.element("category", tag.withoutReferences) }
        let text = entry.content?.paragraphsInHTML
        // An item must have a title or a description, or readers show its address.
        let fallback = entry.title == nil ? entry.contentHTML ?? text ?? "" : nil
        writer.element("description", entry.summary?.escapedForHTML ?? fallback)
        writer.element("content:encoded", entry.contentHTML ?? text)
        // A description alone would be taken for the content.
        if entry.contentHTML == nil, text == nil { writer.element("atom:summary", entry.summary) }
        if let file = entry.attachments.first {
            writer.empty(
                "enclosure",
                [
                    ("url", file.url), ("length", String(file.byteCount ?? 0)),
                    ("type", file.type ?? "application/octet-stream"),
                ]
            )
        }
        if let image = entry.image { writer.empty("media:thumbnail", [("url", image)]) }
        writer.close("item")
    }

    /// Writes a name as `dc:creator`, which every reader knows, if all readers get the same name
    /// from it.
    ///
    /// Some readers take `dc:creator` for HTML, or for a name with an address. A name that this
    /// would change is written as Atom's author, which is text.
    private func write(author name: String, to writer: inout XMLWriter) {
        if !name.contains("<"), SourceAuthor(text: HTMLText.line(name))?.name == name {
            writer.element("dc:creator", name)
        } else {
            writer.open("atom:author")
            writer.element("atom:name", name)
            writer.close("atom:author")
        }
    }
}

extension String {
    /// The text as a title or a channel's description: readers differ in whether these are HTML, so
    /// the text is written as HTML only if it could be taken for HTML.
    fileprivate var escapedIfAmbiguous: String {
        // A browser takes these characters for a tag or a comment. Other angle brackets are text in
        // readers of HTML, too.
        let hasMarkup = zip(utf8, utf8.dropFirst()).contains { byte, next in
            byte == UInt8(ascii: "<") && (next.isASCIILetter || [0x21, 0x2F, 0x3F].contains(next))
        }
        return hasMarkup || HTMLText.plain(self) != self ? escapedForHTML : self
    }

    /// The text with escapes for references, which readers that resolve references twice would
    /// change.
    fileprivate var withoutReferences: String {
        let resolved = CharacterReferences.resolve(Array(utf8)[...])
        return resolved.elementsEqual(utf8) ? self : replacing("&", with: "&amp;")
    }

    /// The text as HTML, with a paragraph for each of its own.
    fileprivate var paragraphsInHTML: String {
        var html = ""
        for paragraph in replacing("\r\n", with: "\n").split(separator: "\n\n") {
            let text = String(paragraph).escapedForHTML.replacing("\n", with: "<br>")
            html += "<p>\(text)</p>"
        }
        return html
    }
}
