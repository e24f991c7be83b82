import FeedModel

/// The items in a document `items`, by id (docs/PROTOCOL.md, "Rows on demand").
struct ServedItems {
    private(set) var items: [String: FeedItem] = [:]

    init(parsing bytes: [UInt8]) throws {
        guard case .array(let rows)? = try JSONValue(parsing: bytes)["items"] else {
            throw DocumentError(kind: .malformed, path: "items", reason: "is missing")
        }
        for row in rows {
            guard let item = row["item"] else { continue }
            let parsed = try FeedItem(parsing: item.bytes)
            items[parsed.id.string] = parsed
        }
    }
}
