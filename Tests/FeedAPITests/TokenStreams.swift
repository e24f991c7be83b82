import FeedModel
import HTTPServer
import Synchronization
import TestSupport
import Testing

@testable import FeedAPI

/// docs/PROTOCOL.md, "Who may do what": what lasts ends with the token that began it.
@Suite(.timeLimit(.minutes(2))) struct TokenStreams {
    private static let filler = String(repeating: "x", count: 300)
    private static let one = #"{"items":[{"id":"a","n":1},{"id":"f","text":"\#(filler)"}]}"#
    private static let two = #"{"items":[{"id":"a","n":2},{"id":"f","text":"\#(filler)"}]}"#
    private static let credentials =
        "Authorization: Bearer \(TokenMaker().signed())\r\nContent-Type: application/json\r\n"

    /// How a stream is asked for.
    enum Asking: CaseIterable {
        case get, post

        func reader(
            _ port: Int,
            _ feed: String,
            coding: String = "identity"
        ) throws -> EventReader {
            let fields = TokenStreams.credentials + "Accept-Encoding: \(coding)\r\n"
            return switch self {
            case .get: try EventReader(port, "/events?feed=\(feed)", fields)
            case .post:
                try EventReader(port, "/events", fields, body: #"{"match": ["\#(feed)"]}"#)
            }
        }
    }

    private static func configuration(_ keys: [SigningKey]) -> APIConfiguration {
        var configuration = APIConfiguration()
        configuration.openFeeds = []
        configuration.signingKeys = keys
        configuration.wall = { Double(TokenMaker.now) }
        return configuration
    }

    private func withServer(
        _ configuration: APIConfiguration,
        _ body: (LiveAPI, Int) async throws -> Void
    ) async throws {
        let live = try LiveAPI { $0 = configuration }
        let server = try HTTPServer(host: "127.0.0.1", port: 0, loops: 2, handler: live.api)
        server.start()
        do {
            try await body(live, server.port)
        } catch {
            await server.stopped(within: .zero)
            throw error
        }
        await server.stopped(within: .zero)
    }

    /// Passes over what a stream of very many says of itself.
    private func nextOfAFeed(_ events: EventReader) throws -> EventReader.StreamEvent {
        while true {
            let event = try events.next()
            if event.name != "ready" { return event }
        }
    }

    @Test(arguments: Asking.allCases, ["identity", "gzip", "deflate"])
    func aStreamEndsWithItsToken(_ asking: Asking, _ coding: String) async throws {
        var configuration = Self.configuration([try TokenMaker.key()])
        // The token has a moment left whenever it is looked at.
        configuration.wall = { Double(TokenMaker.now) + 3599.9 }
        try await withServer(configuration) { live, port in
            try live.put("sports-1", Self.one)
            let events = try asking.reader(port, "sports-1", coding: coding)
            #expect(try nextOfAFeed(events).name == "snapshot")
            #expect(try events.isWholeAtTheEnd())
        }
    }

    /// The same name for another secret, and no such name any more.
    @Test(arguments: Asking.allCases, [true, false])
    func aStreamEndsWithTheKeyThatSignedItsToken(_ asking: Asking, _ isReplaced: Bool) async throws
    {
        try await withServer(Self.configuration([try TokenMaker.key()])) { live, port in
            try live.put("sports-1", Self.one)
            let events = try asking.reader(port, "sports-1")
            #expect(try nextOfAFeed(events).name == "snapshot")
            let other = try TokenMaker.key(file: TokenMaker.secret + [1])
            let api = live.api.reconfigured(Self.configuration(isReplaced ? [other] : []))
            #expect(try events.isWholeAtTheEnd())
            withExtendedLifetime(api) {}
        }
    }

    @Test(arguments: Asking.allCases)
    func aKeyThatIsReadAgainKeepsItsStreamsWithTheRightsOfNow(_ asking: Asking) async throws {
        try await withServer(Self.configuration([try TokenMaker.key()])) { live, port in
            try live.put("sports-1", Self.one)
            let events = try asking.reader(port, "sports-1")
            #expect(try nextOfAFeed(events).name == "snapshot")
            var api = live.api.reconfigured(Self.configuration([try TokenMaker.key()]))
            try live.put("sports-1", Self.two)
            #expect(try nextOfAFeed(events).name == "changes")
            let narrower = try TokenMaker.key(read: ["news"], write: [], follow: ["news"])
            api = api.reconfigured(Self.configuration([narrower]))
            #expect(try nextOfAFeed(events).name == "missing")
            withExtendedLifetime(api) {}
        }
    }
}
