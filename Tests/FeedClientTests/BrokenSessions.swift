import FeedDiff
import FeedModel
import FeedStore
import Foundation
import HTTPServer
import TestSupport
import Testing

@testable import FeedClient

/// Sessions of an app in which a connection ends once, after any byte of a request or an answer.
@Suite(.timeLimit(.minutes(30))) @MainActor struct BrokenSessions {
    private let server: FaultyServer
    private let proxy: CuttingProxy

    init() throws {
        server = try FaultyServer()
        proxy = CuttingProxy(to: server.server.port)
    }

    private var timing: FollowTiming {
        var timing = FollowTiming()
        timing.firstRetry = .milliseconds(1)
        timing.longestRetry = .milliseconds(5)
        timing.reopening = .milliseconds(1)
        timing.wait = .seconds(20)
        timing.longestPoll = .milliseconds(1)
        return timing
    }

    /// Does something that may fail once, as a person would who tries again.
    private func untilDone(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch FeedServiceError.unreachable {
            try await work()
        }
    }

    /// Checks what is held, and what of it is kept, against the server.
    private func check(_ feed: Feed, _ byteCount: Int) async throws {
        let current = try #require(server.store.current(feed.name))
        let now = TableRules.sections(of: feed.view(current.snapshot).snapshot)
        for await update in feed.updates() where update.copy.token == current.token { break }
        let held = await feed.copy
        #expect(TableRules.sections(of: held.snapshot) == now, "after \(byteCount) bytes")
        #expect(held.total == current.snapshot.count)
        let again = Feed(feed.name, of: feed.service, view: FeedView(limit: 2))
        await again.load()
        let kept = await again.copy
        #expect(kept.token == held.token, "after \(byteCount) bytes")
        #expect(TableRules.sections(of: kept.snapshot) == now, "after \(byteCount) bytes")
    }

    /// Rows and changes, a publish, a pull and a stream.
    private func session(_ service: FeedService, _ id: String, _ byteCount: Int) async throws {
        let name = try #require(FeedName(id))
        let feed = LiveFeed(name, of: service, as: ExampleItem.self, view: FeedView(limit: 2))
        try await untilDone { try await feed.feed.refresh() }
        try await untilDone { try await feed.feed.loadMore() }
        let token = try #require(server.store.current(name)).token
        var options = PublishOptions()
        options.firstRetry = .milliseconds(1)
        let result = try await service.edit(name, options: options) { edits in
            try edits.insert(ExampleItem(id: "new"))
        }
        #expect(result.token == server.store.current(name)?.token)
        #expect(result.token?.version == token.version + 1, "after \(byteCount) bytes")
        try await untilDone { try await feed.feed.refresh() }
        try server.publish(id, "a", "b", "c", "d\(byteCount)")
        try await untilDone { try await service.pull([feed.feed]) }
        try await check(feed.feed, byteCount)
        let following = Task { [timing] in
            for try await _ in service.follow([feed.feed], timing) {}
        }
        while feed.state != .live { await Task.yield() }
        try server.publish(id, "a", "e\(byteCount)", "b", "c")
        try await check(feed.feed, byteCount)
        following.cancel()
        _ = await following.result
        #expect(feed.problem == nil, "after \(byteCount) bytes")
    }

    @Test(arguments: [(CuttingProxy.Ending.closed, 97), (.reset, 131)])
    func endWithEqualCopiesAndOnePublish(ending: CuttingProxy.Ending, step: Int) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = try #require(URL(string: proxy.url))
        let service = FeedService(baseURL: url, key: "a-key", cache: FeedCache(directory: folder))
        for byteCount in stride(from: 0, to: .max, by: step) {
            try server.publish("news-\(byteCount)", "a", "b", "c", "d", "e")
            proxy.cutSession(after: byteCount, ending)
            try await session(service, "news-\(byteCount)", byteCount)
            guard proxy.wasCut else {
                #expect(byteCount > 2_000, "there was something to cut")
                break
            }
        }
        await server.stop()
    }
}

/// An item of the sessions.
private struct ExampleItem: Codable, Sendable {
    var id: String
}
