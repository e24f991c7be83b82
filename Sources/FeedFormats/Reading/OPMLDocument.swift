/// A list of feeds in OPML 1.0 or 2.0.
package struct OPMLDocument: Sendable {
    /// A feed of the list.
    package struct Outline: Sendable, Equatable {
        package var url: String
        package var title: String?
        /// The titles of the outlines around the feed, outermost first.
        package var folders: [String]
    }

    package var outlines: [Outline] = []

    /// Reads a list; feeds past 100,000 are left out.
    ///
    /// - Throws: ``FeedFormatError/unknown(_:)`` if the document is not OPML.
    package init(parsing bytes: [UInt8]) throws(FeedFormatError) {
        let (text, _) = TextEncoding.decode(bytes, charset: nil)
        var reader = XMLTreeReader(text, base: "")
        var isList = false
        var found: [Outline] = []
        _ = reader.read { _, name in
            if name.local == "opml" { isList = true }
            return ["opml", "body"].contains(name.local) ? .container : .element
        } take: { node, _, container in
            if container?.local == "body" { OPMLDocument.collect(node, [], &found) }
        }
        guard isList else { throw .unknown("it is no OPML") }
        outlines = found
    }

    private static func collect(_ node: XMLNode, _ folders: [String], _ found: inout [Outline]) {
        guard node.name == "outline", found.count < 100_000 else { return }
        let title = node["title"]?.nonempty ?? node["text"]?.nonempty
        if let url = node["xmlurl"]?.nonempty {
            found.append(Outline(url: url, title: title?.singleLine, folders: folders))
        }
        let inner = title.map { folders + [$0.singleLine] } ?? folders
        for child in node.children { collect(child, inner, &found) }
    }
}
