import FeedModel
import Foundation
import Testing

@testable import FeedClient

/// Rows by their place, of a server in memory and over a socket.
@Suite(.timeLimit(.minutes(2))) struct RowsByPlace {
    private let name: FeedName
    private let memory = InMemoryServer()
    private let socket: FaultyServer

    init() throws {
        name = try #require(FeedName("news"))
        socket = try FaultyServer()
    }

    private static func document(_ ids: Range<Int>) -> String {
        let items = ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        return #"{"sections":[{"id":"a"},{"id":"b","items":[{"id":"x"}]},{"id":"ü /","items":["#
            + items + "]}]}"
    }

    private func publish(_ document: String) throws {
        try memory.publish(Data(document.utf8), to: name)
        try socket.publish("news", document: document)
    }

    private func services() throws -> [FeedService] { [memory.service(), try socket.service] }

    @Test func areOfTheFeedOrASection() async throws {
        try publish(Self.document(0..<10))
        for service in try services() {
            let first = try await service.rows(of: name, limit: 3)
            #expect(first.rows.map(\.id) == ["x", "0", "1"])
            #expect(first.rows.map(\.section.string) == ["b", "ü /", "ü /"])
            #expect(first.rows.map(\.index) == [0, 0, 1])
            #expect((first.total, first.offset, first.next) == (11, 0, 3))
            let part = try await service.rows(of: name, section: "ü /", offset: 8, limit: 2)
            #expect(part.rows.map(\.id) == ["8", "9"])
            #expect((part.total, part.offset, part.next) == (10, 8, nil))
            #expect(part.token == first.token)
            let past = try await service.rows(of: name, offset: 50)
            #expect(past.rows.isEmpty && past.next == nil)
        }
        await socket.stop()
    }

    @Test func areOfTheVersionOfTheFirstPage() async throws {
        try publish(Self.document(0..<10))
        for service in try services() {
            var ids: [String] = []
            for try await page in service.pages(of: name, limit: 4) {
                #expect(!page.isRestart && page.total == 11)
                ids += page.rows.map(\.id)
                try publish(Self.document(ids.count..<20))
            }
            #expect(ids == ["x"] + (0..<10).map(String.init))
            try publish(Self.document(0..<10))
        }
        await socket.stop()
    }

    @Test func startAgainWhereTheVersionIsForgotten() async throws {
        for version in 1...InMemoryFeeds.versionLimit { try publish(Self.document(0..<version)) }
        let service = memory.service()
        var rows: [FeedRow] = []
        var restarts = 0
        for try await page in service.pages(of: name, section: "ü /", limit: 40) {
            rows = page.isRestart ? page.rows : rows + page.rows
            restarts += page.isRestart ? 1 : 0
            guard restarts == 0 else { continue }
            for version in 0...InMemoryFeeds.versionLimit {
                try memory.publish(Data(Self.document(version..<version + 90).utf8), to: name)
            }
        }
        #expect(restarts == 1)
        #expect(rows.map(\.id) == (100..<190).map(String.init))
        await socket.stop()
    }

    @Test func areGivenUpWhereEveryVersionIsForgottenAtOnce() async throws {
        try publish(Self.document(0..<90))
        var pages = memory.service().pages(of: name, limit: 40).makeAsyncIterator()
        await #expect(throws: FeedServiceError.self) {
            while try await pages.next(isolation: #isolation) != nil {
                for version in 0...InMemoryFeeds.versionLimit {
                    try memory.publish(Data(Self.document(version..<version + 90).utf8), to: name)
                }
            }
        }
        #expect(memory.requests.count == 8)
        await socket.stop()
    }

    @Test func areRefusedWhereTheyAreNot() async throws {
        try publish(Self.document(0..<1))
        let other = try #require(FeedName("other"))
        let unknown = try #require(Token("aaaaaaaa.1"))
        for service in try services() {
            for (feed, section, version, status) in [
                (other, nil, nil, 404), (name, "none", nil, 404), (name, nil, unknown, 410),
            ] as [(FeedName, ExactString?, Token?, Int)] {
                await #expect {
                    _ = try await service.rows(of: feed, section: section, version: version)
                } throws: { error in
                    guard case FeedServiceError.problem(status, _, _) = error else { return false }
                    return true
                }
            }
        }
        await socket.stop()
    }

    /// Items that are asked for by their ids have no need of places.
    @Test(arguments: [
        (#"{"items":[{"item":{"id":"a"}},{"in":"s","index":0},{"item":{"id":"b"}}]}"#, ["a", "b"]),
        (#"{"items":[]}"#, []), (#"{"items":[{"item":{}}]}"#, nil), ("{}", nil), ("[]", nil),
    ])
    func areItemsEvenWithoutPlaces(_ document: String, _ ids: [String]?) async throws {
        let service = ScriptedTransport(.response(200, [:], document)).service()
        let items = try? await service.items(["a", "b"], of: name)
        #expect(items?.keys.sorted() == ids)
        await socket.stop()
    }

    @Test(arguments: [
        "{}", "[]", #"{"token":"aaaaaaaa.1","total":1,"offset":0,"items":[{"item":{"id":"a"}}]}"#,
        #"{"token":"aaaaaaaa.1","total":-1,"offset":0,"items":[]}"#,
        #"{"token":"a","total":1,"offset":0,"items":[]}"#,
        #"{"token":"aaaaaaaa.1","total":1,"offset":9223372036854775807,"next":"?","items":"#
            + #"[{"in":"s","index":0,"item":{"id":"a"}}]}"#,
    ])
    func areNotMadeUp(_ document: String) async throws {
        let transport = ScriptedTransport(.response(200, [:], document))
        await #expect(throws: FeedServiceError.unexpected("the server sent no page of rows")) {
            try await transport.service().rows(of: name)
        }
        await socket.stop()
    }
}
