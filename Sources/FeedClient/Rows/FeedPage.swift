public import FeedModel

/// A row of a feed with its position (docs/PROTOCOL.md, "Rows on demand").
public struct FeedRow: Identifiable, Sendable {
    /// The id of the row's section.
    public let section: ExactString

    /// The index of the row in the section.
    public let index: Int

    /// The item.
    public let item: FeedItem

    /// The item's id, unique in its feed.
    public var id: String { item.id.string }
}

/// A range of rows of a feed, all of one version.
public struct FeedPage: Sendable {
    /// The feed.
    public let feed: FeedName

    /// The version of the rows.
    public let token: Token

    /// The number of all rows in the feed, or in the requested section.
    public let total: Int

    /// The index of the first row.
    public let offset: Int

    /// The rows, in feed order.
    public let rows: [FeedRow]

    /// The index of the first row of the next page; `nil`: this is the last page.
    public let next: Int?

    /// Whether this is the first page of another version, since the server has forgotten the
    /// version of the pages before: those must be dropped.
    public internal(set) var isRestart = false
}

extension FeedPage {
    /// Parses the document `items`.
    ///
    /// - Throws: `DocumentError` if the document does not follow the protocol.
    init(parsing bytes: [UInt8], of feed: FeedName) throws {
        let document = try JSONValue(parsing: bytes)
        guard let token = document["token"]?.string.flatMap({ Token($0) }),
            let total = document["total"]?.wholeNumber,
            let offset = document["offset"]?.wholeNumber
        else { throw DocumentError(kind: .malformed, path: "items", reason: "is no page") }
        let rows = try FeedPage.rows(of: document).map { row in
            guard let section = row["in"]?.string, let index = row["index"]?.wholeNumber,
                let item = row["item"]
            else { throw DocumentError(kind: .malformed, path: "items", reason: "has no row") }
            let parsed = try FeedItem(parsing: item.bytes)
            return FeedRow(section: ExactString(section), index: index, item: parsed)
        }
        self.feed = feed
        self.token = token
        self.total = total
        self.offset = offset
        self.rows = rows
        next = document["next"] == nil || rows.isEmpty ? nil : offset + rows.count
    }

    /// Returns the unparsed rows in a document's member `items`.
    ///
    /// - Throws: `DocumentError` if the document has none.
    static func rows(of document: JSONValue) throws -> [JSONValue] {
        guard case .array(let rows)? = document["items"] else {
            throw DocumentError(kind: .malformed, path: "items", reason: "is missing")
        }
        return rows
    }
}

extension JSONValue {
    /// The number as an integer from 0 to 2^53; `nil`: it is another value.
    fileprivate var wholeNumber: Int? {
        digits.flatMap { Int($0) }.flatMap { 0...(1 << 53) ~= $0 ? $0 : nil }
    }
}
