import FeedDiff
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
        let merged = MergePatch.apply(patch, to: JSONValue(item.json))
        let result = try FeedItem(parsing: merged.text.bytes)
        guard result.id == item.id else {
            throw DocumentError(
                kind: .malformed,
                path: "id",
                reason: "a patch cannot change it from “\(item.id)” to “\(result.id)”"
            )
        }
        return .replace(result)
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
