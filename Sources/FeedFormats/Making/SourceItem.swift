import FeedDiff
import FeedModel

/// Makes items from the entries of fetched feeds (docs/ITEMS.md says what each member means).
enum SourceItem {
    /// Writes an entry as an item; addresses of other schemes than `http` and `https` are left out.
    ///
    /// - Parameters:
    ///   - old: The entry's item in the version before, if there is one.
    ///   - now: The time when the entry is seen.
    /// - Returns: `nil` if the result would be no valid item.
    static func item(
        _ entry: SourceEntry,
        id: String,
        after old: FeedItem? = nil,
        now: FeedDate
    ) -> FeedItem? {
        let bytes = bytes(entry, id: id, after: old, now: now)
        guard let item = try? FeedItem(parsing: bytes) else {
            if entry.members.isEmpty { return nil }
            // The members that a mapping has added may be too many for an item.
            var entry = entry
            entry.members = []
            return item(entry, id: id, after: old, now: now)
        }
        let seconds = UInt32(clamping: now.milliseconds / 1000)
        let first = old?.seen.first ?? 0
        item.setSeen(first: first > 0 ? first : seconds, changed: seconds)
        return item
    }

    /// Returns the JSON of ``item(_:id:after:now:)``.
    static func bytes(
        _ entry: SourceEntry,
        id: String,
        after old: FeedItem?,
        now: FeedDate
    ) -> [UInt8] {
        let texts = [entry.contentHTML, entry.content, entry.summary, entry.title]
        let textCount = texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
        var writer = JSONWriter(capacity: textCount + textCount / 8 + 256)
        writer.beginObject()
        writer.add("id", id)
        if let guid = entry.guid, guid != id { writer.add("guid", guid) }
        writer.add("url", entry.url.flatMap(WebAddress.web))
        writer.add("external_url", entry.externalURL.flatMap(WebAddress.web))
        writer.add("title", entry.title)
        writer.add("summary", entry.summary)
        writer.add("content_html", entry.contentHTML)
        writer.add("content", entry.content)
        writer.add(
            authors: entry.authors.map {
                SourceAuthor(name: $0.name, url: $0.url.flatMap(WebAddress.web))
            }
        )
        let published = published(entry.published, after: old, now: now)
        writer.add("published", published)
        let updated =
            entry.updated == entry.published
            ? published : time(entry.updated, of: "updated", after: old, now: now)
        writer.add("updated", updated)
        writer.add("image", entry.image.flatMap(WebAddress.web))
        writer.add("language", entry.language)
        writer.add(tags: entry.tags)
        writer.add(attachments: entry.attachments.filter { WebAddress.isWeb($0.url) })
        writer.members(entry.members.filter { $0.name != "id" })
        writer.endObject()
        return writer.finish()
    }

    /// Returns a date as text.
    ///
    /// An item with a future date would stay on top of the list; the time at which the server first
    /// saw the date is used instead.
    private static func time(
        _ date: FeedDate?,
        of name: ExactString,
        after old: FeedItem?,
        now: FeedDate
    ) -> String? {
        guard let date, date > now else { return date?.text }
        guard let before = old?.date([name]), before <= now else { return now.text }
        return before.text
    }

    /// Returns the time of publishing as text.
    ///
    /// If the time at which the server first saw the item has replaced a future date, that time
    /// stays even when the date has come.
    private static func published(
        _ date: FeedDate?,
        after old: FeedItem?,
        now: FeedDate
    ) -> String? {
        let first = Int(old?.seen.first ?? 0)
        if let date, date <= now, first > 0, date.milliseconds / 1000 > first,
            let before = old?.date(["published"]), before < date,
            // A journal stores the time of the version, which is made a little later than the item
            // is first seen.
            abs(before.milliseconds / 1000 - first) <= sightTolerance
        {
            return before.text
        }
        return time(date, of: "published", after: old, now: now)
    }

    /// The longest time from the moment at which an item is first seen to the version with it, in
    /// seconds.
    private static let sightTolerance = 10

    /// Returns the members of the feed itself.
    static func members(_ feed: SourceFeed, title: String?) -> Members {
        var members: [Member] = []
        func add(_ name: ExactString, _ text: String?) {
            guard let text = text?.nonempty else { return }
            members.append(Member(name: name, value: JSONText(string: text)))
        }
        add("title", title ?? feed.title)
        add("url", feed.url.flatMap(WebAddress.web))
        add("description", feed.description?.cut)
        add("icon", feed.icon.flatMap(WebAddress.web))
        add("language", feed.language)
        add("author", feed.author?.name)
        return Members(members)
    }
}

/// Writes members of items and of feeds, and leaves out a member that has no value.
extension JSONWriter {
    mutating func add(_ name: String, _ text: String?) {
        // An item with a byte order mark in a member would be refused, and a mark inside a text
        // means nothing.
        if let text { member(name, text.withoutByteOrderMarks) }
    }

    mutating func add(_ name: String, _ number: Int?) {
        if let number { member(name, number) }
    }

    /// Adds the authors: a single one is a name, or an object if it has an address; several are a
    /// list of objects.
    mutating func add(authors: [SourceAuthor]) {
        var seen: Set<String> = []
        let authors = authors.filter { seen.insert($0.name).inserted }.prefix(20)
        guard let first = authors.first else { return }
        if authors.count > 1 {
            add("author", authors.map(\.name).joined(separator: ", "))
            list("authors", Array(authors)) { $0.object($1) }
        } else if first.url != nil {
            name("author")
            object(first)
        } else {
            add("author", first.name)
        }
    }

    mutating func object(_ author: SourceAuthor) {
        beginObject()
        add("name", author.name)
        add("url", author.url)
        endObject()
    }

    mutating func add(tags: [String]) {
        list("tags", tags) { $0.string($1) }
    }

    mutating func add(attachments: [SourceAttachment]) {
        list("attachments", attachments) { writer, file in
            writer.beginObject()
            writer.add("url", file.url)
            writer.add("mime_type", file.type ?? "application/octet-stream")
            writer.add("title", file.title)
            writer.add("size_in_bytes", file.byteCount)
            writer.add("duration_in_seconds", file.seconds)
            writer.endObject()
        }
    }
}
