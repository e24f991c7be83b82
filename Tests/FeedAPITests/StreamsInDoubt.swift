import FeedDiff
import FeedModel
import FeedStore
import HTTPServer
import HTTPWire
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedAPI

/// docs/PROTOCOL.md, "Several servers", of streams of very many feeds.
@Suite struct StreamsInDoubt {
    /// Answers when it is told to.
    private final class Slow: Upstream {
        private let asked = Mutex<[@Sendable (Bool) -> Void]>([])

        func ask(
            _ questions: [(feed: FeedName, token: Token?)],
            completion: @escaping @Sendable (Bool) -> Void
        ) {
            asked.withLock { $0.append(completion) }
        }

        func answer() {
            while let completion = asked.withLock({ $0.popLast() }) { completion(true) }
        }

        var cutOffTime: Duration? { nil }
        var trouble: String? { nil }
        var knowsAllFeeds: Bool { true }
        var takesPublishes: Bool { true }
    }

    private func events(_ stream: FollowStream) -> [String] {
        stream.eventsAtHand().map { name, document in
            let count = document["feeds"]?.int.map(String.init)
            return "\(name) \(document["feed"]?.string ?? count ?? "")"
        }
    }

    /// `ready` says that each feed was brought to what the server had when it was asked: not while
    /// one of them has still to be asked about.
    @Test(arguments: [true, false])
    func readyComesWhenAllThatHadToBeAskedAboutIsTold(_ isThere: Bool) throws {
        let store = FeedStore()
        func put(_ feed: String, _ body: String) throws {
            let snapshot = try Snapshot(publishing: Array(body.utf8))
            _ = store.publishInMemory(try #require(FeedName(feed))) { _ in snapshot }
        }
        try put("a", #"{"items":[]}"#)
        if isThere { try put("b", #"{"items":[{"id":"x"}]}"#) }
        let source = Slow()
        var configuration = APIConfiguration()
        configuration.keys = [AccessKey(API.key)]
        let api = FeedAPI(store: store, configuration: configuration, upstream: source)
        let body = #"{"feeds":{"a":null,"b":"aaaaaaaa.1"}}"#
        let stream = FollowStream(
            try FeedSelection(parsing: Array(body.utf8), Presentation()),
            AccessKey(API.key),
            for: .local,
            of: api,
            in: .identity
        )
        #expect(events(stream) == ["snapshot a"])
        try put("a", #"{"items":[{"id":"y"}]}"#)
        #expect(events(stream).count == 1)
        source.answer()
        #expect(
            events(stream) == (isThere ? ["snapshot b", "ready 2"] : ["missing b", "ready 1"])
        )
        try put("b", #"{"items":[{"id":"z"}]}"#)
        #expect(events(stream).count == 1)
        withExtendedLifetime(api) {}
    }
}
