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
        let (nameLimit, patternLimit) = (FeedSelection.nameLimit, FeedSelection.patternLimit)
        let reason = "the body has more than \(nameLimit) feeds or \(patternLimit) patterns"
        let tooMany = Problem(.limit, .contentTooLarge, reason)
        // Each name and each pattern but the first is after a comma: a body of other values is
        // refused before its tree takes many times its bytes.
        let commaCount = body.count { $0 == UInt8(ascii: ",") }
        guard commaCount < nameLimit + patternLimit else { throw tooMany }
        do throws(DocumentError) {
            (entries, patterns) = try FeedSelection.feeds(in: body)
        } catch {
            throw Problem(error, in: body)
        }
        self.presentation = presentation
        guard entries.count <= nameLimit, patterns.count <= patternLimit else { throw tooMany }
        guard !entries.isEmpty || !patterns.isEmpty else {
            throw .malformed("the body names no feed, neither in \"feeds\" nor by \"match\"")
        }
    }

    private static func feeds(
        in body: [UInt8]
    ) throws(DocumentError) -> (entries: [Entry], patterns: [FeedPattern]) {
        var (entries, patterns): ([Entry], [FeedPattern]) = ([], [])
        for member in try JSONValue(parsing: body, depth: 2).object(at: "") {
            switch member.name {
            case "feeds":
                for feed in try member.value.object(at: "feeds") {
                    entries.append(try entry(feed))
                }
            case "match":
                for (index, value) in try member.value.array(at: "match").enumerated() {
                    guard let pattern = value.string.flatMap(FeedPattern.init) else {
                        let reason = "is no feed's name, in which * may stand for any characters"
                        throw .refused("match[\(index)]", reason)
                    }
                    patterns.append(pattern)
                }
            default:
                let path = JSONPath.join("", member: member.name.string)
                throw .refused(path, "is neither “feeds” nor “match”")
            }
        }
        return (entries, patterns)
    }

    private static func entry(_ feed: JSONValue.Entry) throws(DocumentError) -> Entry {
        let name = feed.name.string
        if case .null = feed.value { return Entry(name: name, feed: FeedName(name)) }
        guard let text = feed.value.string, let token = Token(lenient: Array(text.utf8).span) else {
            let path = JSONPath.join("feeds", member: name)
            throw .refused(path, "is neither null nor of a token's form (q7x2m5kd.42)")
        }
        return Entry(name: name, feed: FeedName(name), since: token)
    }
}

extension DocumentError {
    fileprivate static func refused(_ path: String, _ reason: String) -> DocumentError {
        DocumentError(kind: .malformed, path: path, reason: reason)
    }
}
