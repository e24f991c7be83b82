extension FeedItem {
    /// Reads an item's own document.
    ///
    /// A body without an id gets `id`, which is from the path; one with another is malformed.
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

    /// Reads an array of items, whose ids must differ.
    ///
    /// - Parameters:
    ///   - bytes: JSON in UTF-8.
    ///   - itemLimit: The most items.
    /// - Throws: What is wrong, and where.
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

    /// Checks and makes an item of a tree; `path` is where it stands, for errors.
    package convenience init(_ value: JSONValue, path: String) throws(DocumentError) {
        do throws(DocumentError) {
            try self.init(parsing: value.bytes)
        } catch {
            throw DocumentError(
                kind: error.kind,
                path: JSONPath.join(path, error.path),
                reason: error.reason
            )
        }
    }
}

extension [UInt8] {
    /// This object, without white space, with the member `id` before its others.
    fileprivate func givingMember(id: ExactString) -> [UInt8] {
        var bytes = Array("{\"id\":".utf8)
        bytes.append(jsonString: id.string)
        if count > 2 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(contentsOf: dropFirst())
        return bytes
    }
}
