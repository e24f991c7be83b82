import FeedClient
import FeedModel
import Foundation
import Synchronization
import Testing

/// Keys that end, and where others come from.
@Suite struct KeyProviding {
    private final class Keys: KeyProvider {
        private let keys: Mutex<[String?]>
        let asked = Mutex<[String?]>([])

        init(_ keys: String?...) { self.keys = Mutex(keys) }

        func key(replacing refused: String?) async throws -> String? {
            asked.withLock { $0.append(refused) }
            await Task.yield()
            return keys.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }
    }

    private struct NoKeys: KeyProvider {
        func key(replacing refused: String?) async throws -> String? {
            throw FeedServiceError.unexpected("signed out")
        }
    }

    private let name: FeedName

    init() throws {
        name = try #require(FeedName("news"))
    }

    @Test func areAskedAgainWhenTheServerRefusesTheKey() async throws {
        let keys = Keys("first", "second")
        let transport = ScriptedTransport(
            .response(200, [:], "{}"),
            .response(401),
            .response(200, [:], "{}")
        )
        let service = transport.service(keys: keys)
        _ = try await service.get(name)
        _ = try await service.get(name)
        let sent = transport.seen.map { $0.fields["Authorization"] }
        #expect(sent == ["Bearer first", "Bearer first", "Bearer second"])
        #expect(keys.asked.withLock(\.self) == [nil, "first"])
    }

    @Test func areAskedOnceForAllRequests() async throws {
        let keys = Keys("only")
        let transport = ScriptedTransport(
            .response(200, [:], "{}"),
            .response(200, [:], "{}"),
            .response(200, [:], "{}")
        )
        let service = transport.service(keys: keys)
        try await withThrowingTaskGroup { group in
            for _ in 0..<3 { group.addTask { _ = try await service.get(name) } }
            try await group.waitForAll()
        }
        #expect(keys.asked.withLock(\.count) == 1)
    }

    @Test func saysWhatTheServerSaysWhereThereIsNoOtherKey() async throws {
        let transport = ScriptedTransport(.response(401), .response(401))
        let service = transport.service(keys: Keys("first", "first"))
        await #expect(throws: FeedServiceError.unexpected("the server answered 401")) {
            try await service.get(name)
        }
        #expect(transport.seen.count == 1)
    }

    @Test func saysWhyThereIsNoKey() async throws {
        let service = ScriptedTransport().service(keys: NoKeys())
        let error = await #expect(throws: FeedServiceError.self) { try await service.get(name) }
        #expect(error == .noKey("signed out"))
    }

    @Test func signingOutForgetsKeyAndFeeds() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            UUID().uuidString
        )
        let keys = Keys("first", "second")
        let snapshot = """
            {"kind":"snapshot","feed":"news","token":"q7x2m5kd.1","count":0,"order":"00000000",\
            "sections":[]}
            """
        let transport = ScriptedTransport(
            .response(200, [:], snapshot),
            .response(200, [:], "{}")
        )
        let service = transport.service(keys: keys, cache: FeedCache(directory: folder))
        try await Feed(name, of: service).refresh()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
        try await service.signOut()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        _ = try await service.get(name)
        #expect(transport.seen.last?.fields["Authorization"] == "Bearer second")
        try FileManager.default.removeItem(at: folder)
    }
}
