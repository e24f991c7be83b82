package import FeedModel

extension Snapshot {
    /// Parses the body of a PUT (docs/PUBLISHING.md, "The requests"): `sections`, or `items` alone.
    ///
    /// Members that belong to the protocol are dropped. With the member `collate`, all items are in
    /// one section, in the order of the body.
    ///
    /// - Parameter known: An earlier version of the feed, if any; items that are equal to its items
    ///   byte for byte are shared with it, which saves time and memory.
    package init(
        publishing bytes: [UInt8],
        itemLimit: Int = 1_000_000,
        known: Snapshot? = nil
    ) throws(DocumentError) {
        try self.init(parsing: bytes, itemLimit: itemLimit, known: known)
        guard let collate = members["collate"] else { return }
        _ = try CollateRequest(JSONValue(collate))
        sections = [FeedSection(id: "main", items: sections.flatMap(\.items))]
    }

    /// Parses a document from a tree, the result of a JSON Patch.
    package init(
        publishing value: JSONValue,
        itemLimit: Int = 1_000_000
    ) throws(DocumentError) {
        do throws(DocumentError) {
            try self.init(publishing: value.bytes, itemLimit: itemLimit)
        } catch {
            throw error.within("")
        }
    }

    /// The request to sort and group the items, the feed's member `collate`; `nil`: there is none.
    package var collate: CollateRequest? {
        members["collate"].flatMap { try? CollateRequest(JSONValue($0)) }
    }
}

/// A request to the server to sort and group the items of a feed.
package struct CollateRequest: Sendable, Equatable {
    /// The name of the member by which the items are sorted.
    package let by: ExactString
    /// The locale of the order and the index, as given in the body.
    package let locale: String

    /// Makes a request to collate.
    package init(by: ExactString, locale: String) {
        self.by = by
        self.locale = locale
    }
}

extension CollateRequest {
    /// Parses the member `collate`.
    init(_ collate: JSONValue) throws(DocumentError) {
        let entries = try collate.object(at: "collate")
        if let other = entries.first(where: { $0.name != "by" && $0.name != "locale" }) {
            let path = JSONPath.join("collate", member: other.name.string)
            let reason = "collate has by and locale alone"
            throw DocumentError(kind: .malformed, path: path, reason: reason)
        }
        self.init(
            by: try collate.string("by", at: "collate"),
            locale: try collate.string("locale", at: "collate").string
        )
    }
}
