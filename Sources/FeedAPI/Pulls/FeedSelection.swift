import FeedModel
import HTTPWire

/// The feeds that one request asks for, in its query or its body (docs/PROTOCOL.md, "Many feeds in
/// one request").
///
/// A query has `feed=NAME` or `feed=NAME@TOKEN`, repeated, with `limit` and `section` for all of
/// them.
struct FeedSelection: Sendable {
    /// A selected feed.
    struct Entry: Sendable {
        /// The name as the request has it.
        let name: String
        /// The feed; `nil` for a name that no feed can have.
        let feed: FeedName?
        /// The version that the client has; `nil` if it has none.
        var since: Token?
        /// Whether a stream has sent the version ``since``, or has reported the feed as missing.
        var isSent = false
    }

    var entries: [Entry]
    /// The patterns of further feeds; only a stream of very many feeds has any.
    let patterns: [FeedPattern]
    /// The part of each feed to send, and whether changes are sent even if they are longer.
    let presentation: Presentation

    var view: FeedView { presentation.view }

    /// The most feeds of one request.
    static let limit = 100

    /// Reads the feeds from a query, or takes the names that the body of a `QUERY` had.
    ///
    /// - Throws: `400` for a query without feeds, with more than ``limit``, with a repeated feed,
    ///   or with a malformed token.
    init(_ request: borrowing RoutedRequest) throws(Problem) {
        let query = request.query
        patterns = []
        if let names = request.lookUps?.names {
            presentation = try Presentation(query)
            entries = names
            return
        }
        let texts = try query.values(.feed, atMost: FeedSelection.limit)
        guard !texts.isEmpty else { throw Query.refusal(.feed, "is needed, once for each feed") }
        presentation = try Presentation(query)
        entries = []
        var names: Set<ExactString> = []
        for text in texts {
            let entry = try FeedSelection.entry(text)
            guard names.insert(ExactString(entry.name)).inserted else {
                throw Query.refusal(.feed, "names \"\(entry.name)\" twice")
            }
            entries.append(entry)
        }
    }

    /// Selects a single feed by its name.
    init(_ feed: FeedName, since: Token?, _ presentation: Presentation) {
        patterns = []
        entries = [Entry(name: feed.rawValue, feed: feed, since: since)]
        self.presentation = presentation
    }

    /// Parses a name, which may be followed by `@` and a token.
    private static func entry(_ text: String) throws(Problem) -> Entry {
        let (name, token) = parts(text)
        let since = token.flatMap { Token(lenient: $0.utf8.span) }
        if let token, since == nil {
            let pair = "has \"\(token)\" for \"\(name)\""
            throw Query.refusal(.feed, "\(pair), which is not of a token's form")
        }
        let feed = FeedName(name)
        // The entry shares the feed name's string, so that the name is in memory once.
        return Entry(name: feed?.rawValue ?? name, feed: feed, since: since)
    }

    /// Splits a text at its first `@`.
    private static func parts(_ text: String) -> (name: String, token: String?) {
        guard let at = text.utf8.firstIndex(of: UInt8(ascii: "@")) else { return (text, nil) }
        return (String(text[..<at]), String(text[text.utf8.index(after: at)...]))
    }
}

extension FeedSelection {
    /// The approximate number of bytes of memory of the selection, including the subscriptions to
    /// its feeds' topics.
    var byteCount: Int {
        entries.reduce(0) { $0 + FeedSelection.entryByteCount + $1.name.utf8.count }
    }

    private static let entryByteCount = 600

    /// Takes the versions from the id of the last event; they replace those of the query.
    ///
    /// The id is a list with commas: it has a token, or nothing, for each feed in the order of the
    /// query. `NAME@TOKEN` is accepted at any position, too. A malformed token counts as absent,
    /// and names that the query does not have are ignored.
    mutating func resume(after lastEventID: String) {
        let parts = lastEventID.utf8.split(
            separator: UInt8(ascii: ","),
            maxSplits: FeedSelection.limit,
            omittingEmptySubsequences: false
        )
        var named: [ExactString: Token] = [:]
        var tokens = [Token?](repeating: nil, count: entries.count)
        for (index, part) in parts.prefix(FeedSelection.limit).enumerated() {
            guard let text = String(part) else { continue }
            let (name, token) = FeedSelection.parts(text)
            if let token {
                named[ExactString(name)] = Token(lenient: token.utf8.span)
            } else if index < tokens.count {
                tokens[index] = Token(lenient: text.utf8.span)
            }
        }
        for index in entries.indices {
            entries[index].since = tokens[index] ?? named[ExactString(entries[index].name)]
        }
    }

    /// Takes the versions from the field `Last-Event-ID`, or else from the parameter `lastEventId`
    /// of the query, for clients that cannot set a field.
    ///
    /// - Throws: `400` for a repeated parameter.
    mutating func resume(_ request: borrowing RoutedRequest) throws(Problem) {
        if let id = request.head.value(.lastEventID) {
            resume(after: id)
        } else if let id = try request.query.value(.lastEventId) {
            resume(after: id)
        }
    }
}
