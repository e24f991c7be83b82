public import FeedModel

/// The result of a publish, as the server states it (docs/PUBLISHING.md, "The requests").
public struct PublishResult: Sendable, Equatable {
    /// The feed's id.
    public let feed: String

    /// The version before; `nil`: the feed is new.
    public let since: Token?

    /// The version that is current now; `nil` for a dry run.
    public let token: Token?

    /// Whether the publish made a new version.
    public let isChanged: Bool

    /// Whether this was a dry run, which changes nothing.
    public let isDryRun: Bool

    /// The numbers of inserted, removed, moved and updated items and sections.
    public let counts: ChangeCounts
}

extension PublishResult: Decodable {
    private enum Key: String, CodingKey {
        case feed, since, token, changed, dryRun, items, sections
    }

    /// Decodes a document of the kind `published`.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        feed = try members.decode(String.self, forKey: .feed)
        since = try members.decodeIfPresent(Token.self, forKey: .since)
        token = try members.decodeIfPresent(Token.self, forKey: .token)
        isDryRun = try members.decodeIfPresent(Bool.self, forKey: .dryRun) ?? false
        counts = ChangeCounts(
            items: try members.decode(ChangeCounts.Tally.self, forKey: .items),
            sections: try members.decode(ChangeCounts.Tally.self, forKey: .sections)
        )
        isChanged = try members.decodeIfPresent(Bool.self, forKey: .changed) ?? !counts.isEmpty
    }
}

extension ChangeCounts {
    fileprivate var isEmpty: Bool { self == ChangeCounts() }
}
