/// The local names, in lower case, of the elements that have a meaning in a feed, whatever their
/// namespace.
enum FeedElementName: String, Sendable {
    // Documents and their parts.
    case rss, rdf, feed, channel, item, entry

    // Feeds.
    case subtitle, tagline, logo, icon, ttl, generator
    case managingEditor = "managingeditor"
    case lastBuildDate = "lastbuilddate"
    case updatePeriod = "updateperiod"
    case updateFrequency = "updatefrequency"

    // Feeds and entries.
    case title, link, description, abstract, author, image, language, updated, modified
    case pubDate = "pubdate"

    // Entries.
    case categories
    case guid, id, summary, content, fulltext, body, encoded, div, p, a
    case contributor, source, published, issued, created, category, enclosure, comments
    case creator, date, subject, identifier
    case fullItem = "fullitem"
    case xhtmlBody = "xhtml:body"
    case originalLink = "origlink"

    // Pictures, sound and film.
    case duration, keywords, group, community, player, thumbnail

    /// Any other name.
    case other = ""
}
