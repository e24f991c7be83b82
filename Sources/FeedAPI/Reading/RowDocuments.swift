import FeedDiff
import FeedModel
import FeedStore

/// Writes the documents of rows (docs/PROTOCOL.md, "Rows on demand").
enum RowDocuments {
    /// A row: an item with its position.
    struct Row {
        let section: FeedSection
        let index: Int

        var item: FeedItem { section.items[index] }

        /// The row as its document names it.
        fileprivate var parts: (section: ExactString, index: Int, item: FeedItem) {
            (section.id, index, item)
        }
    }

    /// Returns the document `outline`: the sections without their items.
    static func outline(_ version: Version) -> [UInt8] {
        let encoder = DocumentEncoder(feed: version.feed)
        var writer = begin("outline", version)
        writer.member("total", version.count)
        writer.beginArray("sections")
        for section in version.snapshot.sections {
            writer.json(encoder.section(section, count: section.items.count))
        }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }

    /// Returns the rows of a page, at most `limit` of them.
    static func rows(_ page: RowPage, _ version: Version) -> [Row] {
        let limit = page.limit
        if let section = section(page, version) {
            let start = min(page.offset, section.items.count)
            let end = min(section.items.count, start + limit)
            return (start..<end).map { Row(section: section, index: $0) }
        }
        return rows(of: version.snapshot, from: page.offset, atMost: limit)
    }

    /// Returns at most `limit` rows of a whole feed, from the one at position `start` on.
    static func rows(of snapshot: Snapshot, from start: Int, atMost limit: Int) -> [Row] {
        let sections = snapshot.sections
        var rows: [Row] = []
        var position = sections.position(ofItem: start)
        while rows.count < limit, let (number, start) = position {
            let section = sections[number]
            let end = min(section.items.count, start + limit - rows.count)
            rows += (start..<end).map { Row(section: section, index: $0) }
            position = number + 1 < sections.count ? (number + 1, 0) : nil
        }
        return rows
    }

    /// Returns the section of a page; `nil` for a page of the whole feed.
    static func section(_ page: RowPage, _ version: Version) -> FeedSection? {
        page.section.flatMap { version.snapshot.position(ofSection: $0) }
            .map { version.snapshot.sections[$0] }
    }

    /// Returns the reference to the page after this one; `nil` if this is the last one.
    static func next(_ page: RowPage, _ version: Version) -> String? {
        page.next(total: total(page, version), version.token)
    }

    /// Returns the number of rows on all pages.
    private static func total(_ page: RowPage, _ version: Version) -> Int {
        section(page, version)?.items.count ?? version.count
    }

    /// Returns the document of a page.
    static func page(_ page: RowPage, _ version: Version) -> [UInt8] {
        var writer = begin("items", version)
        if let section = section(page, version) {
            let members = DocumentEncoder(feed: version.feed).section(section, count: nil)
            writer.member("section", json: members)
        }
        writer.member("total", total(page, version))
        writer.member("offset", page.offset)
        writer.rows(rows(page, version).lazy.map(\.parts))
        if let next = next(page, version) { writer.member("next", next) }
        writer.endObject()
        return writer.finish()
    }

    /// Returns the document of the rows with certain ids, in the order of the query.
    static func items(_ ids: [ExactString], _ version: Version) -> [UInt8] {
        let found = rows(ids, version.snapshot)
        var writer = begin("items", version)
        writer.member("total", version.count)
        writer.rows(ids.lazy.compactMap { found[$0]?.parts })
        writer.beginArray("missing")
        for id in ids where found[id] == nil {
            writer.string(id.string)
        }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }

    private static func rows(_ ids: [ExactString], _ snapshot: Snapshot) -> [ExactString: Row] {
        var found: [ExactString: Row] = [:]
        for id in ids {
            guard let position = snapshot.position(ofItem: id) else { continue }
            let section = snapshot.sections[Int(position.section)]
            found[id] = Row(section: section, index: Int(position.index))
        }
        return found
    }

    private static func begin(_ kind: String, _ version: Version) -> JSONWriter {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("kind", kind)
        writer.member("feed", version.feed.rawValue)
        writer.member("token", version.token.description)
        return writer
    }
}
