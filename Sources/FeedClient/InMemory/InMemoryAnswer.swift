import FeedDiff
import FeedModel
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An answer of a server in memory.
struct InMemoryAnswer {
    var status = 200
    var fields = ["Content-Type": "application/json"]
    var body: Data
    /// Whether it may be held, as it says nothing new.
    var isUnchanged = false

    init(_ json: some Sequence<UInt8>, isUnchanged: Bool = false) {
        body = Data(json)
        self.isUnchanged = isUnchanged
    }

    /// The answer that there is nothing new.
    static var notModified: InMemoryAnswer {
        var answer = InMemoryAnswer([], isUnchanged: true)
        answer.status = 304
        return answer
    }

    /// A refusal (RFC 9457).
    init(refusing status: Int, _ type: String, _ detail: String) {
        struct Problem: Encodable {
            let type: String
            let status: Int
            let detail: String
        }
        let problem = Problem(type: type, status: status, detail: detail)
        self.status = status
        fields = ["Content-Type": "application/problem+json"]
        body = (try? JSONEncoder().encode(problem)) ?? Data()
    }

    /// Words, such as those of `/readyz`.
    init(text: String) {
        fields = ["Content-Type": "text/plain; charset=utf-8"]
        body = Data(text.utf8)
    }

    /// Makes a page for a person.
    init(page: String) {
        fields = ["Content-Type": "text/html"]
        body = Data(page.utf8)
    }

    /// The head of the response to a request.
    ///
    /// - Throws: ``FeedServiceError/unexpected(_:)`` for a request without an address.
    func head(for request: URLRequest) throws -> HTTPURLResponse {
        guard let url = request.url,
            let head = HTTPURLResponse(
                url: url,
                statusCode: status,
                httpVersion: "HTTP/1.1",
                headerFields: fields
            )
        else { throw FeedServiceError.unexpected("the address is not one of HTTP") }
        return head
    }
}

/// Reading and publishing.
extension InMemoryFeeds {
    /// Answers a request for what there is; a publish changes it.
    mutating func answer(_ request: InMemoryRequest) -> InMemoryAnswer {
        switch (request.method, request.target) {
        case ("GET", .ready): return InMemoryAnswer(text: "ready\n")
        case ("GET", .list): return list(request.prefix)
        case ("GET", .feed(let name)): return read(name, request)
        case ("GET", .pull): return pull(request)
        case ("GET", .items(let name)) where !request.ids.isEmpty:
            return items(of: name, request.ids)
        case ("GET", .items(let name)): return rows(of: name, section: nil, request)
        case ("GET", .section(let name, let id)): return rows(of: name, section: id, request)
        default: return published(request)
        }
    }

    func missing(_ name: String) -> InMemoryAnswer {
        InMemoryAnswer(refusing: 404, "/problems/not-found", "there is no feed \"\(name)\"")
    }

    private func read(_ name: String, _ request: InMemoryRequest) -> InMemoryAnswer {
        let document = document(of: name, since: request.since, through: request.view)
        guard document.token != nil else { return missing(name) }
        if let known = request.ifNoneMatch, known == document.token { return .notModified }
        return InMemoryAnswer(document.json, isUnchanged: document.kind == "unchanged")
    }

    private func pull(_ request: InMemoryRequest) -> InMemoryAnswer {
        var isUnchanged = true
        let members = request.entries.map { entry in
            let document = document(of: entry.name, since: entry.since, through: request.view)
            let isNews = document.kind != "unchanged" && (document.token ?? entry.since) != nil
            isUnchanged = isUnchanged && !isNews
            let name = String(decoding: JSONText(string: entry.name).bytes, as: UTF8.self)
            return "\(name):\(String(decoding: document.json, as: UTF8.self))"
        }
        let json = #"{"kind":"pull","feeds":{\#(members.joined(separator: ","))}}"#
        return InMemoryAnswer(json.utf8, isUnchanged: isUnchanged)
    }

    private func items(of name: String, _ ids: [String]) -> InMemoryAnswer {
        guard let version = FeedName(name).flatMap(current) else { return missing(name) }
        let items = ids.compactMap { version.snapshot.item(ExactString($0)) }.map {
            #"{"item":\#(String(decoding: $0.json.bytes, as: UTF8.self))}"#
        }
        return InMemoryAnswer(#"{"kind":"items","items":[\#(items.joined(separator: ","))]}"#.utf8)
    }

    private func list(_ prefix: String) -> InMemoryAnswer {
        let feeds = names.filter { $0.rawValue.hasPrefix(prefix) }.compactMap { name in
            current(name).map { version in
                FeedSummary(
                    id: name.rawValue,
                    title: version.snapshot.members["title"]?.stringValue,
                    token: version.token.description,
                    count: version.snapshot.count,
                    changed: version.date.formatted(.iso8601)
                )
            }
        }
        return InMemoryAnswer((try? JSONEncoder().encode(["feeds": feeds])) ?? Data())
    }
}
