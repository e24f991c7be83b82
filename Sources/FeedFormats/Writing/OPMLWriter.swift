/// Writes a list of feeds in OPML 2.0.
package struct OPMLWriter {
    /// A feed of the list.
    package struct Entry {
        var name: String
        var title: String?
        var site: String?
        var address: String

        /// Makes an entry of the list, for a feed of a site that is read at an address.
        package init(name: String, title: String?, site: String?, address: String) {
            self.name = name
            self.title = title
            self.site = site
            self.address = address
        }
    }

    package static let mediaType = "text/x-opml; charset=utf-8"

    private let title: String
    private let entries: [Entry]

    package init(title: String, _ entries: [Entry]) {
        self.title = title
        self.entries = entries
    }

    package var document: [UInt8] {
        var writer = XMLWriter()
        writer.open("opml", [("version", "2.0")])
        writer.open("head")
        writer.element("title", title)
        writer.close("head")
        writer.open("body")
        for entry in entries {
            let title = entry.title?.nonempty?.singleLine ?? entry.name
            writer.empty(
                "outline",
                [
                    // Every feed has this type, whatever its format is.
                    ("type", "rss"), ("text", title), ("title", title),
                    ("xmlUrl", entry.address),
                    ("htmlUrl", entry.site.flatMap(WebAddress.web)),
                ]
            )
        }
        writer.close("body")
        writer.close("opml")
        return writer.bytes
    }
}
