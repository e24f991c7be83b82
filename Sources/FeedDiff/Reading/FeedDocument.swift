package import FeedModel

/// What a `PUT` brings.
package struct FeedDocument: Sendable {
    package var snapshot: Snapshot

    /// Present when the document asks for collation: `snapshot` then holds all items in one
    /// section, in the order of the body, and `members` keeps the member `collate`.
    package var collate: Collate?

    /// How the server is to sort and group the items.
    package struct Collate: Sendable, Equatable {
        /// The member by which they are sorted.
        package var by: ExactString
        /// The locale whose order and index they get, as it was given.
        package var locale: String

        /// Makes a wish to collate.
        package init(by: ExactString, locale: String) {
            self.by = by
            self.locale = locale
        }
    }
}

extension FeedDocument {
    /// Reads the body of a PUT (docs/PROTOCOL.md, "Publishing"): `sections`, or `items` alone.
    ///
    /// Members that belong to the protocol are dropped.
    ///
    /// - Parameters:
    ///   - bytes: The body.
    ///   - itemLimit: The most items.
    ///   - known: An earlier version of the feed, perhaps: items that are byte for byte the same
    ///     are shared with it, so that they take neither time nor memory anew.
    /// - Throws: What is wrong, and where.
    package init(
        parsing bytes: [UInt8],
        itemLimit: Int = 1_000_000,
        known: Snapshot? = nil
    ) throws(DocumentError) {
        if let known {
            var items = KnownItems(of: known)
            snapshot = try Snapshot(parsing: bytes, itemLimit: itemLimit) { hash, id, bytes in
                items.item(hash: hash, id: id, in: bytes)
            }
        } else {
            snapshot = try Snapshot(parsing: bytes, itemLimit: itemLimit)
        }
        collate = try snapshot.members["collate"].map(Collate.init)
        if collate != nil {
            let items = snapshot.sections.flatMap(\.items)
            snapshot.sections = [FeedSection(id: "main", items: items)]
        }
    }

    /// The same for a tree (the result of a JSON Patch).
    package init(_ value: JSONValue, itemLimit: Int = 1_000_000) throws(DocumentError) {
        do throws(DocumentError) {
            try self.init(parsing: value.bytes, itemLimit: itemLimit)
        } catch {
            throw error.within("")
        }
    }
}

extension FeedDocument.Collate {
    /// Reads the member `collate`.
    fileprivate init(_ text: JSONText) throws(DocumentError) {
        guard case .object(let entries) = JSONValue(text) else {
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
