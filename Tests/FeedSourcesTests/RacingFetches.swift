import FeedModel
import FeedStore
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedSources

/// A source is fetched while another server publishes its feed.
@Suite struct RacingFetches {
    private let servers = RawServers()

    private final class Requests: Sendable {
        let heads = Mutex<[String]>([])
        /// The store in which another server publishes.
        let store = Mutex<FeedStore?>(nil)
    }

    /// A source with one item, numbered as the request is; during some requests another server
    /// publishes.
    private func server(
        _ requests: Requests,
        racing: ClosedRange<Int>,
        fields: [String] = []
    ) throws -> RawServer {
        let news = try #require(FeedName("news"))
        let other = try snapshot(#"{"items": [{"id": "other"}]}"#)
        return servers.serving { head, connection in
            let number = requests.heads.withLock { heads in
                heads.append(head)
                return heads.count
            }
            if racing.contains(number) {
                let content = number % 2 == 0 ? other : Snapshot()
                _ = requests.store.withLock(\.self)?.publishInMemory(news) { _ in content }
            }
            return connection.answer("200 OK", ["ETag: \"\(number)\""] + fields, rss([number]))
        }
    }

    @Test func aDocumentMayBeOlderThanWhatAnotherServerPublished() async throws {
        let requests = Requests()
        let feeds = try SourcedFeeds([source(server(requests, racing: 2...3).url)])
        requests.store.withLock { $0 = feeds.store }
        #expect(try await feeds.failure() == nil)
        #expect(try feeds.ids() == ["n1"])
        #expect(try await feeds.failure() == nil)
        #expect(try feeds.ids() == ["n4"])
        let areConditional = requests.heads.withLock { heads in
            heads.map { $0.lowercased().contains("if-none-match") }
        }
        #expect(areConditional == [false, true, false, false])
    }

    @Test func aServerThatIsAlwaysLaterGivesUp() async throws {
        let requests = Requests()
        let feeds = try SourcedFeeds([source(server(requests, racing: 1...5).url)])
        requests.store.withLock { $0 = feeds.store }
        #expect(try await feeds.failure() == "another server was quicker")
        #expect(try feeds.ids() == [])
        #expect(try await feeds.failure() == nil)
        #expect(try feeds.ids() == ["n6"])
    }

    @Test func aHostThatWantsARestIsNotAskedAtOnce() async throws {
        let requests = Requests()
        let rest = ["RateLimit: \"a\";r=0;t=30"]
        let source = try source(server(requests, racing: 1...1, fields: rest).url)
        let feeds = try SourcedFeeds([source])
        requests.store.withLock { $0 = feeds.store }
        #expect(try await feeds.failure() == "another server was quicker")
        #expect(requests.heads.withLock(\.count) == 1)
    }
}
