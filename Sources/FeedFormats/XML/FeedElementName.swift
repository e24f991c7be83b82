/// The local names, in lower case, of the elements that mean something in a feed, whatever their
/// namespace.
enum FeedElementName: String, Sendable {
    // Documents and their parts.
    case rss, rdf, feed, channel, item, entry

    // Feeds.
    case subtitle, tagline, logo, icon, managingEditor = "managingeditor"
    case lastBuildDate = "lastbuilddate", ttl
    case updatePeriod = "updateperiod", updateFrequency = "updatefrequency"

    // Feeds and entries.
    case title, link, description, abstract, author, image, language, updated, modified
    case pubDate = "pubdate"

    // Entries.
    case guid, id, summary, content, fulltext, body, xhtmlBody = "xhtml:body", encoded, div
    case contributor, source, published, issued, created, category, enclosure
    case originalLink = "origlink", creator, date, subject, identifier, comments, p, a

    // Pictures, sound and film.
    case duration, keywords, group, community, player, thumbnail

    /// Any other one.
    case other = ""
}
