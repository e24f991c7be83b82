package import FeedDiff
import FeedModel

/// Reads JSON Feed 1.0 and 1.1, the protocol's own form, and any other JSON by a mapping.
struct JSONSourceReader {
    private let reader: FeedReader
    /// Whether the day comes first in dates such as 1/2/2003.
    private var isDayFirst = false

    init(_ reader: FeedReader) { self.reader = reader }

    func read(_ bytes: [UInt8]) throws(FeedFormatError) -> SourceFeed {
        let value: JSONValue
        var document = bytes
        var note: String?
        do {
            value = try JSONValue(parsing: bytes)
        } catch {
            guard let lenient = LenientJSON.value(bytes) else {
                throw .malformed(error.description)
            }
            (value, document) = (lenient, lenient.bytes)
            note = "its JSON is ill-formed (\(error)); what could be read was taken"
        }
        var feed = try feed(value, document)
        if let note { feed.notes.append(note) }
        return feed
    }

    private func feed(_ value: JSONValue, _ bytes: [UInt8]) throws(FeedFormatError) -> SourceFeed {
        if let mapping = reader.mapping { return try mapped(value, mapping, bytes.count) }
        guard case .object = value else { throw .unknown("it is JSON without a mapping") }
        if case .string(let version)? = value["version"], version.string.contains("jsonfeed.org") {
            return jsonFeed(value, bytes.count)
        }
        if case .array? = value["sections"] { return own(value, bytes) }
        guard case .array(let items)? = value["items"] else {
            throw .unknown("it is JSON without “items” or “sections”, and without a mapping")
        }
        // Some feeds omit their version; if items have the members of JSON Feed, the feed is one.
        let isFeed =
            value["home_page_url"] != nil || value["feed_url"] != nil
            || items.contains { $0["date_published"] != nil }
        return isFeed ? jsonFeed(value, bytes.count) : own(value, bytes)
    }

    private func own(_ value: JSONValue, _ bytes: [UInt8]) -> SourceFeed {
        var feed = SourceFeed(.own)
        feed.title = value.text("title")
        let form = NativeDocument(value, bytes, reader)
        feed.nativeDocument = form.document
        feed.isEmpty = !form.hasItems
        if form.isCutOff {
            feed.notes.append("its addresses come to too much; later ones stay relative")
        }
        return feed
    }

    private func jsonFeed(_ value: JSONValue, _ byteCount: Int) -> SourceFeed {
        var feed = SourceFeed(.jsonFeed)
        feed.title = value.words("title")?.singleLine
        feed.url = address(value, "home_page_url")
        feed.description = value.words("description")
        feed.language = value.text("language")
        feed.icon = address(value, "icon") ?? address(value, "favicon")
        feed.author = authors(value).first
        feed.selfAddress = address(value, "feed_url")
        let hub = value.elements("hubs").first { $0.text("type")?.lowercased() == "websub" }
        feed.hub = hub.flatMap { address($0, "url") }
        guard case .array(let items)? = value["items"] else { return feed }
        let texts = items.lazy.flatMap { item in
            ["date_published", "date_modified"].compactMap { item.text($0) }
        }
        let dated = withDates(texts, &feed)
        let entries = items.lazy.compactMap { item -> SourceEntry? in
            guard case .object = item else { return nil }
            return dated.entry(item)
        }
        reader.take(entries, ofDocument: byteCount, into: &feed)
        return feed
    }

    private func entry(_ item: JSONValue) -> SourceEntry {
        var entry = SourceEntry()
        entry.guid = item.text("id")
        entry.url = address(item, "url").map(WebAddress.withoutTracking)
        entry.externalURL = address(item, "external_url")
        if entry.externalURL == entry.url { entry.externalURL = nil }
        entry.title = item.words("title")?.singleLine
        entry.summary = item.words("summary")
        let base = entry.url ?? reader.address
        entry.contentHTML = item.text("content_html").flatMap { reader.html($0, base: base) }
        // JSON Feed requires content in every item, so content that only repeats the summary counts
        // as missing.
        if entry.contentHTML == nil, let text = item.words("content_text"), text != entry.summary {
            entry.content = text
        }
        entry.authors = authors(item)
        entry.published = item.text("date_published").flatMap(date)
        entry.updated = item.text("date_modified").flatMap(date)
        entry.image = address(item, "image") ?? address(item, "banner_image")
        entry.language = item.text("language")
        entry.tags = item["tags"].map(JSONSourceReader.tags) ?? []
        switch item["attachments"] {
        case .array(let files): entry.attachments = files.prefix(50).compactMap(attachment)
        case let file?: entry.attachments = [attachment(file)].compactMap(\.self)
        case nil: break
        }
        entry.image = entry.image ?? MediaType.image(among: entry.attachments)
        return entry
    }

    /// Returns this reader with the order of day and month that the dates show, and notes in the
    /// feed if they show none.
    private func withDates(_ texts: some Sequence<String>, _ feed: inout SourceFeed) -> Self {
        var dates = SlashedDates()
        for text in texts { dates.take(text) }
        if let note = dates.note { feed.notes.append(note) }
        var reader = self
        reader.isDayFirst = dates.isDayFirst
        return reader
    }

    private func date(_ text: String) -> FeedDate? {
        FeedDate(parsing: text, isDayFirst: isDayFirst)
    }

    /// Reads tags: a list, or a text with commas between the tags.
    private static func tags(_ value: JSONValue) -> [String] {
        if case .array(let tags) = value {
            return tags.prefix(100).compactMap { $0.words }
        }
        let tags = (value.words ?? "").split(separator: ",").prefix(100)
        return tags.compactMap { String($0).trimmed.nonempty }
    }

    private func attachment(_ value: JSONValue) -> SourceAttachment? {
        guard let url = address(value, "url") else { return nil }
        return SourceAttachment(
            url: url,
            type: value.text("mime_type") ?? MediaType.named(url),
            byteCount: value.text("size_in_bytes").flatMap { Int(digits: $0.utf8) },
            seconds: value.text("duration_in_seconds").flatMap { Double($0) }
                .flatMap { 0..<1e9 ~= $0 ? Int($0) : nil },
            title: value.words("title")
        )
    }

    private func authors(_ value: JSONValue) -> [SourceAuthor] {
        value.authors.prefix(20).compactMap { author in
            if let name = author.words { return SourceAuthor(text: name) }
            guard let name = author.words("name") ?? author.text("url") else { return nil }
            return SourceAuthor(name: name.singleLine, url: address(author, "url"))
        }
    }

    private func address(_ value: JSONValue, _ name: ExactString) -> String? {
        value.text(name).flatMap { WebAddress.web(WebAddress.resolve($0, base: reader.address)) }
    }
}

/// The paths by which JSON of no known form is read: to the list of elements, and in each element
/// to the values of an item.
package struct JSONMapping: Sendable, Equatable {
    /// The path to the list; empty: the document itself.
    package var items: JSONPointer
    /// The paths in an element, by the member that each makes: `id`, `title`, `url` and others.
    package var members: [String: JSONPointer]
    /// The path to the feed's title, if the document has one.
    package var title: JSONPointer?

    package init(items: JSONPointer, members: [String: JSONPointer], title: JSONPointer? = nil) {
        self.items = items
        self.members = members
        self.title = title
    }
}

/// Reads JSON that a mapping describes.
extension JSONSourceReader {
    private func mapped(
        _ value: JSONValue,
        _ mapping: JSONMapping,
        _ byteCount: Int
    ) throws(FeedFormatError) -> SourceFeed {
        guard case .array(let elements)? = mapping.items.value(in: value) else {
            throw .malformed("the mapping's “items” leads to no list")
        }
        var feed = SourceFeed(.mapped)
        feed.title = mapping.title?.value(in: value)?.words
        let pointers = ["published", "updated"].compactMap { mapping.members[$0] }
        let texts = elements.lazy.flatMap { element in
            pointers.compactMap { $0.value(in: element)?.scalar }
        }
        let dated = withDates(texts, &feed)
        var nameless: [Int] = []
        let numbered = elements.enumerated()
        let entries = numbered.lazy.compactMap { index, element -> SourceEntry? in
            let entry = dated.entry(element, mapping)
            if entry.guid != nil || entry.url != nil || entry.title != nil { return entry }
            nameless.append(index)
            return nil
        }
        reader.take(entries, ofDocument: byteCount, into: &feed)
        feed.notes += nameless.map { "element \($0) has neither id nor url nor title" }
        return feed
    }

    /// Returns the members by name, but `url` first: the HTML's addresses are relative to it.
    private static func ordered(
        _ members: [String: JSONPointer]
    ) -> [(key: String, value: JSONPointer)] {
        members.sorted { $0.key == "url" || $1.key != "url" && $0.key < $1.key }
    }

    private func entry(_ element: JSONValue, _ mapping: JSONMapping) -> SourceEntry {
        var entry = SourceEntry()
        for (name, pointer) in JSONSourceReader.ordered(mapping.members) {
            guard let value = pointer.value(in: element) else { continue }
            let text = value.scalar?.nonempty
            switch name {
            case "id": entry.guid = text
            case "title": entry.title = text.map(HTMLText.line)
            case "url":
                entry.url = text.map {
                    WebAddress.withoutTracking(WebAddress.resolve($0, base: reader.address))
                }
            case "summary": entry.summary = text.map(HTMLText.plain)
            case "content": entry.content = value.words
            case "content_html":
                entry.contentHTML = text.flatMap {
                    reader.html($0, base: entry.url ?? reader.address)
                }
            case "author":
                entry.authors = value.words.flatMap { SourceAuthor(text: $0) }.map { [$0] } ?? []
            case "published": entry.published = text.flatMap(date)
            case "updated": entry.updated = text.flatMap(date)
            case "image": entry.image = text.map { WebAddress.resolve($0, base: reader.address) }
            case "tags":
                entry.tags = JSONSourceReader.tags(value)
            case "kind":
                // The protocol has the kind as a text.
                if let text {
                    entry.members.append(Member(name: "kind", value: JSONText(string: text)))
                }
            default: entry.members.append(Member(name: ExactString(name), value: value.text))
            }
        }
        return entry
    }
}

extension JSONValue {
    /// The value as text: a string, a number as it is spelled, or a boolean; `nil` for others.
    package var scalar: String? {
        switch self {
        case .string(let text): text.string
        case .number(let text): text
        case .bool(let isTrue): isTrue ? "true" : "false"
        case .object, .array, .null: nil
        }
    }

    /// Returns a member's ``scalar`` without white space at its ends, unless it is empty.
    func text(_ name: ExactString) -> String? { self[name]?.scalar?.nonempty }

    /// The ``scalar`` for people to read: without control characters and white space at its ends.
    fileprivate var words: String? { scalar?.withoutControls.nonempty }

    /// Returns a member's ``words``, unless they are empty.
    fileprivate func words(_ name: ExactString) -> String? { self[name]?.words }

    /// Returns the elements of a member that is a list.
    func elements(_ name: ExactString) -> [JSONValue] {
        self[name]?.elements ?? []
    }

    /// The member `authors`, or the `author` of JSON Feed 1.0, which some feeds make a string.
    var authors: [JSONValue] {
        let authors = elements("authors")
        return authors.isEmpty ? [self["author"]].compactMap(\.self) : authors
    }
}
