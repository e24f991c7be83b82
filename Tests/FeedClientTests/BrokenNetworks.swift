import FeedModel
import FeedStore
import Foundation
import HTTPServer
import Testing

@testable import FeedClient

/// Answers that end after any byte of them, over real connections.
@Suite(.timeLimit(.minutes(30))) struct BrokenNetworks {
    private let name: FeedName
    private let server: FaultyServer
    private let proxy: CuttingProxy
    private let service: FeedService

    init() throws {
        name = try #require(FeedName("news"))
        server = try FaultyServer()
        proxy = CuttingProxy(to: server.server.port)
        service = FeedService(baseURL: try #require(URL(string: proxy.url)), key: "a-key")
    }

    /// At each byte, and where a connection ends otherwise at some.
    private static let ways: [(ending: CuttingProxy.Ending, step: Int)] = [
        (.closed, 1), (.reset, 5),
    ]

    /// Has a request answered as far as each byte in turn, or each so many, until an answer is
    /// whole.
    private func cut(
        _ ending: CuttingProxy.Ending,
        atEvery step: Int,
        _ body: (Int) async throws -> Void
    ) async throws {
        for byteCount in stride(from: 0, to: .max, by: step) {
            proxy.cut(after: byteCount, ending)
            try await body(byteCount)
            guard proxy.wasCut else {
                #expect(byteCount > 200, "there was something to cut")
                break
            }
        }
        await server.stop()
    }

    /// Checks that copies are what the server has.
    private func check(_ feeds: [Feed], _ byteCount: Int) async throws {
        for feed in feeds {
            let current = try #require(server.store.current(feed.name))
            #expect(await feed.copy.token == current.token, "after \(byteCount) bytes")
            #expect(await feed.copy.snapshot.count == current.snapshot.count)
            #expect(await feed.problem == nil, "after \(byteCount) bytes")
            #expect(await feed.state == .idle, "after \(byteCount) bytes")
        }
    }

    /// Checks what a request that failed leaves behind.
    private func check(
        _ error: any Error,
        _ feed: Feed,
        had token: Token?,
        _ byteCount: Int
    ) async {
        guard case FeedServiceError.unreachable = error else {
            Issue.record("\(error) after \(byteCount) bytes")
            return
        }
        #expect(await feed.copy.token == token, "after \(byteCount) bytes")
        #expect(await feed.state == .offline, "after \(byteCount) bytes")
        #expect(await feed.problem == error as? FeedServiceError)
    }

    @Test(arguments: [
        (CuttingProxy.Ending.closed, false, 1), (.closed, true, 3), (.reset, false, 5),
        (.reset, true, 7),
    ])
    func leaveARefreshAsItWas(
        _ ending: CuttingProxy.Ending,
        isHeld: Bool,
        step: Int
    ) async throws {
        try server.publish("news", "a")
        let feed = Feed(name, of: service)
        try await feed.refresh()
        try await cut(ending, atEvery: step) { byteCount in
            try server.publish("news", "a", "b\(byteCount)")
            let token = await feed.copy.token
            let count = proxy.requestCount
            do {
                _ = isHeld ? try await feed.wait() : try await feed.refresh()
            } catch {
                await check(error, feed, had: token, byteCount)
            }
            #expect(proxy.requestCount <= count + 3)
            try await feed.refresh()
            try await check([feed], byteCount)
        }
    }

    @Test(arguments: ways)
    func leaveAPullAsItWas(_ ending: CuttingProxy.Ending, step: Int) async throws {
        try server.publish("news", "a")
        try server.publish("sports", "a")
        let feeds = [Feed(name, of: service), Feed(try #require(FeedName("sports")), of: service)]
        try await service.pull(feeds)
        try await cut(ending, atEvery: step) { byteCount in
            try server.publish("news", "a", "b\(byteCount)")
            let token = await feeds[0].copy.token
            do {
                try await service.pull(feeds)
            } catch {
                await check(error, feeds[0], had: token, byteCount)
            }
            try await service.pull(feeds)
            try await check(feeds, byteCount)
        }
    }

    @Test(arguments: ways)
    func publishOnce(_ ending: CuttingProxy.Ending, step: Int) async throws {
        var token = try server.publish("news", "a")
        try await cut(ending, atEvery: step) { byteCount in
            var options = PublishOptions()
            options.firstRetry = .milliseconds(1)
            let result = try await service.edit(name, options: options) { edits in
                try edits.setFeed(["title": "\(byteCount)"])
            }
            let current = try #require(server.store.current(name)).token
            #expect(result.since == token && result.token == current)
            #expect(current.version == token.version + 1, "after \(byteCount) bytes")
            token = current
        }
    }
}
