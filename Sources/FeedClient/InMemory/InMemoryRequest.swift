import FeedDiff
import FeedModel
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request to a server in memory.
struct InMemoryRequest {
    /// The method and the resource, with `*` for names, as in `PUT feeds/*/items/*`.
    let route: String
    /// The feed's name in the path; empty if there is none.
    let feed: String
    /// The id of the item or section in the path; empty if there is none.
    let id: String
    let body: [UInt8]
    let ifMatch: String?
    let ifNoneMatch: String?
    let idempotencyKey: String?
    private let query: [(name: String, value: String)]

    init(_ request: URLRequest) {
        let url = request.url ?? URL(fileURLWithPath: "/")
        body = Array(request.httpBody ?? Data())
        ifMatch = request.value(forHTTPHeaderField: "If-Match")
        ifNoneMatch = request.value(forHTTPHeaderField: "If-None-Match")
        idempotencyKey = request.value(forHTTPHeaderField: "Idempotency-Key")
        let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        var query = (parts?.queryItems ?? []).map { (name: $0.name, value: $0.value ?? "") }
        // A QUERY is a GET with its feeds in the body.
        let isQuery = request.httpMethod == "QUERY"
        if isQuery, let feeds = (try? JSONValue(parsing: body))?["feeds"]?.entries {
            query += feeds.map { ("feed", "\($0.name)" + ($0.value.string.map { "@\($0)" } ?? "")) }
        }
        self.query = query
        // The service may be below any path.
        let resources = ["feeds", "pull", "events", "readyz"]
        let path = Array(url.pathComponents.drop { !resources.contains($0) })
        feed = path.count > 1 ? path[1] : ""
        id = path.count > 3 ? path[3] : ""
        let pattern = path.enumerated().map { $0.offset.isMultiple(of: 2) ? $0.element : "*" }
        let method = isQuery ? "GET" : request.httpMethod ?? "GET"
        route = method + " " + pattern.joined(separator: "/")
    }

    func values(_ name: String) -> [String] {
        query.filter { $0.name == name }.map(\.value)
    }

    func value(_ name: String) -> String? { values(name).first }

    func number(_ name: String) -> Int? { value(name).flatMap { Int(digits: $0.utf8) } }

    /// The part of the feeds that is asked for.
    var view: FeedView {
        let sections = values("section").map { ExactString($0) }
        return FeedView(
            sections: sections.isEmpty ? nil : Set(sections),
            limit: number("limit")
        )
    }

    /// The feeds of a pull or a stream, with the versions that the reader has.
    var entries: [(name: String, since: Token?)] {
        values("feed").map { entry in
            let parts = entry.split(separator: "@", maxSplits: 1)
            return (String(parts.first ?? ""), parts.count > 1 ? Token(parts[1]) : nil)
        }
    }

    /// The longest time that an answer without changes may wait for some, up to 60 seconds.
    var wait: Duration { .seconds(min(60, number("wait") ?? 0)) }

    var isDryRun: Bool { value("dry-run") == "true" }

    /// The position of a new item; `nil`: the request names none.
    var place: Edit.Position? {
        if let id = value("before") { return .before(ExactString(id)) }
        if let id = value("after") { return .after(ExactString(id)) }
        return value("at").map { $0 == "end" ? .end : .start }
    }
}
