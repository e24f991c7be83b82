extension EntryElements.Draft {
    /// Adds a tag, unless it is there already; at most 100 are taken.
    mutating func add(tag: String?) {
        guard let tag, entry.tags.count < 100 else { return }
        let text = String(tag.prefix(200))
        if !entry.tags.contains(text) { entry.tags.append(text) }
    }

    /// Adds a file; past 200, files are ignored and not made.
    mutating func add(file: @autoclosure () -> SourceAttachment) {
        if media.count < 200 { media.append(file()) }
    }

    /// Adds an author, up to 50.
    mutating func add(author: SourceAuthor) {
        if entry.authors.count < 50 { entry.authors.append(author) }
    }

    /// Takes the attributes of an item in the Channel Definition Format (`ITEM`).
    mutating func take(channelDefinition node: XMLNode) {
        guard node.namespace == .rss else { return }
        if let address = node["href"]?.nonempty {
            alternate = (3, WebAddress.resolve(address, base: node.base))
        }
        entry.updated = node["lastmod"].flatMap { FeedDate(parsing: $0) }
    }
}
