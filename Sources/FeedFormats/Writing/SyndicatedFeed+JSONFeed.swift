import FeedDiff
import FeedModel

/// Writes JSON Feed 1.1 (jsonfeed.org/version/1.1).
extension SyndicatedFeed {
    /// The feed as a document of JSON Feed.
    var jsonFeed: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.add("version", "https://jsonfeed.org/version/1.1")
        writer.add("title", title)
        writer.add("home_page_url", url)
        writer.add("feed_url", selfAddress(.jsonFeed))
        writer.add("next_url", links.next.flatMap { selfAddress(.jsonFeed, page: $0) })
        writer.add("description", description)
        writer.add("icon", icon)
        writer.add("language", language)
        writer.list("authors", [author].compactMap(\.self)) { $0.object($1) }
        writer.beginArray("items")
        for entry in entries { write(entry, to: &writer) }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }

    private func write(_ entry: SyndicatedEntry, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.add("id", entry.guid)
        writer.add("url", entry.url)
        writer.add("external_url", entry.externalURL)
        writer.add("title", entry.title)
        writer.add("summary", entry.summary)
        writer.add("content_html", entry.contentHTML)
        // An item must have `content_html` or `content_text`.
        writer.add(
            "content_text",
            entry.content ?? (entry.contentHTML == nil ? entry.summary ?? "" : nil)
        )
        writer.add("image", entry.image)
        writer.add("date_published", entry.date?.text)
        writer.add("date_modified", entry.modified?.text)
        writer.list("authors", entry.authors) { $0.object($1) }
        writer.add("language", entry.language)
        writer.add(tags: entry.tags)
        writer.add(attachments: entry.attachments)
        writer.endObject()
    }
}
