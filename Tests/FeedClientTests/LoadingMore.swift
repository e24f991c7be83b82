import FeedDiff
import FeedModel
import Foundation
import Testing

@testable import FeedClient

/// Views whose limit grows, without a network.
@Suite(.timeLimit(.minutes(2))) struct LoadingMore {
    private let server = InMemoryServer()
    private let name: FeedName
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent(UUID().uuidString)

    init() throws {
        name = try #require(FeedName("news"))
    }

    private func publish(_ ids: some Sequence<Int>, to feed: FeedName? = nil) throws {
        try server.replace(feed ?? name, withItems: ids.map { ["id": "\($0)"] })
    }

    private func feed(_ view: FeedView = FeedView(limit: 3), cache: FeedCache? = nil) -> Feed {
        Feed(name, of: server.service(cache: cache), view: view)
    }

    private func ids(_ feed: Feed) async -> [String] {
        await feed.copy.snapshot.sections.flatMap { $0.items.map(\.id.string) }
    }

    private func until(_ condition: () async -> Bool) async {
        while await !condition() { await Task.yield() }
    }

    private var targets: [String] { server.requests.map(\.target) }

    @Test func bringsTheRowsThatFollow() async throws {
        try publish(0..<10)
        let feed = feed()
        #expect(await !feed.copy.hasMore)
        try await feed.refresh()
        #expect(await feed.copy.hasMore)
        #expect(try await feed.loadMore())
        #expect(await ids(feed) == (0..<6).map(String.init))
        let token = try #require(await feed.copy.token)
        #expect(targets.last == "/feeds/news/items?offset=3&limit=3&version=\(token)")
        #expect(feed.view == FeedView(limit: 6))
        #expect(try await !feed.loadMore(10))
        #expect(await ids(feed) == (0..<10).map(String.init))
        #expect(targets.count == 3)
        #expect(try await !feed.loadMore())
        #expect(targets.count == 3)
        try publish([11, 10] + (0..<10))
        try await feed.refresh()
        #expect(targets.last == "/feeds/news?since=\(token)&limit=16")
        #expect(await ids(feed).prefix(3) == ["11", "10", "0"])
        #expect(await ids(feed).count == 12)
    }

    @Test func isARefreshWhereNothingIsHeld() async throws {
        let feed = feed()
        #expect(try await !feed.loadMore())
        #expect(await feed.freshness == .missing)
        try publish(0..<4)
        #expect(try await feed.loadMore())
        #expect(await ids(feed) == ["0", "1", "2"])
        let whole = Feed(name, of: server.service())
        #expect(try await !whole.loadMore())
        #expect(try await !whole.loadMore())
        #expect(await ids(whole).count == 4)
    }

    @Test func isOneRequestForAllAndACancelledCallerLeavesAtOnce() async throws {
        try publish(0..<10)
        let feed = feed()
        try await feed.refresh()
        server.hold()
        let first = Task { try await feed.loadMore() }
        let second = Task { try await feed.loadMore() }
        await until { targets.count == 2 }
        #expect(await feed.loadMoreState == .loading)
        first.cancel()
        await #expect(throws: CancellationError.self) { _ = try await first.value }
        #expect(await feed.loadMoreState == .loading)
        server.release()
        #expect(try await second.value)
        #expect(await feed.loadMoreState == .idle)
        #expect(await ids(feed).count == 6)
        #expect(targets.count == 2)
    }

    @Test func lastsThoughAllWhoAskedAreCancelled() async throws {
        try publish(0..<10)
        let feed = feed()
        try await feed.refresh()
        server.hold()
        let asking = Task { try await feed.loadMore() }
        await until { targets.count == 2 }
        asking.cancel()
        await #expect(throws: CancellationError.self) { _ = try await asking.value }
        server.release()
        await until { await feed.loadMoreState == .idle }
        #expect(await ids(feed).count == 6)
        #expect(await feed.problem == nil)
    }

    @Test func hasAProblemOfItsOwn() async throws {
        try publish(0..<10)
        let feed = feed()
        try await feed.refresh()
        server.fail(.offline, count: 1)
        await #expect(throws: FeedServiceError.self) { try await feed.loadMore() }
        guard case .problem(.unreachable) = await feed.loadMoreState else {
            Issue.record("\(await feed.loadMoreState)")
            return
        }
        #expect(await feed.problem == nil)
        #expect(await feed.state == .idle)
        #expect(await ids(feed) == ["0", "1", "2"])
        #expect(feed.view == FeedView(limit: 3))
        try await feed.loadMore()
        #expect(await feed.loadMoreState == .idle)
        #expect(await ids(feed).count == 6)
    }

    @Test func letsWhatComesMeanwhileWait() async throws {
        try publish(0..<10)
        let feed = feed()
        let following = Task { for try await _ in feed.live() {} }
        await until { await feed.state == .live }
        server.hold()
        let loading = Task { try await feed.loadMore() }
        await until { targets.count == 2 }
        try publish([20] + (0..<10))
        for _ in 0..<100 { await Task.yield() }
        #expect(await ids(feed) == ["0", "1", "2"])
        let refreshing = Task { try await feed.refresh() }
        await until { targets.count == 3 }
        server.release()
        _ = try await (loading.value, refreshing.value)
        await until { await ids(feed) == ["20", "0", "1", "2", "3", "4"] }
        try publish(5..<15)
        await until { await ids(feed) == (5..<11).map(String.init) }
        #expect(await feed.state == .live)
        following.cancel()
        _ = await following.result
    }

    @Test func takesAllAnewWhereTheVersionIsForgotten() async throws {
        try publish(0..<10)
        let feed = feed()
        try await feed.refresh()
        for number in 0...InMemoryFeeds.versionLimit { try publish([100 + number] + (0..<10)) }
        #expect(try await feed.loadMore())
        #expect(
            await ids(feed) == ["\(100 + InMemoryFeeds.versionLimit)", "0", "1", "2", "3", "4"]
        )
        #expect(targets.last == "/feeds/news?limit=6")
        try await feed.loadMore(100)
        #expect(await ids(feed).count == 11)
    }

    @Test func aFeedThatIsGoneHasNoMore() async throws {
        try publish(0..<10)
        let feed = feed()
        try await feed.refresh()
        server.remove(name)
        #expect(try await !feed.loadMore())
        #expect(await feed.copy.isMissing)
        #expect(await ids(feed).count == 3)
        #expect(await feed.loadMoreState == .idle)
        try publish(0..<10)
        #expect(try await feed.loadMore())
        #expect(await !feed.copy.isMissing)
    }

    private static let sections = """
        {"sections":[{"id":"a","items":[{"id":"1"},{"id":"2"}]},{"id":"b","items":[]},\
        {"id":"ü /","items":[{"id":"3"},{"id":"4"},{"id":"5"}]},{"id":"d","items":[{"id":"6"}]}]}
        """

    @Test(arguments: [nil, ["ü /"], ["a", "d"], ["b"], ["none"]] as [Set<ExactString>?])
    func goesFromSectionToSection(_ sections: Set<ExactString>?) async throws {
        let document = try Snapshot(publishing: Array(Self.sections.utf8))
        try server.publish(Data(Self.sections.utf8), to: name)
        let feed = feed(FeedView(sections: sections, limit: 1))
        try await feed.refresh()
        while await feed.copy.hasMore {
            let count = await ids(feed).count
            try await feed.loadMore(2)
            #expect(await ids(feed).count > count)
            let now = feed.view(document)
            #expect(await isShown(now.snapshot, by: feed))
        }
        let whole = FeedView(sections: sections)(document)
        #expect(await isShown(whole.snapshot, by: feed))
        guard case .unchanged = try await feed.refresh() else {
            Issue.record("something is new")
            return
        }
    }

    private func isShown(_ snapshot: Snapshot, by feed: Feed) async -> Bool {
        TableRules.sections(of: await feed.copy.snapshot) == TableRules.sections(of: snapshot)
    }
}

/// On disk, and beside other feeds.
extension LoadingMore {
    @Test func aStartShowsWhatWasLoaded() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let cache = FeedCache(directory: folder)
        try publish(0..<10)
        let old = feed(cache: cache)
        try await old.refresh()
        try await old.loadMore()
        try publish([20] + (0..<10))
        try await old.refresh()
        let feed = feed(cache: cache)
        #expect(feed.view == FeedView(limit: 3))
        await feed.load()
        #expect(feed.view == FeedView(limit: 6))
        #expect(await ids(feed) == ["20", "0", "1", "2", "3", "4"])
        #expect(await feed.copy.hasMore)
        guard case .unchanged = try await feed.refresh() else {
            Issue.record("something is new")
            return
        }
        #expect(targets.last?.hasSuffix("&limit=6") == true)
        try await feed.loadMore()
        #expect(feed.view == FeedView(limit: 9))
        #expect(await ids(feed).count == 9)
    }

    @Test func whatComesAfterSigningOutIsNotKept() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try publish(0..<10)
        let service = server.service(cache: FeedCache(directory: folder))
        let feed = Feed(name, of: service, view: FeedView(limit: 3))
        try await feed.refresh()
        server.hold()
        let loading = Task { try await feed.loadMore() }
        await until { targets.count == 2 }
        try await service.signOut()
        server.release()
        _ = try await loading.value
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        #expect(await ids(feed).count == 6)
    }

    @Test func othersOfAScreenStayAsLong() async throws {
        let other = try #require(FeedName("other"))
        let service = server.service()
        let feeds = [name, other].map { Feed($0, of: service, view: FeedView(limit: 2)) }
        try publish(0..<10)
        try publish(0..<10, to: other)
        let following = Task { for try await _ in service.follow(feeds) {} }
        for feed in feeds { await until { await feed.state == .live } }
        #expect(targets.count == 1)
        try await feeds[0].loadMore()
        try publish(1..<10)
        try publish(2..<10, to: other)
        await until { await ids(feeds[0]) == ["1", "2", "3", "4"] }
        await until { await ids(feeds[1]) == ["2", "3"] }
        following.cancel()
        _ = await following.result
        try publish(3..<10)
        try publish(4..<10, to: other)
        let count = targets.count
        #expect(try await service.pull(feeds).map(\.feed.name) == [name, other])
        #expect(targets.count == count + 2)
        #expect(await ids(feeds[0]) == ["3", "4", "5", "6"])
        #expect(await ids(feeds[1]) == ["4", "5"])
    }

    @Test func aPullThatIsOvertakenBringsWhatIsNew() async throws {
        let other = try #require(FeedName("other"))
        let service = server.service()
        let feeds = [name, other].map { Feed($0, of: service, view: FeedView(limit: 2)) }
        try publish(0..<10)
        try publish(0..<10, to: other)
        try await service.pull(feeds)
        server.hold()
        let loading = Task { try await feeds[0].loadMore() }
        await until { targets.count == 2 }
        let pulling = Task { try await service.pull(feeds) }
        await until { targets.count == 3 }
        try publish(1..<10)
        try publish(2..<10, to: other)
        server.release()
        _ = try await loading.value
        #expect(try await Set(pulling.value.map(\.feed.name)) == [name, other])
        #expect(await ids(feeds[0]) == ["1", "2", "3", "4"])
        #expect(await ids(feeds[1]) == ["2", "3"])
    }

    /// A pull without changes says nothing of a feed that another request has loaded since.
    @Test func aPullWithoutChangesDropsNothingThatWasLoadedMeanwhile() async throws {
        let other = try #require(FeedName("other"))
        let view = FeedView(limit: 1)
        let token = try #require(Token("q7x2m5kd.1"))
        let content = Array(#"{"items":[{"id":"0"},{"id":"1"}]}"#.utf8)
        let shown = view(try Snapshot(publishing: content))
        let document = [name, other].map {
            String(decoding: DocumentEncoder(feed: $0).snapshot(shown, token: token), as: UTF8.self)
        }
        let missing = #"{"kind":"missing","feed":"other"}"#
        let pulled = #"{"kind":"pull","feeds":{"news":\#(document[0]),"other":\#(missing)}}"#
        let transport = ScriptedTransport(
            .response(200, ["ETag": "\"a\""], pulled),
            .held(.failure(.unreachable("no rows come"))),
            .response(304, ["ETag": "\"a\""]),
            .response(200, [:], document[1])
        )
        let service = transport.service()
        let feeds = [name, other].map { Feed($0, of: service, view: view) }
        try await service.pull(feeds)
        let loading = Task { try await feeds[0].loadMore() }
        await until { transport.seen.count == 2 }
        let pulling = Task { try await service.pull(feeds) }
        await until { transport.seen.count == 3 }
        // Until the pull waits for the rows.
        for _ in 0..<1_000 { await Task.yield() }
        try await feeds[1].refresh()
        transport.release()
        _ = await loading.result
        #expect(try await pulling.value.isEmpty)
        for feed in feeds { #expect(await ids(feed) == ["0"]) }
        #expect(await feeds[1].copy.token == token)
    }
}
