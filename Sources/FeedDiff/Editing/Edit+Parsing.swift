package import FeedModel

extension Edit {
    /// Parses `{"edits": […]}` (docs/PUBLISHING.md, "The requests").
    ///
    /// - Throws: ``FeedModel/DocumentError`` with the position, such as `edits[3].before`. An edit
    ///   has one operation, that operation's members and no others.
    package static func list(parsing bytes: [UInt8]) throws(DocumentError) -> [Edit] {
        var reader = try ObjectReader(JSONValue(parsing: bytes), path: "")
        guard case .array(let values) = try reader.required("edits") else {
            throw reader.refusal(of: "edits", "must be an array")
        }
        try reader.finish()
        var list: [Edit] = []
        list.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            list.append(try Edit(value, path: "edits[\(index)]"))
        }
        return list
    }

    /// The operations of an edit, by the names of their members.
    private enum Operation: ExactString, CaseIterable {
        case insert, set, replace, move, remove
        case insertSection, setSection, moveSection, removeSection, setFeed
    }

    private init(_ value: JSONValue, path: String) throws(DocumentError) {
        var reader = try ObjectReader(value, path: path)
        let operation = try Edit.operation(of: reader)
        let name = operation.rawValue
        switch operation {
        case .insert:
            self = .insert(
                try reader.item(name),
                section: try reader.text("section"),
                at: try reader.position()
            )
        case .set:
            self = .set(try reader.edit(name, by: .item), item: try reader.requiredText("item"))
        case .replace: self = .replace(try reader.item(name))
        case .move:
            self = .move(
                try reader.requiredText(name),
                section: try reader.text("section"),
                at: try reader.position()
            )
        case .remove: self = .remove(try reader.requiredText(name))
        case .insertSection:
            self = .insertSection(try reader.section(name), at: try reader.position())
        case .setSection:
            self = .setSection(
                try reader.edit(name, by: .section),
                section: try reader.requiredText("section")
            )
        case .moveSection:
            self = .moveSection(try reader.requiredText(name), at: try reader.position())
        case .removeSection: self = .removeSection(try reader.requiredText(name))
        case .setFeed: self = .setFeed(try reader.edit(name, by: .feed))
        }
        try reader.finish()
    }

    private static func operation(of reader: ObjectReader) throws(DocumentError) -> Operation {
        let found = reader.entries.compactMap { Operation(rawValue: $0.name) }
        guard let operation = found.first else {
            let all = Operation.allCases.map(\.rawValue.string).joined(separator: ", ")
            throw reader.refusal(of: nil, "must have one of \(all)")
        }
        guard found.count == 1 else {
            throw reader.refusal(
                of: found[1].rawValue,
                "an edit has one operation, this one has \(operation)"
            )
        }
        return operation
    }
}
