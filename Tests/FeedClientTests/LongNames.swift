import FeedModel
import Foundation
import Testing

@testable import FeedClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// docs/PROTOCOL.md, "Many feeds in one request": names that are too long for a request's target.
@Suite(.timeLimit(.minutes(2))) struct LongNames {
    /// A hundred names of 99 bytes.
    private let names: [FeedName]
    private let requests: FeedRequest

    init() throws {
        names = try (0..<100).map { number in
            let middle = String(repeating: "x", count: 86)
            return try #require(FeedName("long-name-\(middle)-\(number + 10)"))
        }
        requests = FeedRequest(baseURL: try #require(URL(string: "http://127.0.0.1:1/below")))
    }

    private func asked(_ count: Int, canQuery: Bool = true) -> URLRequest {
        let token = Token(epoch: "q7x2m5kd", version: 42)
        let feeds = names.prefix(count).enumerated().map { ($1, $0 == 0 ? token : nil) }
        return requests.pull(
            feeds,
            view: FeedView(limit: 5),
            wait: .seconds(20),
            canQuery: canQuery
        )
    }

    @Test func goInABody() throws {
        let request = asked(100)
        #expect(request.httpMethod == "QUERY")
        #expect(request.url?.absoluteString == "http://127.0.0.1:1/below/pull?limit=5&wait=20")
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        let body = Array(try #require(request.httpBody))
        let feeds = try #require(try JSONValue(parsing: body)["feeds"]?.entries)
        #expect(feeds.map(\.name.string) == names.map(\.rawValue))
        #expect(feeds.map(\.value) == [.string("q7x2m5kd.42")] + Array(repeating: .null, count: 99))
    }

    @Test func goInTheTargetWhileThatIsShortEnough() throws {
        let methods = (1...100).map { asked($0) }
        let last = try #require(methods.lastIndex { $0.httpMethod == "GET" })
        #expect(methods[...last].allSatisfy { $0.httpMethod == "GET" && $0.httpBody == nil })
        #expect(methods[(last + 1)...].allSatisfy { $0.httpMethod == "QUERY" })
        let lengths = methods.map { $0.url?.absoluteString.utf8.count ?? 0 }
        #expect(lengths[last] <= 8_000 && lengths[last] > 7_800)
        #expect(asked(100, canQuery: false).httpMethod == "GET")
    }

    @Test func bringWhatIsNewFromAServer() async throws {
        let server = try FaultyServer()
        do {
            try await pull(from: server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private func pull(from server: FaultyServer) async throws {
        try server.publish(names[7].rawValue, "a")
        let service = try server.service
        let feeds = names.map { Feed($0, of: service) }
        try await service.pull(feeds)
        #expect(await feeds[7].copy.snapshot.count == 1)
        #expect(try await service.pull(feeds).isEmpty)
        #expect(server.handler.seen == ["/pull", "/pull"])
        #expect(server.handler.seenConditions.count == 1)
        var events = service.follow(feeds).makeAsyncIterator()
        try server.publish(names[8].rawValue, "b")
        #expect(try await events.next()?.feed === feeds[8])
        #expect(server.handler.seen.last == "/events")
    }

    @Test func bringWhatIsNewFromAServerInMemory() async throws {
        let server = InMemoryServer()
        try server.publish(Data(#"{"items":[{"id":"a"}]}"#.utf8), to: names[7])
        let service = server.service()
        let feeds = names.map { Feed($0, of: service) }
        try await service.pull(feeds)
        #expect(await feeds[7].copy.snapshot.count == 1)
        #expect(server.requests.map(\.method) == ["QUERY"])
    }

    private static let html = ["Content-Type": "text/html"]
    private static let problem = ["Content-Type": "application/problem+json"]

    private var nothing: ScriptedTransport.Answer {
        let members = names.map { #""\#($0)":{"kind":"missing","feed":"\#($0)"}"# }
        let feeds = members.joined(separator: ",")
        return .response(200, [:], #"{"kind":"pull","feeds":{\#(feeds)}}"#)
    }

    @Test(arguments: [(400, html), (403, html), (405, html), (501, problem)])
    func goInTheTargetAfterARefusal(_ status: Int, _ fields: [String: String]) async throws {
        let transport = ScriptedTransport(.response(status, fields, "{}"), nothing, nothing)
        let service = transport.service()
        let feeds = names.map { Feed($0, of: service) }
        for _ in 0..<2 { try await service.pull(feeds) }
        #expect(transport.seen.map(\.method) == ["QUERY", "GET", "GET"])
        #expect(transport.seen.map(\.body.isEmpty) == [false, true, true])
        #expect(transport.remaining == 0)
    }

    @Test(arguments: [400, 403])
    func areRefusedByTheServersOwnWord(_ status: Int) async throws {
        let transport = ScriptedTransport(.response(status, Self.problem, "{}"), nothing)
        let service = transport.service()
        let feeds = names.map { Feed($0, of: service) }
        await #expect(throws: FeedServiceError.self) { try await service.pull(feeds) }
        try await service.pull(feeds)
        #expect(transport.seen.map(\.method) == ["QUERY", "QUERY"])
    }

    @Test func areFollowedByTheirTargetAfterARefusal() async throws {
        let event = #"data: {"kind":"missing","feed":"\#(names[0])"}"#
        let transport = ScriptedTransport(
            .response(405, Self.html, ""),
            .stream("event: missing\n\(event)\n\n")
        )
        let service = transport.service()
        let feeds = names.map { Feed($0, of: service) }
        var events = service.follow(feeds).makeAsyncIterator()
        #expect(try await events.next()?.feed === feeds[0])
        #expect(transport.seen.map(\.method) == ["QUERY", "GET"])
        transport.release()
    }
}
