import FeedModel
import HTTPTypes
import HTTPWire

/// What a path names.
enum Resource: Sendable, Equatable {
    case feeds
    case feed(ExactString)
    case items(ExactString)
    case item(ExactString, id: ExactString)
    case outline(ExactString)
    case section(ExactString, id: ExactString)
    case refresh(ExactString)
    case feedEvents(ExactString)
    /// Many feeds at once.
    case pull
    case events
    case health
    case readiness
    case problem(ExactString)
    /// The server as a whole: `*`.
    case server
    /// A path below which there are feeds, but nothing here.
    case nowhere
    /// A path of the API's own where there is nothing.
    case nothing
    /// A path that is not the API's.
    case outside

    init(_ target: RequestTarget) {
        if case .asterisk = target.form {
            self = .server
            return
        }
        let segments = target.segments.map(ExactString.init(_:))
        switch segments.first {
        case "feeds": self = Resource.feeds(segments.dropFirst())
        case "healthz" where segments.count == 1: self = .health
        case "readyz" where segments.count == 1: self = .readiness
        case "problems" where segments.count == 2: self = .problem(segments[1])
        case "pull" where segments.count == 1: self = .pull
        case "events" where segments.count == 1: self = .events
        case "problems", "healthz", "readyz", "pull", "events", "metrics", "openapi.json":
            self = .nothing
        default: self = .outside
        }
    }

    /// What a path below `/feeds` names.
    private static func feeds(_ path: ArraySlice<ExactString>) -> Resource {
        guard let feed = path.first else { return .feeds }
        let rest = Array(path.dropFirst())
        switch (rest.count, rest.first) {
        case (0, _): return .feed(feed)
        case (1, "items"): return .items(feed)
        case (2, "items"): return .item(feed, id: rest[1])
        case (1, "outline"): return .outline(feed)
        case (2, "sections"): return .section(feed, id: rest[1])
        case (1, "refresh"): return .refresh(feed)
        case (1, "events"): return .feedEvents(feed)
        default: return .nowhere
        }
    }

    /// Whether a key that is not known is refused here, whatever is asked.
    var isGuarded: Bool {
        switch self {
        case .feeds, .feed, .items, .item, .outline, .section, .refresh, .feedEvents, .pull,
            .events,
            .nowhere:
            true
        case .health, .readiness, .problem, .server, .nothing, .outside: false
        }
    }

    /// The methods that it takes, as in Allow.
    var methods: String {
        switch self {
        case .feed, .item: "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"
        case .items: "GET, HEAD, POST, OPTIONS"
        case .refresh: "POST, OPTIONS"
        case .server: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
        default: "GET, HEAD, OPTIONS"
        }
    }
}

extension HTTPRequest.Method {
    /// Whether it is one of those of RFC 9110 §9.3 or RFC 5789; a server that does not know a
    /// method says `501`, one that does not allow it `405` (RFC 9110 §15.6.2, §15.5.6).
    var isKnown: Bool {
        switch self {
        case .get, .head, .post, .put, .delete, .connect, .options, .trace, .patch: true
        default: false
        }
    }
}
