package import FeedModel

/// One edit of a `PATCH` (docs/PROTOCOL.md, "Publishing").
package enum Edit: Sendable {
    /// Where something goes in its list.
    package enum Position: Sendable, Equatable {
        case start, end
        case before(ExactString)
        case after(ExactString)
    }

    /// By default to the start of the first section.
    case insert(FeedItem, section: ExactString?, at: Position?)
    case set(Changes.MemberEdit, item: ExactString)
    /// Puts an item in the place of the one with its id.
    case replace(FeedItem)
    /// By default to the start of its own section.
    case move(ExactString, section: ExactString?, at: Position?)
    case remove(ExactString)
    /// By default to the end.
    case insertSection(FeedSection, at: Position?)
    case setSection(Changes.MemberEdit, section: ExactString)
    /// By default to the end.
    case moveSection(ExactString, at: Position?)
    /// With its items.
    case removeSection(ExactString)
    case setFeed(Changes.MemberEdit)
    /// Replaces where the id is there, otherwise inserts. No document has it: it is the `PUT` of
    /// an item.
    case put(FeedItem, section: ExactString?, at: Position?)

    /// The edit that is a merge patch (RFC 7396) of an item.
    ///
    /// - Throws: Why the result cannot be in the place of `item`: its `id` stays.
    package static func merging(
        _ patch: JSONValue,
        into item: FeedItem
    ) throws(DocumentError) -> Edit {
        guard case .object(let changes) = patch else {
            // The item would become what the patch is, which is none.
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
                // Only members that the patch names are taken apart.
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
    /// What `before` or `after` names.
    var neighbour: ExactString? {
        switch self {
        case .start, .end: nil
        case .before(let id), .after(let id): id
        }
    }
}

extension JSONValue {
    /// Its beginning, for messages.
    fileprivate var shortText: String {
        if case .null = self { return "nothing" }
        let bytes = text.bytes
        return String(decoding: bytes.prefix(60), as: UTF8.self) + (bytes.count > 60 ? "…" : "")
    }
}
