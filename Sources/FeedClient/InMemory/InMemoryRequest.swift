import FeedDiff
import FeedModel
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request to a server in memory.
struct InMemoryRequest {
    /// The resource that is asked for.
    enum Target: Equatable {
        case list, pull, events, ready
        case feed(String)
        case items(String)
        case item(String, id: String)
        case section(String, id: String)
        /// Something that such a server does not know.
        case other
    }

    let method: String
    let target: Target
    let body: Data
    let ifMatch: String?
    /// The version that the reader has, of which nothing is to be said.
    let ifNoneMatch: Token?
    /// The key that tells this publish from every other.
    let idempotencyKey: String?
    private let query: [(name: String, value: String)]

    init(_ request: URLRequest) {
        let url = request.url ?? URL(fileURLWithPath: "/")
        // Both read, and bring the same answer.
        let isQuery = request.httpMethod == "QUERY"
        method = isQuery ? "GET" : request.httpMethod ?? "GET"
        body = request.httpBody ?? Data()
        ifMatch = request.value(forHTTPHeaderField: "If-Match")
        ifNoneMatch = request.value(forHTTPHeaderField: "If-None-Match")
            .flatMap { Token($0.trimmingCharacters(in: ["\""])) }
        idempotencyKey = request.value(forHTTPHeaderField: "Idempotency-Key")
        let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        var query = (parts?.queryItems ?? []).map { (name: $0.name, value: $0.value ?? "") }
        if isQuery {
            let names = try? FollowedNames(parsing: Array(body), limit: 100)
            query += (names?.feeds ?? []).map { feed in
                ("feed", feed.name + (feed.token.map { "@\($0)" } ?? ""))
            }
        }
        self.query = query
        target = InMemoryRequest.target(url.pathComponents.filter { $0 != "/" })
    }

    private static func target(_ path: [String]) -> Target {
        // Below whatever path the service has.
        let start = path.firstIndex { ["feeds", "pull", "events", "readyz"].contains($0) }
        let path = start.map { Array(path[$0...]) } ?? []
        switch (path.first, path.count) {
        case ("feeds", 1): return .list
        case ("pull", 1): return .pull
        case ("events", 1): return .events
        case ("readyz", 1): return .ready
        case ("feeds", 2): return .feed(path[1])
        case ("feeds", 3) where path[2] == "items": return .items(path[1])
        case ("feeds", 4) where path[2] == "items": return .item(path[1], id: path[3])
        case ("feeds", 4) where path[2] == "sections": return .section(path[1], id: path[3])
        default: return .other
        }
    }

    private func values(_ name: String) -> [String] {
        query.filter { $0.name == name }.map(\.value)
    }

    /// The part of feeds that is asked for.
    var view: FeedView {
        let sections = values("section").map { ExactString($0) }
        return FeedView(
            sections: sections.isEmpty ? nil : Set(sections),
            limit: target == .list ? nil : values("limit").first.flatMap { Int($0) }
        )
    }

    /// The version that the reader has of the one feed.
    var since: Token? { values("since").first.flatMap { Token($0) } }

    /// The feeds of a pull or a stream, with the versions that the reader has.
    var entries: [(name: String, since: Token?)] {
        values("feed").map { entry in
            let parts = entry.split(separator: "@", maxSplits: 1)
            return (String(parts.first ?? ""), parts.count > 1 ? Token(parts[1]) : nil)
        }
    }

    /// For how long to wait while there is nothing new.
    var wait: Duration { .seconds(min(60, values("wait").first.flatMap { Int($0) } ?? 0)) }

    /// The rows to pass over, the most of them, and the version that they are of.
    var page: (offset: Int, limit: Int, version: Token?) {
        func number(_ name: String) -> Int? { values(name).first.flatMap { Int($0) } }
        let limit = min(max(1, number("limit") ?? 100), 1_000)
        return (max(0, number("offset") ?? 0), limit, values("version").first.flatMap { Token($0) })
    }

    /// The ids of items.
    var ids: [String] { values("id") }

    var prefix: String { values("prefix").first ?? "" }

    /// Where a new item goes.
    var place: (section: ExactString?, position: Edit.Position?) {
        let section = values("section").first.map { ExactString($0) }
        if let id = values("before").first { return (section, .before(ExactString(id))) }
        if let id = values("after").first { return (section, .after(ExactString(id))) }
        return (section, values("at").first.map { $0 == "end" ? .end : .start })
    }

    var isDryRun: Bool { values("dry-run").first == "true" }
}
