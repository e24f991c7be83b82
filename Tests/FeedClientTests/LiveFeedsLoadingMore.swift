import FeedClient
import FeedModel
import Foundation
import Stories
import Testing

/// Long feeds as a user interface shows them.
@Suite(.timeLimit(.minutes(2))) @MainActor struct LiveFeedsLoadingMore {
    private let server = InMemoryServer()
    private let name: FeedName

    init() throws {
        name = try #require(FeedName("news"))
        try publish(0..<7)
    }

    private func publish(_ ids: some Sequence<Int>) throws {
        try server.replace(name, withItems: ids.map { Story(id: "\($0)", title: "Story \($0)") })
    }

    private func until(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    private func ids(_ feed: LiveFeed<Story>) -> [String] {
        feed.sections.flatMap { $0.rows.map(\.id) }
    }

    @Test func showWhetherThereIsMoreAndWhatBecomesOfIt() async throws {
        let service = server.service()
        let stories = LiveFeed(name, of: service, as: Story.self, view: FeedView(limit: 3))
        #expect(!stories.hasMore && stories.rowCount == 0)
        await stories.refresh()
        #expect(stories.hasMore && stories.rowCount == 3 && stories.total == 7)
        server.hold()
        let loading = Task { await stories.loadMore() }
        await until { stories.loadMoreState == .loading }
        #expect(ids(stories) == ["0", "1", "2"])
        server.release()
        await loading.value
        #expect(ids(stories) == (0..<6).map(String.init))
        #expect(stories.hasMore && stories.loadMoreState == .idle)
        #expect(stories.sections[0].count == 7)
        server.fail(.offline)
        await stories.loadMore()
        guard case .problem(.unreachable) = stories.loadMoreState else {
            Issue.record("\(stories.loadMoreState)")
            return
        }
        #expect(stories.problem == nil)
        server.recover()
        await stories.loadMore()
        #expect(!stories.hasMore && stories.rowCount == 7)
        #expect(stories.loadMoreState == .idle)
    }

    @Test func goOnWithAllRowsWhileTheyAreFollowed() async throws {
        let service = server.service()
        let stories = LiveFeed(name, of: service, as: Story.self, view: FeedView(limit: 2))
        let following = Task { await stories.follow() }
        await until { stories.state == .live }
        for count in [4, 6] {
            await stories.loadMore()
            #expect(stories.rowCount == count)
            try publish([count * 10] + (0..<7))
            await until { ids(stories).first == "\(count * 10)" }
            #expect(stories.rowCount == count && stories.hasMore)
        }
        await stories.loadMore()
        #expect(ids(stories) == ["60"] + (0..<7).map(String.init))
        #expect(!stories.hasMore)
        following.cancel()
        await following.value
    }

    @Test func startWithAllRowsThatWereLoaded() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let service = server.service(cache: FeedCache(directory: folder))
        let old = LiveFeed(name, of: service, as: Story.self, view: FeedView(limit: 2))
        await old.refresh()
        await old.loadMore(4)
        let count = server.requests.count
        let stories = LiveFeed(name, of: service, as: Story.self, view: FeedView(limit: 2))
        #expect(ids(stories) == (0..<6).map(String.init))
        #expect(stories.hasMore && stories.total == 7)
        #expect(server.requests.count == count)
        await stories.loadMore()
        #expect(stories.rowCount == 7 && !stories.hasMore)
        #expect(server.requests.count == count + 1)
    }

    @Test func tablesGetTheRowsAsOneUpdate() async throws {
        let feed = Feed(name, of: server.service(), view: FeedView(limit: 3))
        try await feed.refresh()
        var updates = feed.tableUpdates().makeAsyncIterator()
        #expect(await updates.next()?.operations == .reload)
        try await feed.loadMore()
        let update = try #require(await updates.next())
        guard case .batch(let batch) = update.operations else {
            Issue.record("a reload")
            return
        }
        #expect(batch.insertedRows == (3..<6).map { IndexPath(indexes: [0, $0]) })
        #expect(batch.count == 3)
        #expect(update.applies(to: [3]))
    }
}
