import FeedFormats
import FeedModel
import HTTPWire

/// A part of a request's target: where it stands in the head, and whether something in it is
/// percent-encoded.
struct TargetPart: Sendable, Equatable {
    private let start: UInt32
    private let end: UInt32
    let isEncoded: Bool

    /// - Parameters:
    ///   - range: No head is longer than 4 GiB.
    ///   - isEncoded: Whether something in it is percent-encoded.
    init(range: Range<Int>, isEncoded: Bool) {
        start = UInt32(truncatingIfNeeded: range.lowerBound)
        end = UInt32(truncatingIfNeeded: range.upperBound)
        self.isEncoded = isEncoded
    }

    var range: Range<Int> { Int(start)..<Int(end) }
}

/// The resource that a path names.
enum Route: Sendable, Equatable {
    case feeds
    /// The open feeds as a list for feed readers.
    case opml
    case feed(TargetPart)
    /// A feed for feed readers: `news.atom`.
    case format(TargetPart, SyndicationFormat)
    case items(TargetPart)
    case item(TargetPart, id: TargetPart)
    case outline(TargetPart)
    case section(TargetPart, id: TargetPart)
    case refresh(TargetPart)
    /// The versions of a feed that are remembered.
    case versions(TargetPart)
    /// One older version of a feed.
    case version(TargetPart, token: TargetPart)
    /// Makes the content of an older version current again.
    case restore(TargetPart)
    case feedEvents(TargetPart)
    /// Many feeds at once.
    case pull
    case events
    /// Where a hub pushes what a source has.
    case push(TargetPart)
    case health
    case readiness
    case problem(TargetPart)
    /// The description of the API for tools.
    case specification
    case metrics
    /// A resource of the operator's page.
    case admin(OperatorResource)
    /// The server as a whole: `*`.
    case server
    /// A path below which there are feeds, but nothing here.
    case nowhere
    /// A path of the API's own where there is nothing.
    case nothing
    /// A path that is not the API's.
    case outside

    /// Finds what a path names.
    ///
    /// - Throws: ``HTTPWire/RequestError/invalidTarget`` for a segment that is not UTF-8 once
    ///   decoded.
    init(_ head: borrowing RequestHead, _ places: TargetPlaces) throws(RequestError) {
        guard places.hasSegments else {
            self = places.form == .asterisk ? .server : .outside
            return
        }
        let bytes = head.bytes.span
        var path = try Segments(bytes, places.path)
        let first = path.next(in: bytes) ?? path.empty
        let isAlone = path.isAtEnd
        if Segments.isWord("feeds", first, in: bytes) {
            self = Route.belowFeeds(path, bytes)
        } else if Segments.isWord("feeds.opml", first, in: bytes) {
            self = isAlone ? .opml : .nothing
        } else if Segments.isWord("pull", first, in: bytes) {
            self = isAlone ? .pull : .nothing
        } else if Segments.isWord("events", first, in: bytes) {
            self = isAlone ? .events : .nothing
        } else if Segments.isWord("healthz", first, in: bytes) {
            self = isAlone ? .health : .nothing
        } else if Segments.isWord("readyz", first, in: bytes) {
            self = isAlone ? .readiness : .nothing
        } else if Segments.isWord("websub", first, in: bytes) {
            self = path.last(in: bytes).map { .push($0) } ?? .nothing
        } else if Segments.isWord("problems", first, in: bytes) {
            self = path.last(in: bytes).map { .problem($0) } ?? .nothing
        } else if Segments.isWord("metrics", first, in: bytes) {
            self = isAlone ? .metrics : .nothing
        } else if Segments.isWord("admin", first, in: bytes) {
            self = Route.belowAdmin(path, bytes)
        } else if Segments.isWord("openapi.json", first, in: bytes) {
            self = isAlone ? .specification : .nothing
        } else {
            self = .outside
        }
    }

    /// Finds what the path of a request names.
    ///
    /// - Throws: ``HTTPWire/RequestError/invalidTarget``, for a target that the method may not have,
    ///   too.
    init(_ head: borrowing RequestHead) throws(RequestError) {
        try self.init(head, TargetPlaces(head))
    }

    /// The format that a feed's name ends in.
    private static func format(of part: TargetPart, _ bytes: Span<UInt8>) -> SyndicationFormat? {
        let name = bytes.extracting(part.range)
        let decoded = part.isEncoded ? (try? name.percentDecoded()) ?? "" : nil
        if let decoded {
            return SyndicationFormat.allCases.first { decoded.hasSuffix("." + $0.rawValue) }
        }
        // Most requests are for no format, and are told so by one byte.
        guard let last = part.range.last else { return nil }
        switch bytes[last] {
        case UInt8(ascii: "n"): return ends(part.range, with: ".json", bytes) ? .jsonFeed : nil
        case UInt8(ascii: "m"): return ends(part.range, with: ".atom", bytes) ? .atom : nil
        case UInt8(ascii: "s"): return ends(part.range, with: ".rss", bytes) ? .rss : nil
        default: return nil
        }
    }

    private static func ends(
        _ range: Range<Int>,
        with suffix: StaticString,
        _ bytes: Span<UInt8>
    ) -> Bool {
        let count = suffix.utf8CodeUnitCount
        guard range.count > count else { return false }
        return bytes.isSame(range.upperBound - count..<range.upperBound, as: suffix)
    }

    private static func belowAdmin(_ rest: Segments, _ bytes: Span<UInt8>) -> Route {
        guard let name = rest.last(in: bytes) else { return .nothing }
        let resource = OperatorResource.allCases.first { Segments.isWord($0.name, name, in: bytes) }
        return resource.map { .admin($0) } ?? .nothing
    }

    private static func belowFeeds(_ rest: Segments, _ bytes: Span<UInt8>) -> Route {
        var rest = rest
        guard let feed = rest.next(in: bytes) else { return .feeds }
        guard let part = rest.next(in: bytes) else {
            return format(of: feed, bytes).map { .format(feed, $0) } ?? .feed(feed)
        }
        guard !rest.isAtEnd else {
            if Segments.isWord("items", part, in: bytes) { return .items(feed) }
            if Segments.isWord("outline", part, in: bytes) { return .outline(feed) }
            if Segments.isWord("refresh", part, in: bytes) { return .refresh(feed) }
            if Segments.isWord("versions", part, in: bytes) { return .versions(feed) }
            if Segments.isWord("restore", part, in: bytes) { return .restore(feed) }
            return Segments.isWord("events", part, in: bytes) ? .feedEvents(feed) : .nowhere
        }
        guard let id = rest.last(in: bytes) else { return .nowhere }
        if Segments.isWord("items", part, in: bytes) { return .item(feed, id: id) }
        if Segments.isWord("versions", part, in: bytes) { return .version(feed, token: id) }
        return Segments.isWord("sections", part, in: bytes) ? .section(feed, id: id) : .nowhere
    }
}

/// The segments of a path, one after the other; a path that ends in "/" has an empty last one.
private struct Segments {
    /// Where the next one begins; behind the end where there is none.
    private var start: Int
    private let end: Int
    /// Whether something in the path is percent-encoded.
    private let isEncoded: Bool

    init(_ bytes: Span<UInt8>, _ path: Range<Int>) throws(RequestError) {
        start = min(path.lowerBound + 1, path.upperBound)
        end = path.upperBound
        isEncoded = bytes.isEncoded(path)
        guard isEncoded else { return }
        var rest = self
        while let segment = rest.next(in: bytes) {
            _ = try bytes.extracting(segment.range).percentDecoded()
        }
    }

    var isAtEnd: Bool { start > end }

    /// A part that stands for a missing segment.
    var empty: TargetPart { TargetPart(range: end..<end, isEncoded: false) }

    mutating func next(in bytes: Span<UInt8>) -> TargetPart? {
        guard !isAtEnd else { return nil }
        let slash = bytes.firstIndex(of: UInt8(ascii: "/"), in: start..<end) ?? end
        let range = start..<slash
        start = slash + 1
        return TargetPart(range: range, isEncoded: isEncoded && bytes.isEncoded(range))
    }

    /// The next one, if it is the last.
    func last(in bytes: Span<UInt8>) -> TargetPart? {
        var rest = self
        let segment = rest.next(in: bytes)
        return rest.isAtEnd ? segment : nil
    }

    /// Whether a segment is that word.
    static func isWord(_ word: StaticString, _ part: TargetPart, in bytes: Span<UInt8>) -> Bool {
        guard part.isEncoded else { return bytes.isSame(part.range, as: word) }
        let decoded = try? bytes.extracting(part.range).percentDecoded()
        return decoded?.utf8.elementsEqual("\(word)".utf8) ?? false
    }
}

extension RequestHead {
    /// A part of the target, decoded; its escapes were checked before.
    func text(_ part: TargetPart) -> String {
        guard part.isEncoded else { return string(part.range) }
        return (try? bytes.span.extracting(part.range).percentDecoded()) ?? ""
    }
}

extension Route {
    /// Whether a key that is not known is refused here, whatever is asked.
    var isGuarded: Bool {
        switch self {
        case .feeds, .opml, .feed, .format, .items, .item, .outline, .section, .refresh,
            .versions, .version, .restore, .feedEvents, .pull, .events, .nowhere:
            true
        case .push, .health, .readiness, .metrics, .admin, .problem, .specification, .server,
            .nothing, .outside:
            false
        }
    }

    /// The methods of resources that can only be read, as in Allow.
    static let readMethods = "GET, HEAD, OPTIONS"

    /// The methods that it takes, as in Allow.
    var methods: String {
        switch self {
        case .feed, .item: "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"
        case .items, .push: "GET, HEAD, POST, OPTIONS"
        case .events: "GET, HEAD, QUERY, POST, OPTIONS"
        case .pull: "GET, HEAD, QUERY, OPTIONS"
        case .refresh, .restore: "POST, OPTIONS"
        case .version: "DELETE, OPTIONS"
        case .server: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
        default: Route.readMethods
        }
    }
}
