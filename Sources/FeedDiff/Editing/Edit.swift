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
    case set(Changes.MemberEdit, item: ExactString)
    /// Replaces the item with the same id.
    case replace(FeedItem)
    /// Moves an item, by default to the start of its own section.
    case move(ExactString, section: ExactString?, at: Position?)
    case remove(ExactString)
    /// Inserts a section, by default at the end.
    case insertSection(FeedSection, at: Position?)
    case setSection(Changes.MemberEdit, section: ExactString)
    /// Moves a section, by default to the end.
    case moveSection(ExactString, at: Position?)
    /// Removes a section with its items.
    case removeSection(ExactString)
    case setFeed(Changes.MemberEdit)
    /// Replaces the item with the same id, or inserts it if there is none.
    ///
    /// No document contains this edit: it is the `PUT` of an item.
    case put(FeedItem, section: ExactString?, at: Position?)

    /// Returns the edit that applies a merge patch (RFC 7396) to an item.
    ///
    /// - Throws: The reason why the result cannot replace `item`: its `id` must not change.
    package static func merging(
        _ patch: JSONValue,
        into item: FeedItem
    ) throws(DocumentError) -> Edit {
        guard case .object(let changes) = patch else {
            // The patch itself would replace the item, and it is no object.
            return .replace(try FeedItem(made: patch.bytes))
        }
        let old = item.values(of: changes.map(\.name))
        var edit = Changes.MemberEdit(set: [], unset: [])
        for change in changes {
            if change.name == "id" {
                guard change.value == .string(item.id) else { throw idChange(change.value, item) }
            } else if case .null = change.value {
                edit.unset.append(change.name)
            } else {
                // Only the members that the patch names are parsed.
                let merges = if case .object = change.value { true } else { false }
                let target = merges ? old[change.name].map { JSONValue($0) } : nil
                let value = MergePatch.apply(change.value, to: target ?? .null)
                edit.set.append(Member(name: change.name, value: value.text))
            }
        }
        return .replace(try FeedItem(made: item.applying(edit).json.bytes))
    }

    private static func idChange(_ value: JSONValue, _ item: FeedItem) -> DocumentError {
        DocumentError(
            kind: .malformed,
            path: "id",
            reason: "a patch cannot change it from “\(item.id)” to \(value.shortText)"
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
