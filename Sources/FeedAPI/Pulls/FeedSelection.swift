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
        var (found, count, problem): ([Entry], Int, Problem?) = ([], 0, nil)
        query.forEach(.feed) { value in
            count += 1
            guard problem == nil, count <= FeedSelection.limit else { return }
            switch query.withText(value, FeedSelection.entry) {
            case .success(let entry): found.append(entry)
            case .failure(let refusal): problem = refusal
            }
        }
        guard count > 0 else { throw Query.refusal(.feed, "is needed, once for each feed") }
        guard count <= FeedSelection.limit else {
            throw Query.refusal(.feed, "names more than \(FeedSelection.limit) feeds")
        }
        presentation = try Presentation(query)
        if let problem { throw problem }
        entries = found
        if let name = FeedSelection.repeatedName(entries) {
            throw Query.refusal(.feed, "names \"\(name)\" twice")
        }
    }

    /// Selects a single feed by its name.
    init(_ feed: FeedName, since: Token?, _ presentation: Presentation) {
        patterns = []
        entries = [Entry(name: feed.rawValue, feed: feed, since: since)]
        self.presentation = presentation
    }

    /// Parses a name, which may be followed by `@` and a token.
    private static func entry(_ text: Span<UInt8>) -> Result<Entry, Problem> {
        let end = text.firstIndex(of: UInt8(ascii: "@"), in: text.indices) ?? text.count
        var since: Token?
        let name = text.extracting(..<end)
        if end < text.count {
            let token = text.extracting((end + 1)...)
            since = Token(lenient: token)
            guard since != nil else {
                let pair = "has \"\(string(token))\" for \"\(string(name))\""
                let words = "\(pair), which is not of a token's form"
                return .failure(Query.refusal(.feed, words))
            }
        }
        let feed = FeedName(utf8: name)
        // The entry shares the feed name's string, so that the name is in memory once.
        return .success(Entry(name: feed?.rawValue ?? string(name), feed: feed, since: since))
    }

    private static func string(_ text: Span<UInt8>) -> String {
        text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the first name that more than one entry has.
    private static func repeatedName(_ entries: [Entry]) -> String? {
        // Sorting by the last eight bytes finds nearly all names to be different without a
        // comparison of whole names.
        let ends = entries.map { entry in
            let bytes = entry.name.utf8.span
            return bytes.end
        }.sorted()
        guard ends.indices.dropFirst().contains(where: { ends[$0] == ends[$0 - 1] }) else {
            return nil
        }
        var names = Set<ExactString>(minimumCapacity: entries.count)
        return entries.first { !names.insert(ExactString($0.name)).inserted }?.name
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

extension Span<UInt8> {
    /// The last eight bytes as one number.
    fileprivate var end: UInt64 { count < 8 ? shortWord : word(at: count - 8) }
}
