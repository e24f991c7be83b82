package import FeedModel

/// The parsed body of a `PUT` of a feed.
package struct FeedDocument: Sendable {
    /// The content of the feed; with a request to collate, all items are in one section, in the
    /// order of the body.
    package var snapshot: Snapshot

    /// A request to the server to sort and group the items.
    package struct Collate: Sendable, Equatable {
        /// The name of the member by which the items are sorted.
        package var by: ExactString
        /// The locale of the order and the index, as given in the body.
        package var locale: String

        /// Makes a request to collate.
        package init(by: ExactString, locale: String) {
            self.by = by
            self.locale = locale
        }
    }
}

extension FeedDocument {
    /// Parses the body of a PUT (docs/PUBLISHING.md, "The requests"): `sections`, or `items` alone.
    ///
    /// Members that belong to the protocol are dropped.
    ///
    /// - Parameters:
    ///   - bytes: The body.
    ///   - itemLimit: The most items.
    ///   - known: An earlier version of the feed, if any; items that are equal to its items byte
    ///     for byte are shared with it, which saves time and memory.
    /// - Throws: The reason for the refusal, and the position.
    package init(
        parsing bytes: [UInt8],
        itemLimit: Int = 1_000_000,
        known: Snapshot? = nil
    ) throws(DocumentError) {
        snapshot = try Snapshot(parsing: bytes, itemLimit: itemLimit, known: known)
        if let collate = snapshot.members["collate"] {
            _ = try Collate(JSONValue(collate))
            let items = snapshot.sections.flatMap(\.items)
            snapshot.sections = [FeedSection(id: "main", items: items)]
        }
    }

    /// Parses a document from a tree, the result of a JSON Patch.
    package init(_ value: JSONValue, itemLimit: Int = 1_000_000) throws(DocumentError) {
        do throws(DocumentError) {
            try self.init(parsing: value.bytes, itemLimit: itemLimit)
        } catch {
            throw error.within("")
        }
    }
}

extension FeedDocument.Collate {
    /// Parses the member `collate`.
    init(_ collate: JSONValue) throws(DocumentError) {
        guard case .object(let entries) = collate else {
            throw DocumentError(kind: .malformed, path: "collate", reason: "expected an object")
        }
        var values: [ExactString: ExactString] = [:]
        for entry in entries {
            let path = JSONPath.join("collate", member: entry.name.string)
            guard entry.name == "by" || entry.name == "locale" else {
                let reason = "collate has by and locale alone"
                throw DocumentError(kind: .malformed, path: path, reason: reason)
            }
            guard case .string(let value) = entry.value else {
                throw DocumentError(kind: .malformed, path: path, reason: "expected a string")
            }
            values[entry.name] = value
        }
        func value(_ name: ExactString) throws(DocumentError) -> ExactString {
            guard let value = values[name] else {
                let path = "collate.\(name)"
                throw DocumentError(kind: .malformed, path: path, reason: "is missing")
            }
            return value
        }
        self.init(by: try value("by"), locale: try value("locale").string)
    }
}

extension Snapshot {
    /// The request to sort and group the items, the feed's member `collate`; `nil`: there is none.
    package var collate: FeedDocument.Collate? {
        members["collate"].flatMap { try? FeedDocument.Collate(JSONValue($0)) }
    }
}
