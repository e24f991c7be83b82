import FeedModel
import HTTPTypes

/// Parses the body of a `POST` or `QUERY` that asks for feeds by names and patterns
/// (docs/PROTOCOL.md, "Very many feeds").
extension FeedSelection {
    /// The most names in a body.
    static let nameLimit = 100_000
    /// The most patterns in a body; each pattern is compared with each name.
    static let patternLimit = 1000
    /// The most bytes of a body if the caller's key has no right to follow feeds.
    static let smallByteLimit = 64 << 10

    /// Whether the request needs a key with the right to follow feeds: it has patterns, or more
    /// than ``limit`` names.
    var isLarge: Bool {
        !patterns.isEmpty || entries.count > FeedSelection.limit
    }

    /// The feeds that can exist, each with the version that the client has; `since` is `nil`
    /// without one.
    var feeds: [(name: FeedName, since: Token?)] {
        entries.compactMap { entry in entry.feed.map { ($0, entry.since) } }
    }

    /// The names that are not valid for a feed, although the client states that it has a version of
    /// each.
    var impossible: [String] {
        entries.filter { $0.feed == nil && $0.since != nil }.map(\.name)
    }

    /// Reads the names and the patterns of a body.
    ///
    /// - Throws: `400`, and `413` for too many names.
    init(parsing body: [UInt8], _ presentation: Presentation) throws(Problem) {
        let names: FollowedNames
        do {
            names = try FollowedNames(parsing: body, limit: FeedSelection.nameLimit)
        } catch {
            guard error.kind != .tooManyItems else {
                let reason = "the body has more than \(FeedSelection.nameLimit) feeds or patterns"
                throw Problem(.limit, .contentTooLarge, reason)
            }
            throw Problem(error, in: body)
        }
        guard !names.feeds.isEmpty || !names.patterns.isEmpty else {
            throw .malformed("the body names no feed, neither in \"feeds\" nor by \"match\"")
        }
        var entries: [Entry] = []
        entries.reserveCapacity(names.feeds.count)
        for entry in names.feeds {
            let since = try FeedSelection.token(entry, body)
            entries.append(Entry(name: entry.name, feed: FeedName(entry.name), since: since))
        }
        self.entries = entries
        self.presentation = presentation
        patterns = try FeedSelection.patterns(names.patterns, body)
    }

    private static func token(
        _ entry: FollowedNames.Entry,
        _ body: [UInt8]
    ) throws(Problem) -> Token? {
        guard let text = entry.token else { return nil }
        if let token = Token(lenient: Array(text.utf8).span) { return token }
        let reason = "is not of a token's form (q7x2m5kd.42)"
        throw Problem(FollowedNames.refusal(entry.offset, in: body, reason), in: body)
    }

    private static func patterns(
        _ list: [FollowedNames.Entry],
        _ body: [UInt8]
    ) throws(Problem) -> [FeedPattern] {
        guard list.count <= patternLimit else {
            let reason = "\"match\" has more than \(patternLimit) patterns"
            throw Problem(.limit, .contentTooLarge, reason)
        }
        var patterns: [FeedPattern] = []
        for element in list {
            guard let pattern = FeedPattern(element.name) else {
                let reason = "is no feed's name, in which * may stand for any run of characters"
                throw Problem(FollowedNames.refusal(element.offset, in: body, reason), in: body)
            }
            patterns.append(pattern)
        }
        return patterns
    }
}
