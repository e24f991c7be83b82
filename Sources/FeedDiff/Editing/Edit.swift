package import FeedModel

/// An edit in a `PATCH` (docs/PUBLISHING.md, "The requests").
package enum Edit: Sendable {
    /// A position in a list of items or sections.
    package enum Position: Sendable, Equatable {
        case start, end
        case before(ExactString)
        case after(ExactString)
    }

    /// Inserts an item, by default at the start of the first section.
    case insert(FeedItem, section: ExactString?, at: Position?)
    /// Sets and removes members of an item.
    case set(Changes.MemberEdit, item: ExactString)
    /// Replaces the item with the same id.
    case replace(FeedItem)
    /// Moves an item, by default to the start of its own section.
    case move(ExactString, section: ExactString?, at: Position?)
    /// Removes an item.
    case remove(ExactString)
    /// Inserts a section, by default at the end.
    case insertSection(FeedSection, at: Position?)
    /// Sets and removes members of a section.
    case setSection(Changes.MemberEdit, section: ExactString)
    /// Moves a section, by default to the end.
    case moveSection(ExactString, at: Position?)
    /// Removes a section with its items.
    case removeSection(ExactString)
    /// Sets and removes members of the feed.
    case setFeed(Changes.MemberEdit)
    /// Replaces the item with the same id, or inserts it if there is none.
    ///
    /// No document contains this edit: it is the `PUT` of an item.
    case put(FeedItem, section: ExactString?, at: Position?)

    /// Returns the edit that applies a merge patch (RFC 7396) to an item.
    ///
    /// - Throws: The reason why the result cannot replace `item`, such as a changed `id`.
    package static func merging(
        _ patch: JSONValue,
        into item: FeedItem
    ) throws(DocumentError) -> Edit {
        guard case .object(let changes) = patch else {
            // A patch that is not an object replaces the item, and is refused here as not an item.
            return .replace(try FeedItem(made: patch.bytes))
        }
        if let id = patch["id"], id != .string(item.id) { throw idChange(id, item) }
        let old = item.values(of: changes.map(\.name))
        var edit = Changes.MemberEdit(set: [], unset: [])
        for change in changes where change.name != "id" {
            if case .null = change.value {
                edit.unset.append(change.name)
                continue
            }
            // A tree takes many times the memory of its text: only members that are merged become
            // one.
            let merges = change.value.entries != nil
            let target = merges ? old[change.name].map { JSONValue($0) } : nil
            let value = MergePatch.apply(change.value, to: target ?? .null)
            edit.set.append(Member(name: change.name, value: value.text))
        }
        return .replace(try FeedItem(made: item.applying(edit).json.bytes))
    }

    private static func idChange(_ value: JSONValue, _ item: FeedItem) -> DocumentError {
        DocumentError(
            kind: .malformed,
            path: "id",
            reason: "a patch cannot change it from \"\(item.id)\" to \(value.shortText)"
        )
    }
}

extension Edit.Position {
    /// The id that `before` or `after` names.
    var neighbour: ExactString? {
        switch self {
        case .start, .end: nil
        case .before(let id), .after(let id): id
        }
    }
}

extension JSONValue {
    /// The first bytes of the value, for messages.
    fileprivate var shortText: String {
        if case .null = self { return "nothing" }
        let bytes = text.bytes
        return String(decoding: bytes.prefix(60), as: UTF8.self) + (bytes.count > 60 ? "…" : "")
    }
}

extension Edit {
    /// Parses `{"edits": […]}` (docs/PUBLISHING.md, "The requests").
    ///
    /// - Throws: ``FeedModel/DocumentError`` with the position, such as `edits[3].before`. An edit
    ///   has one operation, that operation's members and no others.
    package static func list(parsing bytes: [UInt8]) throws(DocumentError) -> [Edit] {
        var reader = try ObjectReader(JSONValue(parsing: bytes), path: "")
        let values = try reader.required("edits").array(at: "edits")
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

/// The reason why all edits of a request were refused.
package struct EditFailure: Error, Equatable {
    /// The kinds of failure, each of which the caller answers differently.
    package enum Kind: Sendable, Equatable {
        /// The item or section to change does not exist.
        case notFound
        /// An item or section to insert already exists.
        case exists
        /// The position does not exist, or `section` and `before` or `after` name different
        /// sections.
        case wrongPosition
        /// The item, the section or the feed would have more members than it may have.
        case tooManyMembers
        /// The edits would rewrite more bytes than allowed.
        case tooMuchWork
    }

    /// The index of the edit, from 0.
    package let index: Int

    package let kind: Kind

    /// The description of the failure, with the ids.
    package let reason: String

    /// Makes a failure.
    package init(index: Int, kind: Kind, reason: String) {
        self.index = index
        self.kind = kind
        self.reason = reason
    }
}
