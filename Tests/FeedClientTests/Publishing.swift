import FeedClient
import FeedModel
import Foundation
import TestSupport
import Testing

/// Publishing: what is sent, what is repeated, and what it comes to on a server.
@Suite(.timeLimit(.minutes(2))) struct Publishing {
    private struct Bird: Codable {
        var id: String
        var seen: Int?
    }

    private static let published = """
        {"kind":"published","feed":"news","token":"q7x2m5kd.1","changed":true,"items":\
        {"inserted":1,"removed":0,"moved":0,"updated":0},"sections":\
        {"inserted":0,"removed":0,"moved":0,"updated":0}}
        """
    private let name: FeedName

    init() throws {
        name = try #require(FeedName("news"))
    }

    private var hasty: PublishOptions {
        var options = PublishOptions()
        options.firstRetry = .zero
        return options
    }

    @Test(arguments: [
        ScriptedTransport.Answer.failure(.unreachable("lost")),
        .response(503, ["Retry-After": "0"]), .response(502),
        .response(
            500,
            ["Content-Type": "application/problem+json"],
            #"{"type":"/problems/outcome-unknown"}"#
        ),
    ])
    func isRepeatedWithTheSameKeyWhereNoAnswerSaysWhatHappened(
        _ answer: ScriptedTransport.Answer
    ) async throws {
        let transport = ScriptedTransport(answer, answer, .response(200, [:], Self.published))
        let result = try await transport.service()
            .insert(Bird(id: "jay"), into: name, options: hasty)
        #expect(result.counts.items.inserted == 1)
        let keys = transport.seen.map { $0.fields["Idempotency-Key"] }
        #expect(keys.count == 3 && Set(keys).count == 1 && keys[0] != nil)
    }

    /// A repeat in the app's next run is known by its body.
    @Test func theSameValueIsTheSameBody() async throws {
        let transport = ScriptedTransport(.response(400), .response(400))
        let service = transport.service()
        let value = ["z": 1, "a": 2, "m": 3, "b": 4]
        _ = try? await service.replace(name, with: value)
        _ = try? await service.insert(value, into: name)
        let body = #"{"a":2,"b":4,"m":3,"z":1}"#
        #expect(transport.seen.map(\.body) == [body, body])
    }

    @Test(arguments: [400, 401, 403, 409, 412, 422, 500])
    func isNotRepeatedWhereAnAnswerSaysIt(status: Int) async throws {
        let transport = ScriptedTransport(.response(status), .response(200, [:], Self.published))
        await #expect(throws: FeedServiceError.self) {
            try await transport.service().insert(Bird(id: "jay"), into: name, options: hasty)
        }
        #expect(transport.seen.count == 1)
    }

    /// Whoever publishes waits for the outcome, and the key is known for ten minutes only.
    @Test func isNotRepeatedAfterALongTime() async throws {
        let refusal = ScriptedTransport.Answer.response(503, ["Retry-After": "61"])
        let transport = ScriptedTransport(refusal, .response(200, [:], Self.published))
        await #expect(throws: FeedServiceError.self) {
            try await transport.service().insert(Bird(id: "jay"), into: name, options: hasty)
        }
        #expect(transport.seen.count == 1)
    }

    @Test func endsAfterSoManyAttempts() async throws {
        var options = hasty
        options.attempts = 2
        let lost = ScriptedTransport.Answer.failure(.unreachable("lost"))
        let transport = ScriptedTransport(lost, lost, lost)
        await #expect(throws: FeedServiceError.unreachable("lost")) {
            try await transport.service().remove(name, options: options)
        }
        #expect(transport.seen.count == 2)
    }

    @Test func carriesOutEveryKindOfEditOnAServer() async throws {
        let server = try FaultyServer()
        let service = FeedService(baseURL: try server.service.baseURL, key: "a-key")
        _ = try await service.replace(
            name,
            withItems: [Bird(id: "jay", seen: 1), Bird(id: "wren")]
        )
        _ = try await service.edit(name) { edits in
            try edits.insertSection(["id": "shore"], at: .end)
            try edits.insert(Bird(id: "gull", seen: 9), section: "shore")
            try edits.insert(Bird(id: "tern"), at: .after("gull"))
            try edits.set(["seen": 2], ofItem: "jay")
            try edits.unset(["seen"], ofItem: "gull")
            try edits.replace(Bird(id: "wren", seen: 5))
            try edits.move("wren", at: .before("jay"))
            try edits.setSection(["title": "At the shore"], ofSection: "shore")
            try edits.moveSection("shore", at: .start)
            try edits.setFeed(["title": "Birds"])
        }
        _ = try await service.replaceItem("owl", of: name, with: ["seen": 1])
        try await service.updateItem("owl", of: name, with: ["sure": true])
        _ = try await service.insert(Bird(id: "coot"), into: name, section: "main", at: .end)
        let none = try await service.removeItem("none", of: name)
        let tern = try await service.removeItem("tern", of: name)
        #expect(!none && tern)
        let document = try #require(TestJSON(Array(try await service.get(name))))
        #expect(document["title"]?.string == "Birds")
        let sections = document["sections"]?.list ?? []
        #expect(sections.map { $0["id"]?.string } == ["shore", "main"])
        #expect(sections.first?["title"]?.string == "At the shore")
        let items = sections.map { $0["items"]?.list.map(\.serialized) ?? [] }
        #expect(items.first == [#"{"id":"owl","seen":1,"sure":true}"#, #"{"id":"gull"}"#])
        #expect(
            items.last == [
                #"{"id":"wren","seen":5}"#, #"{"id":"jay","seen":2}"#, #"{"id":"coot"}"#,
            ]
        )
        let trial = PublishOptions(isDryRun: true)
        #expect(try await service.edit(name, options: trial) { try $0.remove("jay") }.isDryRun)
        let wrong = PublishOptions(ifMatch: Token(epoch: "q7x2m5kd", version: 1))
        await #expect(throws: FeedServiceError.self) {
            try await service.remove(name, options: wrong)
        }
        let there = try await service.remove(name)
        let gone = try await service.remove(name)
        #expect(there && !gone)
        await server.stop()
    }
}
