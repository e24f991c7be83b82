import FeedModel
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Makes the requests of the protocol, without sending them.
struct FeedRequest {
    let baseURL: URL

    /// Returns the request for a publish (docs/PUBLISHING.md, "The requests").
    ///
    /// - Parameters:
    ///   - path: The path below `/feeds`.
    ///   - query: The parameters that do not depend on the options.
    ///   - isGuarded: Whether the feed's guard against removing too many items applies.
    func publish(
        _ method: String,
        _ path: [String],
        query: [(String, String)] = [],
        body: Data? = nil,
        isGuarded: Bool = true,
        _ options: PublishOptions
    ) -> URLRequest {
        var query = query + (options.isDryRun ? [("dry-run", "true")] : [])
        if options.mayRemoveAny, isGuarded { query.append(("removals", "any")) }
        var request = make(method, ["feeds"] + path, query: query)
        if let body {
            request.httpBody = body
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        if let ifMatch = options.ifMatch {
            request.setValue("\"\(ifMatch)\"", forHTTPHeaderField: "If-Match")
        }
        if !options.isDryRun {
            request.setValue(options.idempotencyKey, forHTTPHeaderField: "Idempotency-Key")
        }
        return request
    }

    /// Returns `GET /feeds/{feed}` (docs/PROTOCOL.md, "Reading").
    func get(
        _ feed: FeedName,
        since: Token?,
        view: FeedView,
        format: FeedFormat = .json,
        asChanges: Bool = false,
        wait: Duration? = nil
    ) -> URLRequest {
        var query: [(String, String)] = []
        if let since {
            query.append(("since", since.description))
            if asChanges { query.append(FeedRequest.asChanges) }
        }
        query += FeedRequest.query(view)
        if format != .json {
            query.append(("format", format.rawValue))
        }
        return make("GET", ["feeds", feed.rawValue], query: query, wait: wait)
    }

    /// Returns the request for a feed's changes since a version; the response is `304` if there are
    /// none.
    func changes(
        of feed: FeedName,
        since: Token?,
        view: FeedView,
        asChanges: Bool = false,
        wait: Duration? = nil
    ) -> URLRequest {
        var request = get(feed, since: since, view: view, asChanges: asChanges, wait: wait)
        if let since { request.setValue("\"\(since)\"", forHTTPHeaderField: "If-None-Match") }
        return request
    }

    /// Returns `GET /pull` (docs/PROTOCOL.md, "Many feeds in one request"), or `QUERY /pull` if the
    /// names are too long for the target and `canQuery` is true.
    func pull(
        _ feeds: [(name: FeedName, since: Token?)],
        view: FeedView,
        asChanges: Bool = false,
        wait: Duration? = nil,
        canQuery: Bool
    ) -> URLRequest {
        ask("pull", feeds, FeedRequest.query(view, asChanges), wait: wait, canQuery: canQuery)
    }

    /// Returns `GET /events` (docs/READING.md, "Streams"), or `QUERY /events` if the names are too
    /// long for the target and `canQuery` is true.
    func events(
        _ feeds: [(name: FeedName, since: Token?)],
        view: FeedView,
        asChanges: Bool = false,
        canQuery: Bool
    ) -> URLRequest {
        let query = FeedRequest.query(view, asChanges)
        var request = ask("events", feeds, query, wait: nil, canQuery: canQuery)
        request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
        return request
    }

    /// The longest request target, in bytes, that every server and proxy accepts (RFC 9110 §4.1).
    static let targetByteLimit = 8_000

    private func ask(
        _ path: String,
        _ feeds: [(name: FeedName, since: Token?)],
        _ query: [(String, String)],
        wait: Duration?,
        canQuery: Bool
    ) -> URLRequest {
        let names = feeds.map { feed in
            ("feed", feed.name.rawValue + (feed.since.map { "@\($0)" } ?? ""))
        }
        let request = make("GET", [path], query: names + query, wait: wait)
        let length = request.url?.absoluteString.utf8.count ?? 0
        guard canQuery, length > FeedRequest.targetByteLimit else { return request }
        var inBody = make("QUERY", [path], query: query, wait: wait)
        let members = feeds.map { feed in
            #""\#(feed.name)":\#(feed.since.map { #""\#($0)""# } ?? "null")"#
        }
        inBody.httpBody = Data(#"{"feeds":{\#(members.joined(separator: ","))}}"#.utf8)
        inBody.setValue("application/json", forHTTPHeaderField: "Content-Type")
        return inBody
    }

    private static func query(_ view: FeedView) -> [(String, String)] {
        var query = (view.sections ?? []).sorted().map { ("section", $0.string) }
        if let limit = view.limit {
            query.append(("limit", String(limit)))
        }
        return query
    }

    private static func query(_ view: FeedView, _ asChanges: Bool) -> [(String, String)] {
        query(view) + (asChanges ? [FeedRequest.asChanges] : [])
    }

    /// The parameter that asks for changes even if a snapshot is shorter.
    private static let asChanges = ("as", "changes")

    /// The time to wait for a response beyond the time for which the server may hold it.
    private static let patience = Duration.seconds(30)

    /// Returns a request to a path of the server; path and query are not yet percent-encoded.
    ///
    /// - Parameter wait: The time for which the server may hold the response; `nil`: it answers at
    ///   once.
    func make(
        _ method: String,
        _ segments: [String],
        query: [(String, String)] = [],
        wait: Duration? = nil
    ) -> URLRequest {
        var query = query
        if let wait, wait > .zero {
            query.append(("wait", String(max(1, wait.components.seconds))))
        }
        var text = baseURL.absoluteString
        while text.hasSuffix("/") {
            text.removeLast()
        }
        text += "/" + segments.map(\.percentEncoded).joined(separator: "/")
        if !query.isEmpty {
            text += "?"
            text += query.map { "\($0.percentEncoded)=\($1.percentEncoded)" }
                .joined(separator: "&")
        }
        var request = URLRequest(url: URL(string: text) ?? baseURL)
        request.httpMethod = method
        request.timeoutInterval = ((wait ?? .zero) + FeedRequest.patience) / .seconds(1)
        request.cachePolicy = .reloadIgnoringLocalCacheData
        return request
    }
}
