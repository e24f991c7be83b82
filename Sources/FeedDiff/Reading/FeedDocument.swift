package import FeedModel

/// The parsed body of a `PUT` of a feed.
package struct FeedDocument: Sendable {
    package var snapshot: Snapshot

    /// The request to sort and group the items; `nil`: none.
    ///
    /// With a request, `snapshot` has all items in one section, in the order of the body, and its
    /// members still include `collate`.
    package var collate: Collate?

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
        var items = known.map(KnownItems.init)
        snapshot = try Snapshot(parsing: bytes, itemLimit: itemLimit) { hash, id, bytes in
            items?.item(hash: hash, id: id, in: bytes)
        }
        collate = try snapshot.members["collate"].map { value throws(DocumentError) in
            try Collate(JSONValue(value))
        }
        if collate != nil {
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

/// Finds items of a feed's earlier version while a new one is parsed, so that items which are equal
/// byte for byte are shared.
///
/// Items are expected in their old order. An item at another position is looked up by its id.
struct KnownItems {
    private let snapshot: Snapshot

    /// The position at which the next item is expected.
    private var section = 0
    private var index = 0
    /// The part of the list around that position, and the index at which the part begins.
    private var leaf: ContiguousArray<TreeEntry<FeedItem>> = []
    private var start = 0

    /// The number of lookups, less the number of items found at the expected position.
    private var lookUps = 0

    /// The number of lookups after which the versions count as having nothing in common.
    private static let lookUpLimit = 256

    /// Expects the first item of an earlier version.
    init(of snapshot: Snapshot) {
        self.snapshot = snapshot
        enterLeaf()
    }

    /// Returns the earlier item that is likely equal to a new one.
    ///
    /// - Parameters:
    ///   - hash: The hash of the new item's value.
    ///   - id: The new item's id.
    ///   - bytes: The document that contains the new item.
    /// - Returns: An item with an equal hash, if there is one.
    mutating func item(hash: UInt64, id: StringToken, in bytes: ArraySlice<UInt8>) -> FeedItem? {
        guard lookUps < Self.lookUpLimit else { return nil }
        if let item = expected {
            if item.json.valueHash == hash {
                lookUps = max(0, lookUps - 1)
                advance()
                return item
            }
            if id.equals(item.id, in: bytes) {
                advance()
                return nil
            }
        }
        lookUps += 1
        guard snapshot.isIndexed,
            let position = snapshot.position(ofItem: ExactString(id.string(in: bytes)))
        else { return nil }
        (section, index) = (Int(position.section), Int(position.index))
        enterLeaf()
        let item = expected
        advance()
        return item?.json.valueHash == hash ? item : nil
    }

    private var expected: FeedItem? {
        let position = index - start
        return position < leaf.count ? leaf[position].element : nil
    }

    private mutating func advance() {
        index += 1
        if index - start >= leaf.count { enterLeaf() }
    }

    /// Finds the part of the list around the next item, which may be in a later section.
    private mutating func enterLeaf() {
        while section < snapshot.list.count {
            let items = snapshot.list[section].items
            if index < items.count {
                (leaf, start) = items.leaf(around: index)
                return
            }
            (section, index) = (section + 1, 0)
        }
        (leaf, start) = ([], index)
    }
}
