import FeedAPI
import FeedModel
import FeedSources
import FeedStore
import Synchronization
import TestSupport
import Testing

/// A source of a guarded feed (docs/PUBLISHING.md, "Against accidents").
@Suite struct GuardedSources {
    private let servers = RawServers()

    /// The document of the server's source, which tests change.
    private final class Document: Sendable {
        let text: Mutex<String>
        init(_ text: String) { self.text = Mutex(text) }
        func become(_ text: String) { self.text.withLock { $0 = text } }
    }

    private func feeds(_ document: Document) throws -> SourcedFeeds {
        let server = servers.serving { _, connection in
            connection.answer("200 OK", [], document.text.withLock(\.self))
        }
        var guards = FeedRules<RemovalGuard>()
        guards.add(.percent(50), for: .all)
        return try SourcedFeeds([source(server.url)], guards: guards)
    }

    private static let all = Array(1...20)
    private static let few = [1, 2]

    private func ids(_ numbers: [Int]) -> [String] { numbers.map { "n\($0)" } }

    private func reason(_ feeds: SourcedFeeds) throws -> String? {
        feeds.service.report(on: try #require(FeedName("news")))?.reason
    }

    @Test func whatItSaysForAnHourIsBelievedTheThirdTime() async throws {
        let document = Document(rss(Self.all))
        let feeds = try feeds(document)
        try await feeds.refresh()
        document.become(rss(Self.few))
        for seconds in [0, 10, 1800] {
            feeds.pass(seconds: seconds)
            let failure = try #require(try await feeds.failure())
            #expect(failure.contains("18 of 20 items"))
            #expect(try reason(feeds) == "guard")
            #expect(try feeds.ids() == ids(Self.all))
        }
        // Three times, but for less than an hour.
        feeds.pass(seconds: 1789)
        #expect(try await feeds.failure() != nil)
        feeds.pass(seconds: 1)
        #expect(try await feeds.failure() == nil)
        #expect(try feeds.ids() == ids(Self.few))
        #expect(try reason(feeds) == nil)
    }

    @Test func anHourIsNotEnough() async throws {
        let document = Document(rss(Self.all))
        let feeds = try feeds(document)
        try await feeds.refresh()
        document.become(rss(Self.few))
        #expect(try await feeds.failure() != nil)
        feeds.pass(seconds: 4000)
        #expect(try await feeds.failure() != nil)
        feeds.pass(seconds: 1)
        #expect(try await feeds.failure() == nil)
    }

    @Test func aTryThatPassesBeginsAnew() async throws {
        let document = Document(rss(Self.all))
        let feeds = try feeds(document)
        try await feeds.refresh()
        document.become(rss(Self.few))
        for _ in 1...2 { #expect(try await feeds.failure() != nil) }
        feeds.pass(seconds: 4000)
        document.become(rss([21] + Self.all))
        #expect(try await feeds.failure() == nil)
        #expect(try feeds.ids() == ids([21] + Self.all))
        document.become(rss(Self.few))
        for _ in 1...2 { #expect(try await feeds.failure() != nil) }
    }

    @Test func anEmptyOneIsNeverBelievedUnasked() async throws {
        let document = Document(rss(Self.all))
        let feeds = try feeds(document)
        try await feeds.refresh()
        document.become(rss([]))
        // The first one keeps what is there, as that of every source does.
        #expect(try await feeds.failure() == nil)
        for _ in 1...5 {
            feeds.pass(seconds: 4000)
            #expect(try await feeds.failure() != nil)
            #expect(try feeds.ids() == ids(Self.all))
        }
        if case .failure(let failure) = try await feeds.refresh(mayRemoveAny: true) {
            Issue.record("\(failure)")
        }
        #expect(try feeds.ids() == [])
    }

    @Test(arguments: [few, []])
    func aRefreshThatMayRemoveAnyIsBelievedAtOnce(_ numbers: [Int]) async throws {
        let document = Document(rss(Self.all))
        let feeds = try feeds(document)
        try await feeds.refresh()
        #expect(feeds.store.current(try #require(FeedName("news")))?.details.origin == .source)
        document.become(rss(numbers))
        _ = try await feeds.refresh(mayRemoveAny: true)
        #expect(try feeds.ids() == ids(numbers))
        // It counts once.
        document.become(rss(Self.all))
        #expect(try await feeds.failure() == nil)
        document.become(rss(Self.few))
        #expect(try await feeds.failure() != nil)
    }
}
