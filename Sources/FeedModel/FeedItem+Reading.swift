extension FeedItem {
    /// The most members of an item, including those of the objects in it: an edit of one member
    /// reads all of them.
    package static let memberLimit = 10_000

    /// Parses an item's own document.
    ///
    /// A document without an id gets `id`, which is from the path; one with another id is
    /// malformed.
    package convenience init(parsing bytes: [UInt8], id: ExactString? = nil) throws(DocumentError) {
        let json: JSONText
        let ownID: ExactString?
        let bytes = bytes[...]
        var reader = JSONReader(depthLimit: 64)
        do throws(JSONFault) {
            try reader.begin(bytes.span)
            let parts = try reader.itemText(in: bytes, names: JSONReader.ItemNames())
            try reader.end(bytes.span)
            json = parts.json
            ownID = parts.id.map { ExactString($0.string(in: bytes)) }
        } catch {
            throw error.documentError(in: bytes)
        }
        guard let ownID else {
            guard let id else {
                throw DocumentError(kind: .malformed, path: "id", reason: "is missing")
            }
            try self.init(parsing: json.bytes.givingMember(id: id), id: id)
            return
        }
        if let id, id != ownID {
            throw DocumentError(
                kind: .malformed,
                path: "id",
                reason: "is “\(ownID)”, but the path says “\(id)”"
            )
        }
        self.init(id: ownID, json: json)
    }

    /// Parses an array of items; their ids must differ.
    ///
    /// - Parameters:
    ///   - bytes: JSON in UTF-8.
    ///   - itemLimit: The most items.
    /// - Throws: The reason for the refusal, and the position.
    package static func list(
        parsing bytes: [UInt8],
        itemLimit: Int
    ) throws(DocumentError) -> [FeedItem] {
        let bytes = bytes[...]
        var reader = SnapshotReader(itemLimit: itemLimit)
        do throws(JSONFault) {
            return try reader.items(in: bytes)
        } catch {
            throw error.documentError(in: bytes)
        }
    }

    /// Makes an item from a tree, and validates it; `path` is its position, for errors.
    package convenience init(_ value: JSONValue, path: String) throws(DocumentError) {
        try self.init(made: value.bytes, path: path)
    }

    /// Makes an item from JSON that this program has made, and validates it.
    ///
    /// - Parameters:
    ///   - bytes: JSON in UTF-8.
    ///   - path: The item's position in the received document, for errors.
    package convenience init(made bytes: [UInt8], path: String = "") throws(DocumentError) {
        do throws(DocumentError) {
            try self.init(parsing: bytes)
        } catch {
            throw error.within(path)
        }
    }
}

extension [UInt8] {
    /// Returns this object, which has no white space, with `id` as its first member.
    fileprivate func givingMember(id: ExactString) -> [UInt8] {
        var bytes = Array("{\"id\":".utf8)
        bytes.append(jsonString: id.string)
        if count > 2 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(contentsOf: dropFirst())
        return bytes
    }
}
