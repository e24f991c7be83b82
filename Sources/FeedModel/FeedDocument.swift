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
        var reader = FeedDocumentReader(itemLimit: itemLimit, known: known)
        do throws(JSONFault) {
            self = try reader.document(in: bytes)
        } catch {
            throw error.documentError(in: bytes)
        }
    }

    /// Reads a snapshot as a server sends it: its sections are as they are, collated or not.
    init(served bytes: [UInt8]) throws(DocumentError) {
        var reader = FeedDocumentReader(itemLimit: .max, isServed: true)
        do throws(JSONFault) {
            self = try reader.document(in: bytes)
        } catch {
            throw error.documentError(in: bytes)
        }
    }

    /// The same for a tree (the result of a JSON Patch).
    package init(_ value: JSONValue, itemLimit: Int = 1_000_000) throws(DocumentError) {
        try self.init(parsing: value.bytes, itemLimit: itemLimit)
    }
}
