import FeedAPI
import FeedModel
import FeedSources
import FeedStore
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// What an operator says of a source beside its address.
@Suite struct ChoosingItems {
    private let servers = RawServers()

    private func condition(_ member: String, contains text: String) throws -> ItemCondition {
        .contains(try #require(MemberPath(member)), .text(text))
    }

    @Test func onlyItemsThatAreWantedAreTaken() async throws {
        let server = servers.serving { _, connection in
            connection.answer("200 OK", ["ETag: \"x\""], rss([12, 11, 2, 1]))
        }
        let wanted = try condition("title", contains: "t1")
        let feeds = try SourcedFeeds([source(server.url) { $0.condition = wanted }])
        try await feeds.refresh()
        #expect(try feeds.ids() == ["n12", "n11", "n1"])
        let others = try condition("title", contains: "t2")
        feeds.service.take([try source(server.url) { $0.condition = others }])
        try await feeds.refresh()
        #expect(try feeds.ids() == ["n2"])
        feeds.service.take([try source(server.url)])
        try await feeds.refresh()
        #expect(try feeds.ids() == ["n12", "n11", "n2", "n1"])
    }

    @Test func aDocumentOfTheProtocolIsFilteredToo() async throws {
        let document = """
            {"sections":[{"id":"a","items":[{"id":"1","title":"T1"},{"id":"2","title":"U"}]},
            {"id":"b","items":[{"id":"3","title":"U"}]},{"id":"c","title":"Empty"}]}
            """
        let server = servers.serving { _, connection in
            connection.answer("200 OK", [], document)
        }
        let wanted = try condition("title", contains: "T1")
        let feeds = try SourcedFeeds([source(server.url) { $0.condition = wanted }])
        try await feeds.refresh()
        #expect(try feeds.ids() == ["1"])
        let feed = try #require(FeedName("news"))
        let sections = feeds.store.current(feed)?.snapshot.sections.map(\.id.string)
        #expect(sections == ["a", "c"])
    }

    @Test func requestsGoThroughTheProxyOfTheSource() async throws {
        let heads = Mutex<[String]>([])
        let proxy = servers.serving { head, connection in
            heads.withLock { $0.append(head) }
            return head.hasPrefix("GET http://a.invalid/ ")
                ? connection.answer("302 Found", ["Location: http://127.0.0.1/admin"])
                : connection.answer("200 OK", [], rss([1]))
        }
        var feeds = try SourcedFeeds([
            source("http://a.invalid/") {
                $0.proxy = proxy.url
                $0.allowsPrivate = false
            }
        ])
        let failure = try await feeds.failure()
        #expect(failure?.hasPrefix("127.0.0.1 is inside the machine") == true)
        #expect(heads.withLock(\.count) == 1)
        feeds = try SourcedFeeds([source("http://b.invalid/") { $0.proxy = proxy.url }])
        try await feeds.refresh()
        #expect(try feeds.ids() == ["n1"])
    }

    @Test(arguments: [
        ("200 OK", "<html><title>Log in</title>", SourceFailure.Reason.page),
        ("200 OK", "hello", .format), ("404 Not Found", "", .status),
        ("429 Too Many Requests", "", .pause), ("302 Found", "", .status),
    ])
    func theKindOfAFailureIsKept(
        _ status: String,
        _ body: String,
        _ reason: SourceFailure.Reason
    ) async throws {
        let isBroken = Mutex(true)
        let server = servers.serving { _, connection in
            isBroken.withLock(\.self)
                ? connection.answer(status, [], body) : connection.answer("200 OK", [], rss([1]))
        }
        let feeds = try SourcedFeeds([source(server.url)])
        _ = try await feeds.failure()
        let feed = try #require(FeedName("news"))
        #expect(feeds.service.report(on: feed)?.reason == reason.rawValue)
        #expect(feeds.service.failing == [reason: 1])
        isBroken.withLock { $0 = false }
        feeds.pass(seconds: 86_400)
        try await feeds.refresh()
        #expect(feeds.service.report(on: feed)?.reason == nil)
        #expect(feeds.service.failing.isEmpty)
    }
}
