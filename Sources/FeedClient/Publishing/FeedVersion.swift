public import FeedModel

/// An entry in the list of a feed's versions (docs/PUBLISHING.md, "Going back").
public struct FeedVersion: Sendable, Equatable {
    /// The version.
    public let token: Token
    /// The time of the publish (RFC 3339).
    public let published: String
    /// The publisher in words; `nil`: the server does not know it any more.
    public let author: String?
    /// The numbers of items that were inserted, removed, moved and updated since the version
    /// before; `nil`: the server does not know them.
    public let items: ChangeCounts.Tally?
    /// The number of items.
    public let count: Int
}

extension FeedVersion: Decodable {
    private enum Key: String, CodingKey {
        case token, published, by, items, count
    }

    private struct Author: Decodable {
        let key, kid, restore: String?
        let source, derived: Bool?

        var words: String? {
            if let key { return "key \(key)" }
            if let kid { return "a token of \(kid)" }
            if let restore { return "back to \(restore)" }
            if source == true { return "the source" }
            return derived == true ? "derived" : nil
        }
    }

    /// Decodes an entry of a document of the kind `versions`.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        token = try members.decode(Token.self, forKey: .token)
        published = try members.decode(String.self, forKey: .published)
        author = try members.decodeIfPresent(Author.self, forKey: .by)?.words
        items = try members.decodeIfPresent(ChangeCounts.Tally.self, forKey: .items)
        count = try members.decode(Int.self, forKey: .count)
    }
}
