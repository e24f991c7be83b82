import FeedClient
import FeedModel
import Foundation
import Synchronization
import TestSupport
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
        await #expect(throws: FeedServiceError.unexpected("no feed server answers there (401)")) {
            try await service.get(name)
        }
        #expect(transport.seen.count == 1)
    }

    @Test func saysWhyThereIsNoKey() async throws {
        let service = ScriptedTransport().service(keys: NoKeys())
        let error = await #expect(throws: FeedServiceError.self) { try await service.get(name) }
        #expect(error == .noKey("signed out"))
    }

    /// Gives a key only after it was let go.
    private final class SlowKeys: KeyProvider {
        private struct State {
            var count = 0
            var waiter: CheckedContinuation<Void, Never>?
        }

        private let state = Mutex(State())

        var count: Int { state.withLock(\.count) }
        var isAsked: Bool { state.withLock { $0.waiter != nil } }

        func release() { state.withLock { $0.waiter.take() }?.resume() }

        func key(replacing refused: String?) async throws -> String? {
            let number = state.withLock { state in
                state.count += 1
                return state.count
            }
            if number == 1 {
                await withCheckedContinuation { waiter in
                    state.withLock { $0.waiter = waiter }
                }
            }
            return "key \(number)"
        }
    }

    @Test func aKeyThatComesAfterSigningOutIsNotKept() async throws {
        let keys = SlowKeys()
        let transport = ScriptedTransport(.response(200, [:], "{}"), .response(200, [:], "{}"))
        let service = transport.service(keys: keys)
        let first = Task { try await service.get(name) }
        while !keys.isAsked { await Task.yield() }
        try await service.signOut()
        keys.release()
        _ = try await first.value
        _ = try await service.get(name)
        #expect(keys.count == 2)
        #expect(
            transport.seen.map { $0.fields["Authorization"] } == ["Bearer key 1", "Bearer key 2"]
        )
    }

    /// Gives no other key, after a while.
    private final class LastKey: KeyProvider {
        let (asked, turn) = (Event(), Event())

        func key(replacing refused: String?) async throws -> String? {
            guard refused != nil else { return "last" }
            asked.happened()
            _ = await turn.awaited()
            return nil
        }
    }

    /// Without a key, a server may say that a feed is not there.
    @Test func noRequestGoesWithoutAKeyWhileAnotherIsAskedFor() async throws {
        let keys = LastKey()
        let transport = ScriptedTransport(.response(401), .response(200, [:], "{}"))
        let service = transport.service(keys: keys)
        let refused = Task { try await service.get(name) }
        #expect(await keys.asked.awaited())
        let second = Task { try await service.get(name) }
        for _ in 0..<1_000 { await Task.yield() }
        keys.turn.happened()
        _ = try await second.value
        _ = try? await refused.value
        #expect(
            transport.seen.map { $0.fields["Authorization"] } == ["Bearer last", "Bearer last"]
        )
    }

    /// As where a person is asked to sign in.
    @Test(.timeLimit(.minutes(1)))
    func whoIsCancelledDoesNotWaitForAKey() async throws {
        let keys = SlowKeys()
        let transport = ScriptedTransport(.response(200, [:], "{}"))
        let service = transport.service(keys: keys)
        let cancelled = Task { try await service.get(name) }
        while !keys.isAsked { await Task.yield() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        // The next one is asked for no other.
        let next = Task { try await service.get(name) }
        keys.release()
        _ = try await next.value
        #expect(keys.count == 1)
        #expect(transport.seen.map { $0.fields["Authorization"] } == ["Bearer key 1"])
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
