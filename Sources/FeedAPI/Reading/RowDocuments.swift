import FeedDiff
import FeedModel
import FeedStore

/// Writes the documents of rows (docs/PROTOCOL.md, "Rows on demand").
enum RowDocuments {
    /// A row: an item, and where it stands.
    struct Row {
        let section: FeedSection
        let index: Int

        var item: FeedItem { section.items[index] }
    }

    /// The sections without their items.
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

    /// The rows of a page of the whole feed.
    static func rows(
        _ query: RowQuery,
        _ version: Version,
        atMost limit: Int = RowQuery.maximumLimit
    ) -> [Row] {
        let limit = min(query.limit, limit)
        let sections = version.snapshot.sections
        var rows: [Row] = []
        var place = sections.position(ofItem: query.offset)
        while rows.count < limit, let (number, start) = place {
            let section = sections[number]
            let end = min(section.items.count, start + limit - rows.count)
            rows += (start..<end).map { Row(section: section, index: $0) }
            place = number + 1 < sections.count ? (number + 1, 0) : nil
        }
        return rows
    }

    /// The rows of a page of one section.
    static func rows(
        _ query: RowQuery,
        _ section: FeedSection,
        atMost limit: Int = RowQuery.maximumLimit
    ) -> [Row] {
        let start = min(query.offset, section.items.count)
        let end = min(section.items.count, start + min(query.limit, limit))
        return (start..<end).map { Row(section: section, index: $0) }
    }

    /// A page of rows of the whole feed.
    static func page(_ query: RowQuery, _ version: Version) -> [UInt8] {
        page(rows(query, version), query, version, total: version.count, section: nil)
    }

    /// A page of rows of one section.
    static func page(_ query: RowQuery, _ section: FeedSection, _ version: Version) -> [UInt8] {
        let total = section.items.count
        return page(rows(query, section), query, version, total: total, section: section)
    }

    /// A reference to the page after this one, of so many rows in all.
    static func next(_ query: RowQuery, total: Int, _ version: Version) -> String? {
        // The offset is below `total` where there are rows, and so the sum is no overflow.
        guard query.offset < total, query.limit < total - query.offset else { return nil }
        return query.next(query.offset + query.limit, version.token)
    }

    private static func page(
        _ rows: [Row],
        _ query: RowQuery,
        _ version: Version,
        total: Int,
        section: FeedSection?
    ) -> [UInt8] {
        var writer = begin("items", version)
        if let section {
            let members = DocumentEncoder(feed: version.feed).section(section, count: nil)
            writer.member("section", json: members)
        }
        writer.member("total", total)
        writer.member("offset", query.offset)
        write(rows, to: &writer)
        if let next = next(query, total: total, version) { writer.member("next", next) }
        writer.endObject()
        return writer.finish()
    }

    /// The rows of certain ids, in the order asked for.
    static func items(_ ids: [ExactString], _ version: Version) -> [UInt8] {
        let found = rows(ids, version.snapshot)
        var writer = begin("items", version)
        writer.member("total", version.count)
        write(ids.compactMap { found[$0] }, to: &writer)
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
            guard let place = snapshot.position(ofItem: id) else { continue }
            let section = snapshot.sections[Int(place.section)]
            found[id] = Row(section: section, index: Int(place.index))
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

    private static func write(_ rows: [Row], to writer: inout JSONWriter) {
        writer.beginArray("items")
        for row in rows {
            writer.beginObject()
            writer.member("in", row.section.id.string)
            writer.member("index", row.index)
            writer.member("item", json: row.item.json.bytes)
            writer.endObject()
        }
        writer.endArray()
    }
}
