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

/// What a path names.
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
    case feedEvents(TargetPart)
    /// Many feeds at once.
    case pull
    case events
    /// Where a hub pushes what a source has.
    case push(TargetPart)
    case health
    case readiness
    case problem(TargetPart)
    case metrics
    /// What the operator's page shows.
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
        let path = try Segments(bytes, places.path)
        let isAlone = path.count == 1
        if path.has("feeds", at: 0, in: bytes) {
            self = Route.belowFeeds(path, bytes)
        } else if path.has("feeds.opml", at: 0, in: bytes) {
            self = isAlone ? .opml : .nothing
        } else if path.has("pull", at: 0, in: bytes) {
            self = isAlone ? .pull : .nothing
        } else if path.has("events", at: 0, in: bytes) {
            self = isAlone ? .events : .nothing
        } else if path.has("healthz", at: 0, in: bytes) {
            self = isAlone ? .health : .nothing
        } else if path.has("readyz", at: 0, in: bytes) {
            self = isAlone ? .readiness : .nothing
        } else if path.has("websub", at: 0, in: bytes) {
            self = path.count == 2 ? .push(path[1]) : .nothing
        } else if path.has("problems", at: 0, in: bytes) {
            self = path.count == 2 ? .problem(path[1]) : .nothing
        } else if path.has("metrics", at: 0, in: bytes) {
            self = isAlone ? .metrics : .nothing
        } else if path.has("admin", at: 0, in: bytes) {
            self = Route.belowAdmin(path, bytes)
        } else {
            self = .outside
        }
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

    private static func belowAdmin(_ path: Segments, _ bytes: Span<UInt8>) -> Route {
        guard path.count == 2 else { return .nothing }
        let resource = OperatorResource.allCases.first { path.has($0.name, at: 1, in: bytes) }
        return resource.map { .admin($0) } ?? .nothing
    }

    private static func belowFeeds(_ path: Segments, _ bytes: Span<UInt8>) -> Route {
        switch path.count {
        case 1: .feeds
        case 2: format(of: path[1], bytes).map { .format(path[1], $0) } ?? .feed(path[1])
        case 3 where path.has("items", at: 2, in: bytes): .items(path[1])
        case 3 where path.has("outline", at: 2, in: bytes): .outline(path[1])
        case 3 where path.has("refresh", at: 2, in: bytes): .refresh(path[1])
        case 3 where path.has("events", at: 2, in: bytes): .feedEvents(path[1])
        case 4 where path.has("items", at: 2, in: bytes): .item(path[1], id: path[3])
        case 4 where path.has("sections", at: 2, in: bytes): .section(path[1], id: path[3])
        default: .nowhere
        }
    }
}

/// The segments of a path, the first four of them by their places.
private struct Segments {
    private var places = InlineArray<4, TargetPart>(
        repeating: TargetPart(range: 0..<0, isEncoded: false)
    )
    /// How many there are; a path that ends in "/" has an empty last one.
    private(set) var count = 0

    init(_ bytes: Span<UInt8>, _ path: Range<Int>) throws(RequestError) {
        var start = min(path.lowerBound + 1, path.upperBound)
        while true {
            let slash = bytes.firstIndex(of: UInt8(ascii: "/"), in: start..<path.upperBound)
            let range = start..<(slash ?? path.upperBound)
            let isEncoded = bytes.isEncoded(range)
            if isEncoded { _ = try bytes.extracting(range).percentDecoded() }
            if count < 4 { places[count] = TargetPart(range: range, isEncoded: isEncoded) }
            count += 1
            guard let slash else { break }
            start = slash + 1
        }
    }

    subscript(index: Int) -> TargetPart { places[index] }

    /// Whether a segment is that word.
    func has(_ word: StaticString, at index: Int, in bytes: Span<UInt8>) -> Bool {
        let part = places[index]
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

    /// Calls `body` with the bytes of a part of the target, decoded.
    func withText<Result>(_ part: TargetPart, _ body: (Span<UInt8>) -> Result) -> Result {
        guard part.isEncoded else { return body(bytes.span.extracting(part.range)) }
        return body(Array(text(part).utf8).span)
    }
}

extension Route {
    /// Whether a key that is not known is refused here, whatever is asked.
    var isGuarded: Bool {
        switch self {
        case .feeds, .opml, .feed, .format, .items, .item, .outline, .section, .refresh,
            .feedEvents, .pull, .events, .nowhere:
            true
        case .push, .health, .readiness, .metrics, .admin, .problem, .server, .nothing, .outside:
            false
        }
    }

    /// The methods that it takes, as in Allow.
    var methods: String {
        switch self {
        case .feed, .item: "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"
        case .items, .events, .push: "GET, HEAD, POST, OPTIONS"
        case .refresh: "POST, OPTIONS"
        case .server: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
        default: "GET, HEAD, OPTIONS"
        }
    }
}
