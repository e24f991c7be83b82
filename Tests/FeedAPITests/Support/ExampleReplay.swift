import FeedModel
import FeedStore
import HTTPServer
import TestSupport
import Testing

@testable import FeedAPI

/// Replays the examples of a chapter against a server of its own.
///
/// Epochs are random: those of the page stand for those of the server. In the page `…` stands for
/// any value, and a time for any time.
final class ExampleReplay {
    private let document: ProtocolDocument
    private let live: LiveAPI
    /// The states that were published of each feed.
    private var published: [String: Int] = [:]
    private var request: ProtocolDocument.Request?
    private var response: TestResponse?

    init(_ document: ProtocolDocument) throws {
        self.document = document
        live = try LiveAPI()
    }

    func perform(_ step: ProtocolDocument.Step) async throws {
        switch step.action {
        case .publish(let feed, let version):
            for number in (published[feed] ?? 0)..<version {
                let state = try #require(document.documents["state \(feed) \(number + 1)"])
                try await prepare(.init(method: "PUT", target: "/feeds/\(feed)", body: state), step)
            }
            published[feed] = version
        case .prepare(let request): try await prepare(request, step)
        case .send(let request):
            self.request = request
            response = request.isStream ? nil : try await send(request)
        case .head(let status, let fields): try compare(status, fields, step)
        case .document(let expected, let status): try compare(expected, status, step)
        case .events(let expected): try await compare(expected, step)
        }
    }

    private func prepare(
        _ request: ProtocolDocument.Request,
        _ step: ProtocolDocument.Step
    ) async throws {
        let response = try await send(request)
        try #require(response.status / 100 == 2, "\(step.place): \(response.text)")
    }

    private func send(_ request: ProtocolDocument.Request) async throws -> TestResponse {
        try await live.server.send(
            request.method,
            sent(request.target),
            headers: fields(of: request).map { ($0.name, $0.value) },
            body: Array(sent(request.body).utf8)
        )
    }

    /// The fields of a request as they are sent: what publishes has the key, and JSON its type.
    private func fields(of request: ProtocolDocument.Request) -> [ProtocolDocument.Field] {
        var fields = request.fields.filter { $0.name != "Authorization" }
        if request.method != "GET" {
            fields.append(.init(name: "Authorization", value: "Bearer " + API.key))
        }
        if !request.body.isEmpty, !fields.contains(where: { $0.name == "Content-Type" }) {
            fields.append(.init(name: "Content-Type", value: "application/json"))
        }
        return fields.map { .init(name: $0.name, value: sent($0.value)) }
    }
}

/// Epochs.
extension ExampleReplay {
    /// A text of the page with the server's epochs.
    private func sent(_ text: String) -> String {
        epochs.reduce(text) { $0.replacing($1.page + ".", with: $1.server + ".") }
    }

    /// A text of the server with the page's epochs.
    private func shown(_ text: String) -> String {
        epochs.reduce(text) { $0.replacing($1.server + ".", with: $1.page + ".") }
    }

    private var epochs: [(page: String, server: String)] {
        document.epochs.compactMap { feed, epoch in
            FeedName(feed).flatMap { live.api.store.current($0) }.map { (epoch, $0.token.epoch) }
        }
    }
}

/// What was said, and what should have been.
extension ExampleReplay {
    private func compare(
        _ status: Int,
        _ fields: [ProtocolDocument.Field],
        _ step: ProtocolDocument.Step
    ) throws {
        let response = try #require(response)
        #expect(response.status == status, "\(step.place)")
        for field in fields {
            let value = response[field.name].map(shown)
            #expect(value == field.value, "\(step.place): \(field.name)")
        }
    }

    private func compare(
        _ expected: TestJSON,
        _ status: Int?,
        _ step: ProtocolDocument.Step
    ) throws {
        let response = try #require(response)
        let problem = response["Content-Type"] == "application/problem+json"
        let ordinary = (problem ? expected["status"]?.int : nil) ?? 200
        #expect(response.status == status ?? ordinary, "\(step.place)")
        let text = shown(response.text)
        let isSame = TestJSON(text).map(expected.stands(for:)) ?? false
        #expect(isSame, "\(step.place): \(text)")
    }

    private func compare(
        _ expected: [ProtocolDocument.ServerEvent],
        _ step: ProtocolDocument.Step
    ) async throws {
        let request = try #require(request)
        let server = try HTTPServer(host: "127.0.0.1", port: 0, loops: 1, handler: live.api)
        server.start()
        let text = Result { try stream(request, server.port, count: expected.count) }
        await server.stopped(within: .zero)
        let events = ProtocolDocument.ServerEvent.list(in: shown(try text.get()))
        #expect(events == expected, "\(step.place)")
    }

    /// The text of a stream that has so many events.
    private func stream(
        _ request: ProtocolDocument.Request,
        _ port: Int,
        count: Int
    ) throws -> String {
        let client = try RawClient(port: port)
        let body = sent(request.body)
        var head = "\(request.method) \(sent(request.target)) HTTP/1.1\r\nHost: a\r\n"
        for field in fields(of: request) { head += "\(field.name): \(field.value)\r\n" }
        if !body.isEmpty { head += "Content-Length: \(body.utf8.count)\r\n" }
        try client.send(head + "\r\n" + body)
        let response = try RawResponse(head: try client.readHead())
        try #require(response.status == 200)
        var text = ""
        while ProtocolDocument.ServerEvent.list(in: text).count < count {
            let size = try #require(Int(try client.read(through: "\r\n").dropLast(), radix: 16))
            text += String(decoding: try client.read(size), as: UTF8.self)
            _ = try client.read(2)
            try #require(size > 0, "the stream has ended")
        }
        return text
    }
}

extension TestJSON {
    /// Whether this is what the page shows of `other`.
    fileprivate func stands(for other: TestJSON) -> Bool {
        switch (self, other) {
        case ("…", _): true
        case (.object(let members), .object(let others)):
            members.count == others.count
                && members.allSatisfy { name, value in
                    others[name].map { value.isLike($0, as: name) } ?? false
                }
        case (.array(let values), .array(let others)):
            values.count == others.count
                && zip(values, others).allSatisfy { $0.stands(for: $1) }
        default: self == other
        }
    }

    private func isLike(_ other: TestJSON, as name: ExactString) -> Bool {
        guard name == "changed", let time = string, let otherTime = other.string else {
            return stands(for: other)
        }
        return time.map { $0.isNumber ? "0" : $0 } == otherTime.map { $0.isNumber ? "0" : $0 }
    }
}
