import FeedModel
import FeedStore
import HTTPServer
import HTTPWire

/// Where a reader of a stream stands with one feed.
struct StreamedFeed: Sendable {
    /// The state of the feed that the reader has.
    enum Held: Equatable, Sendable {
        /// The state before the stream: a version, or nothing.
        case before(Token?)
        case version(Token)
        /// The knowledge that there is no such feed.
        case absence
    }

    /// The next thing to send.
    enum Due: Equatable, Sendable {
        case nothing
        case missing
        /// The document that leads from this version (`nil`: from nothing) to the current one.
        case document(since: Token?)
    }

    let entry: FeedSelection.Entry
    private(set) var held: Held

    init(_ entry: FeedSelection.Entry) {
        self.entry = entry
        held = .before(entry.since)
    }

    /// Decides what to send to bring the reader up to date.
    ///
    /// - Parameter current: The feed's version; `nil` when there is none that it may read.
    /// - Returns: The thing to send.
    func due(_ current: Token?) -> Due {
        guard let current else { return held == .absence ? .nothing : .missing }
        switch held {
        case .before(let token): return .document(since: token)
        case .version(current): return .nothing
        case .version(let token): return .document(since: token)
        case .absence: return .document(since: nil)
        }
    }

    /// Something was sent that brings the reader to `current`.
    mutating func sent(_ current: Token?) {
        held = current.map(Held.version) ?? .absence
    }

    /// Adds the token of the version that the reader has, if it has one, to the id of an event.
    func appendToken(to line: inout [UInt8]) {
        guard entry.feed != nil else { return }
        let token: Token?
        switch held {
        case .before(let known): token = known
        case .version(let known): token = known
        case .absence: token = nil
        }
        guard let token else { return }
        var code = token.epochCode
        while code != 0 {
            line.append(UInt8(truncatingIfNeeded: code))
            code >>= 8
        }
        line.append(UInt8(ascii: "."))
        line.append(decimal: token.version)
    }
}

/// Where a reader stands with all feeds of a stream, which are one or more.
struct StreamedFeeds: Sendable {
    /// Within the stream itself: most have no other.
    var first: StreamedFeed
    private var others: [StreamedFeed]

    /// At the beginning of a stream.
    init(_ entries: [FeedSelection.Entry]) {
        first = StreamedFeed(entries[0])
        others = entries.dropFirst().map(StreamedFeed.init)
    }

    var count: Int { 1 + others.count }
    var indices: Range<Int> { 0..<count }

    /// Looks at one where it is.
    func withFeed<Result>(_ index: Int, _ look: (borrowing StreamedFeed) -> Result) -> Result {
        index == 0 ? look(first) : look(others.span[index - 1])
    }

    /// Something was sent that brings the reader to a version of one.
    mutating func sent(_ token: Token?, of index: Int) {
        if index == 0 { first.sent(token) } else { others[index - 1].sent(token) }
    }
}
