/// Writes JSON Feed 1.1 (jsonfeed.org/version/1.1).
extension SyndicatedFeed {
    /// The feed as a document of JSON Feed.
    var jsonFeed: [UInt8] {
        var object = JSONObjectWriter()
        object.add("version", "https://jsonfeed.org/version/1.1")
        object.add("title", title)
        object.add("home_page_url", url)
        object.add("feed_url", selfAddress(.jsonFeed))
        object.add("next_url", links.next.flatMap { selfAddress(.jsonFeed, page: $0) })
        object.add("description", description)
        object.add("icon", icon)
        object.add("language", language)
        if let author { object.add("authors", list: [JSONObjectWriter.object(author)]) }
        object.add("items", JSONObjectWriter.list(entries.map(item)))
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
