import Dispatch
import FeedModel
import FeedSources
import FeedStore
import TestSupport
import Testing

/// Small work for feeds does not wait while large work is under way.
@Suite(.timeLimit(.minutes(2))) struct DerivingByTurns {
    private let servers = RawServers()
    private let begun = Event()
    private let gate = DispatchSemaphore(value: 0)

    /// Holds up the thread that publishes the feed `heavy`, until the gate opens.
    private func hold(_ store: FeedStore) {
        store.observe { [begun, gate] feed in
            guard feed.rawValue == "heavy" else { return }
            begun.happened()
            gate.wait()
        }
    }

    @Test func aSmallDerivedFeedDoesNotWaitForOneThatBecomesLarge() async throws {
        let feeds = try DerivedFeeds(["heavy": ["many"], "light": ["few"]])
        feeds.service.start()
        try feeds.put("few", ["f"])
        try feeds.put("many", ["m"])
        try await feeds.wait("light", for: ["few/f"])
        try await feeds.wait("heavy", for: ["many/m"])
        hold(feeds.store)
        defer { gate.signal() }
        try feeds.put("many", (0..<11_000).map(String.init))
        #expect(await begun.awaited())
        for number in 0..<10 {
            try feeds.put("few", ["f\(number)"])
            try await feeds.wait("light", for: ["few/f\(number)"])
        }
    }

    @Test func aSmallSourceDoesNotWaitForALargeOne() async throws {
        let server = servers.serving { head, connection in
            let count = head.contains("/many") ? 6_000 : 1
            return connection.answer("200 OK", [], rss(Array(1...count)))
        }
        var heavy = try source(server.url + "/many")
        heavy.feed = try #require(FeedName("heavy"))
        var light = try source(server.url + "/few")
        light.feed = try #require(FeedName("light"))
        // Another address of the host, which would be asked for one source at a time.
        light.location = .web(server.url.replacing("127.0.0.1", with: "localhost") + "/few")
        let feeds = try SourcedFeeds([heavy, light])
        hold(feeds.store)
        async let large = feeds.failure("heavy")
        #expect(await begun.awaited())
        #expect(try await feeds.failure("light") == nil)
        #expect(try feeds.ids("light") == ["n1"])
        gate.signal()
        #expect(try await large == nil)
    }
}
