import FeedModel
import FeedStore
import Foundation
import HTTPServer
import Testing

@testable import FeedClient

/// Feeds that are followed over connections that end, or fall silent, after any byte.
@Suite(.timeLimit(.minutes(30))) struct BrokenFollowing {
    private let server: FaultyServer

    init() throws { server = try FaultyServer() }

    private func timing(silence: Duration) -> FollowTiming {
        var timing = FollowTiming()
        timing.firstRetry = .milliseconds(1)
        timing.longestRetry = .milliseconds(5)
        timing.reopening = .milliseconds(1)
        timing.wait = .seconds(20)
        timing.longestPoll = .milliseconds(1)
        timing.silence = silence
        return timing
    }

    /// Follows feeds until they are what the server has, twice, with what comes first cut at each
    /// byte in turn, or at every so many.
    private func follow(
        _ names: [String],
        cutAtEvery step: Int = 1,
        _ ending: CuttingProxy.Ending,
        of mark: String,
        in coding: String? = nil
    ) async throws {
        let form = CuttingProxy.Form(coding: coding)
        let proxy = CuttingProxy(to: server.server.port, as: form)
        let service = FeedService(baseURL: try #require(URL(string: proxy.url)), key: "a-key")
        for name in names { try server.publish(name, "a") }
        let timing = timing(silence: ending == .stalled ? .milliseconds(100) : .seconds(45))
        for byteCount in stride(from: 0, to: .max, by: step) {
            proxy.cut(after: byteCount, ending, where: mark)
            let feeds = try names.map { Feed(try #require(FeedName($0)), of: service) }
            var events = service.follow(feeds, timing).makeAsyncIterator()
            try await catchUp(feeds, &events, byteCount)
            for name in names { try server.publish(name, "a", "b\(byteCount)") }
            try await catchUp(feeds, &events, byteCount)
            guard proxy.wasCut else {
                #expect(byteCount > 200, "there was something to cut")
                break
            }
        }
        await server.stop()
    }

    /// Takes events until the feeds are what the server has.
    private func catchUp(
        _ feeds: [Feed],
        _ events: inout AsyncThrowingStream<FeedEvent, any Error>.Iterator,
        _ byteCount: Int
    ) async throws {
        for feed in feeds {
            let current = try #require(server.store.current(feed.name))
            while await feed.copy.token != current.token {
                let event = try await events.next(isolation: #isolation)
                try #require(event != nil, "after \(byteCount) bytes")
            }
            let copy = await feed.copy
            let held = copy.snapshot.sections.map { $0.items.map(\.id) }
            #expect(held == current.snapshot.sections.map { $0.items.map(\.id) })
            #expect(await feed.problem == nil, "after \(byteCount) bytes")
        }
    }

    /// At every byte once, and with other prime steps.
    @Test(arguments: [
        (CuttingProxy.Ending.closed, ["news"], 1, "identity"), (.reset, ["news"], 7, "identity"),
        (.closed, ["news", "sports"], 11, "identity"),
        (.reset, ["news", "sports"], 13, "identity"), (.closed, ["news"], 3, "gzip"),
        (.reset, ["news", "sports"], 13, "gzip"),
    ])
    func aStreamThatEndsIsTakenUpAgain(
        _ ending: CuttingProxy.Ending,
        _ names: [String],
        _ step: Int,
        _ coding: String
    ) async throws {
        try await follow(names, cutAtEvery: step, ending, of: "/events", in: coding)
    }

    @Test func aStreamThatFallsSilentIsTakenUpAgain() async throws {
        try await follow(["news"], cutAtEvery: 89, .stalled, of: "/events")
    }

    @Test(arguments: [
        (CuttingProxy.Ending.closed, ["news"], 3), (.reset, ["news"], 7),
        (.closed, ["news", "sports"], 11), (.reset, ["news", "sports"], 13),
    ])
    func aRequestThatWaitsIsAskedAgain(
        _ ending: CuttingProxy.Ending,
        _ names: [String],
        _ step: Int
    ) async throws {
        server.handler.go(wrong: .noStreams)
        try await follow(names, cutAtEvery: step, ending, of: "wait=")
    }
}
