/// Writes a feed in the format JSON Feed 1.1 (jsonfeed.org/version/1.1).
struct JSONFeedWriter {
    private let feed: SyndicatedFeed

    init(_ feed: SyndicatedFeed) { self.feed = feed }

    var document: [UInt8] {
        var object = JSONObjectWriter()
        object.add("version", "https://jsonfeed.org/version/1.1")
        object.add("title", feed.title)
        object.add("home_page_url", feed.url)
        object.add("feed_url", feed.selfAddress(.jsonFeed))
        object.add("next_url", feed.links.next.flatMap { feed.selfAddress(.jsonFeed, page: $0) })
        object.add("description", feed.description)
        object.add("icon", feed.icon)
        object.add("language", feed.language)
        if let author = feed.author {
            object.add("authors", list: [JSONObjectWriter.object(author)])
        }
        object.add("items", JSONObjectWriter.list(feed.entries.map(item)))
        return object.finish()
    }

    private func item(_ entry: SyndicatedEntry) -> [UInt8] {
        var object = JSONObjectWriter()
        object.add("id", entry.guid)
        object.add("url", entry.url)
        object.add("external_url", entry.externalURL)
        object.add("title", entry.title)
        object.add("summary", entry.summary)
        object.add("content_html", entry.contentHTML)
        // An item must have `content_html` or `content_text`.
        object.add(
            "content_text",
            entry.content ?? (entry.contentHTML == nil ? entry.summary ?? "" : nil)
        )
        object.add("image", entry.image)
        object.add("date_published", entry.date?.text)
        object.add("date_modified", entry.modified?.text)
        object.add("authors", list: entry.authors.map(JSONObjectWriter.object))
        object.add("language", entry.language)
        object.add(tags: entry.tags)
        object.add(attachments: entry.attachments)
        return object.finish()
    }
}
