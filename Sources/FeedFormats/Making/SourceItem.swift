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
        var object = JSONObjectWriter(capacity: textCount + textCount / 8 + 256)
        object.add("id", id)
        if let guid = entry.guid, guid != id { object.add("guid", guid) }
        object.add("url", entry.url.flatMap(WebAddress.web))
        object.add("external_url", entry.externalURL.flatMap(WebAddress.web))
        object.add("title", entry.title)
        object.add("summary", entry.summary)
        object.add("content_html", entry.contentHTML)
        object.add("content", entry.content)
        if !entry.authors.isEmpty {
            object.add(
                authors: entry.authors.map {
                    SourceAuthor(name: $0.name, url: $0.url.flatMap(WebAddress.web))
                }
            )
        }
        let published = published(entry.published, after: old, now: now)
        object.add("published", published)
        let isSame = entry.updated == entry.published
        let updated = time(entry.updated, of: "updated", after: old, now: now)
        object.add("updated", isSame ? published : updated)
        object.add("image", entry.image.flatMap(WebAddress.web))
        object.add("language", entry.language)
        if !entry.tags.isEmpty { object.add(tags: entry.tags) }
        if !entry.attachments.isEmpty {
            object.add(attachments: entry.attachments.filter { WebAddress.isWeb($0.url) })
        }
        for member in entry.members where member.name != "id" {
            object.add(member)
        }
        return object.finish()
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

/// Writes an object in JSON.
struct JSONObjectWriter {
    private var bytes: [UInt8] = [UInt8(ascii: "{")]

    /// - Parameter capacity: The number of bytes to reserve, as far as it is known.
    init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    mutating func add(_ member: Member) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(jsonString: member.name.string)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(contentsOf: member.value.bytes)
    }

    mutating func add(_ name: StaticString, _ value: [UInt8]) {
        begin(name)
        bytes.append(contentsOf: value)
    }

    private mutating func begin(_ name: StaticString) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    mutating func add(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        begin(name)
        // An item with a byte order mark in a member would be refused, and a mark inside a text
        // means nothing.
        bytes.append(jsonString: text.withoutByteOrderMarks)
    }

    mutating func add(_ name: StaticString, _ number: Int?) {
        if let number { add(name, Array(String(number).utf8)) }
    }

    mutating func add(_ name: StaticString, list: [[UInt8]]) {
        if !list.isEmpty { add(name, JSONObjectWriter.list(list)) }
    }

    /// Returns a list of values that are JSON already.
    static func list(_ values: [[UInt8]]) -> [UInt8] {
        var list: [UInt8] = [UInt8(ascii: "[")]
        for (index, value) in values.enumerated() {
            if index > 0 { list.append(UInt8(ascii: ",")) }
            list.append(contentsOf: value)
        }
        list.append(UInt8(ascii: "]"))
        return list
    }

    /// Adds the authors: a single one is a name, or an object if it has an address; several are a
    /// list of objects.
    mutating func add(authors: [SourceAuthor]) {
        var seen: Set<String> = []
        let authors = authors.filter { seen.insert($0.name).inserted }.prefix(20)
        let objects = authors.map(JSONObjectWriter.object)
        guard let first = authors.first else { return }
        if authors.count > 1 {
            add("author", authors.map(\.name).joined(separator: ", "))
            add("authors", list: objects)
        } else if first.url != nil {
            add("author", objects[0])
        } else {
            add("author", first.name)
        }
    }

    static func object(_ author: SourceAuthor) -> [UInt8] {
        var object = JSONObjectWriter()
        object.add("name", author.name)
        object.add("url", author.url)
        return object.finish()
    }

    mutating func add(tags: [String]) {
        add(
            "tags",
            list: tags.map { tag in
                var value: [UInt8] = []
                value.append(jsonString: tag)
                return value
            }
        )
    }

    mutating func add(attachments: [SourceAttachment]) {
        add(
            "attachments",
            list: attachments.map { file in
                var object = JSONObjectWriter()
                object.add("url", file.url)
                object.add("mime_type", file.type ?? "application/octet-stream")
                object.add("title", file.title)
                object.add("size_in_bytes", file.byteCount)
                object.add("duration_in_seconds", file.seconds)
                return object.finish()
            }
        )
    }

    consuming func finish() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }
}
