package import FeedModel

/// One edit of a `PATCH` (docs/PROTOCOL.md, "Publishing").
package enum Edit: Sendable {
    /// Where something goes in its list.
    package enum Place: Sendable, Equatable {
        case start, end
        case before(Text)
        case after(Text)
    }

    /// By default to the start of the first section.
    case insert(Item, section: Text?, at: Place?)
    case set(Changes.MemberEdit, item: Text)
    /// Puts an item in the place of the one with its id.
    case replace(Item)
    /// By default to the start of its own section.
    case move(Text, section: Text?, at: Place?)
    case remove(Text)
    /// By default to the end.
    case insertSection(Section, at: Place?)
    case setSection(Changes.MemberEdit, section: Text)
    /// By default to the end.
    case moveSection(Text, at: Place?)
    /// With its items.
    case removeSection(Text)
    case setFeed(Changes.MemberEdit)
    /// Replaces where the id is there, otherwise inserts. No document has it: it is the `PUT` of
    /// an item.
    case put(Item, section: Text?, at: Place?)

    /// The edit that is a merge patch (RFC 7396) of an item.
    ///
    /// - Throws: Why the result cannot be in the place of `item`, as if it were its `PUT`: a
    ///   result without an `id` keeps the item's, one with another is refused.
    package static func merging(
        _ patch: JSONValue,
        into item: Item
    ) throws(DocumentError) -> Edit {
        let merged = MergePatch.apply(patch, to: JSONValue(item.json))
        return .replace(try Item(parsing: merged.text.bytes, id: item.id))
    }
}

extension Edit.Place {
    /// What `before` or `after` names.
    var neighbour: Text? {
        switch self {
        case .start, .end: nil
        case .before(let id), .after(let id): id
        }
    }
}
