import FeedModel

/// The items in a document `items`, by id (docs/PROTOCOL.md, "Rows on demand").
struct ServedItems {
    private(set) var items: [String: FeedItem] = [:]

    init(parsing bytes: [UInt8]) throws {
        guard case .object(let members) = try JSONValue(parsing: bytes),
            case .array(let rows)? = members.first(where: { $0.name == "items" })?.value
        else { throw DocumentError(kind: .malformed, path: "items", reason: "is missing") }
        for case .object(let row) in rows {
            guard let item = row.first(where: { $0.name == "item" })?.value else { continue }
            let parsed = try FeedItem(parsing: item.bytes)
            items[parsed.id.string] = parsed
        }
    }
}
