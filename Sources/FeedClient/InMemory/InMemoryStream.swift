import FeedModel
import Foundation

/// A stream of events: knows the versions that its reader has, and makes the events that it lacks.
struct InMemoryStream {
    private enum Held: Equatable {
        case nothing, missing
        case version(Token)
    }

    private let request: InMemoryRequest
    private var held: [String: Held] = [:]
    private var hasBegun = false

    init(_ request: InMemoryRequest) {
        self.request = request
        for entry in request.entries {
            held[entry.name] = entry.since.map(Held.version) ?? .nothing
        }
    }

    /// The events that lead a reader to what there is; the first time one for each feed.
    mutating func events(_ feeds: InMemoryFeeds) -> Data {
        var events = Data()
        for (name, _) in request.entries {
            let old = held[name] ?? .nothing
            let current = FeedName(name).flatMap(feeds.current)
            let now = current.map { Held.version($0.token) } ?? .missing
            guard !hasBegun || now != old else { continue }
            var since: Token?
            if case .version(let token) = old { since = token }
            let document = feeds.document(of: name, since: since, through: request.view)
            held[name] = now
            events += Data("event: \(document.kind)\ndata: ".utf8) + document.json
            events += Data("\nid: \(id)\n\n".utf8)
        }
        hasBegun = true
        return events
    }

    /// The versions that the reader has.
    private var id: String {
        request.entries.compactMap { name, _ in
            guard case .version(let token) = held[name] else { return nil }
            return "\(name)@\(token)"
        }.joined(separator: ",")
    }
}
