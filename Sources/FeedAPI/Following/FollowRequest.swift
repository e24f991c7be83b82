import FeedModel
import HTTPTypes

/// Which feeds a `POST /events` asks for (docs/PROTOCOL.md, "Very many").
struct FollowRequest: Sendable {
    /// Feeds by their names, with the versions that the client has.
    let feeds: [(name: FeedName, since: Token?)]
    /// Names that no feed can have, and of which the client says that it has a version.
    let impossible: [String]
    let patterns: [FeedPattern]

    /// Names in a body.
    static let nameLimit = 100_000
    /// Patterns in a body: each is held against each name.
    static let patternLimit = 1000
    /// Bytes of a body from one who may not follow very many.
    static let smallByteLimit = 64 << 10

    /// Whether it takes the right to follow.
    var isLarge: Bool {
        !patterns.isEmpty || feeds.count + impossible.count > FeedSelection.limit
    }

    /// Reads a body.
    ///
    /// - Throws: `400`, and `413` for too many names.
    init(parsing body: [UInt8]) throws(Problem) {
        let names: FollowedNames
        do {
            names = try FollowedNames(parsing: body, limit: FollowRequest.nameLimit)
        } catch {
            guard error.kind != .tooManyItems else {
                let reason = "the body has more than \(FollowRequest.nameLimit) feeds or patterns"
                throw Problem(.limit, .contentTooLarge, reason)
            }
            throw Problem(error, in: body)
        }
        guard !names.feeds.isEmpty || !names.patterns.isEmpty else {
            throw .malformed("the body names no feed, neither in \"feeds\" nor by \"match\"")
        }
        var feeds: [(name: FeedName, since: Token?)] = []
        var impossible: [String] = []
        feeds.reserveCapacity(names.feeds.count)
        for entry in names.feeds {
            let since = try FollowRequest.token(entry, body)
            if let name = FeedName(entry.name) {
                feeds.append((name, since))
            } else if since != nil {
                impossible.append(entry.name)
            }
        }
        self.feeds = feeds
        self.impossible = impossible
        patterns = try FollowRequest.patterns(names.patterns, body)
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
        _ list: [FollowedNames.Pattern],
        _ body: [UInt8]
    ) throws(Problem) -> [FeedPattern] {
        guard list.count <= patternLimit else {
            let reason = "\"match\" has more than \(patternLimit) patterns"
            throw Problem(.limit, .contentTooLarge, reason)
        }
        var patterns: [FeedPattern] = []
        for element in list {
            guard let pattern = FeedPattern(element.text) else {
                let reason = "is no feed's name, in which * may stand for any run of characters"
                throw Problem(FollowedNames.refusal(element.offset, in: body, reason), in: body)
            }
            patterns.append(pattern)
        }
        return patterns
    }
}
