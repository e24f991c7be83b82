import FeedModel

@testable import FeedFormats

/// Reads a document from `https://example.com/feed`.
func feed(_ text: String) throws -> SourceFeed {
    try FeedReader(address: "https://example.com/feed").read(Array(text.utf8))
}

/// The only entry of an RSS document whose item holds `text`.
func rssEntry(_ text: String, namespaces: String = "") throws -> SourceEntry {
    let document = "<rss version='2.0' \(namespaces)><channel><item>\(text)</item></channel></rss>"
    return try feed(document).entries.first ?? SourceEntry()
}

/// The only entry of an Atom document whose entry holds `text`.
func atomEntry(_ text: String, attributes: String = "") throws -> SourceEntry {
    let document =
        "<feed xmlns='http://www.w3.org/2005/Atom' \(attributes)><entry>\(text)</entry></feed>"
    return try feed(document).entries.first ?? SourceEntry()
}

/// The items of a snapshot, in order.
func items(_ snapshot: Snapshot) -> [FeedItem] { snapshot.sections.flatMap { Array($0.items) } }
