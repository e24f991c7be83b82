import FeedModel
import Foundation
import Observation
import Synchronization
import TestSupport
import Testing

@testable import FeedClient

/// Feeds as a user interface shows them.
@Suite(.timeLimit(.minutes(2))) @MainActor struct LiveFeeds {
    private struct Story: Decodable, Sendable, Equatable {
        var id: String
        var title: String
    }

    private let name: FeedName
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent(UUID().uuidString)

    init() throws {
        name = try #require(FeedName("news"))
    }

    private static let document = """
        {"title":"Stories","sections":[{"id":"top","title":"Top","index":"T","items":\
        [{"id":"a","title":"First"},{"id":"b","title":7},{"id":"c","title":"Third"}]}]}
        """

    /// Waits until something holds.
    private func until(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    @Test func showItemsSectionsAndThoseThatCannotBeDecoded() async throws {
        let server = try FaultyServer()
        try server.publish("news", document: Self.document)
        let feed = LiveFeed(name, of: try server.service, as: Story.self)
        #expect(feed.isNeverLoaded && feed.sections.isEmpty)
        #expect(await feed.refresh()?.isReplaced == true)
        #expect(feed.title == "Stories")
        #expect(feed.sections.map(\.title) == ["Top"])
        #expect(feed.sections.map(\.indexTitle) == ["T"])
        let rows = feed.sections[0].rows
        #expect(rows.map(\.id) == ["a", "b", "c"])
        #expect(rows.map(\.item?.title) == ["First", nil, "Third"])
        guard case .undecodable("b", _) = rows[1].content else {
            Issue.record("not undecodable")
            return
        }
        guard case .current = feed.freshness else {
            Issue.record("not current")
            return
        }
        #expect(await feed.refresh()?.isUnchanged == true)
        try server.publish("news", document: Self.document.replacing("First", with: "Changed"))
        #expect(await feed.refresh()?.updated == 1)
        #expect(feed.sections[0].rows[0].item == Story(id: "a", title: "Changed"))
        try server.remove("news")
        #expect(await feed.refresh()?.isMissing == true)
        guard case .gone = feed.freshness else {
            Issue.record("\(feed.freshness)")
            return
        }
        #expect(feed.sections[0].rows[0].item == Story(id: "a", title: "Changed"))
        await server.stop()
    }

    /// Who reads what is shown in a loop over the updates sees what each is about.
    @Test func showAnUpdateBeforeItIsTold() async throws {
        let server = try FaultyServer()
        for _ in 0..<10 {
            let feed = LiveFeed(name, of: try server.service, as: Story.self)
            for number in 1...3 {
                let title = "\(number) \(UUID())"
                try server.publish("news", document: Self.document.replacing("First", with: title))
                let shown = Task {
                    for await update in feed.updates {
                        let told = update.copy.snapshot.sections.first?.items.first?.json.bytes
                        if String(decoding: told ?? [], as: UTF8.self).contains(title) { break }
                    }
                    return feed.sections.first?.rows.first?.item?.title
                }
                // Not by what shows the feed, which would take what came itself.
                _ = try await feed.feed.refresh()
                #expect(await shown.value == title)
            }
        }
        await server.stop()
    }

    @Test func endTheLoopsOverTheirUpdatesWithTheirTasks() async throws {
        let server = FeedClient.InMemoryServer()
        let feed = LiveFeed(name, of: server.service(), as: Story.self)
        for updates in [feed.updates, feed.feed.updates()] {
            let reading = Task { for await _ in updates {} }
            reading.cancel()
            await reading.value
        }
    }

    /// A view of the total alone is not drawn again for another title of an item.
    @Test func tellOfAChangeOnlyThoseWhomItConcerns() async throws {
        let server = FeedClient.InMemoryServer()
        try server.publish(Data(Self.document.utf8), to: name)
        let view = FeedView(limit: 2)
        let feed = LiveFeed(name, of: server.service(), as: Story.self, view: view)
        await feed.refresh()
        let heard = Mutex<Set<String>>([])
        func observe(_ name: String, _ read: () -> Void) {
            withObservationTracking(read) { heard.withLock { _ = $0.insert(name) } }
        }
        observe("total") { _ = feed.total }
        observe("more") { _ = feed.hasMore }
        observe("token") { _ = feed.token }
        observe("sections") { _ = feed.sections }
        let changed = Self.document.replacing("First", with: "Changed")
        try server.publish(Data(changed.utf8), to: name)
        await feed.refresh()
        #expect(heard.withLock(\.self) == ["token", "sections"])
        let shorter = changed.replacing(#",{"id":"c","title":"Third"}"#, with: "")
        try server.publish(Data(shorter.utf8), to: name)
        await feed.refresh()
        #expect(feed.total == 2 && !feed.hasMore)
        #expect(heard.withLock(\.self) == ["token", "sections", "total", "more"])
    }

    @Test func showWhatWasKeptBeforeAnyRequest() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try FaultyServer()
        try server.publish("news", document: Self.document)
        let cache = FeedCache(directory: folder)
        let service = FeedService(baseURL: try server.service.baseURL, cache: cache)
        await LiveFeed(name, of: service, as: Story.self).refresh()
        let count = server.handler.seen.count
        let feed = LiveFeed(name, of: service, as: Story.self)
        #expect(feed.sections[0].rows[0].item?.title == "First")
        guard case .cached = feed.freshness else {
            Issue.record("not from the cache")
            return
        }
        #expect(server.handler.seen.count == count)
        await server.stop()
        await feed.refresh()
        #expect(feed.problem != nil)
        #expect(feed.state == .offline)
        #expect(feed.sections[0].rows.count == 3)
        guard case .cached = feed.freshness else {
            Issue.record("not from the cache")
            return
        }
    }

    @Test func whatWasKeptStaysWhileItIsReadAgain() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try FaultyServer()
        let title = String(repeating: "t", count: 60)
        let items = (0..<2_000).map { #"{"id":"\#($0)","title":"\#(title)"}"# }
        try server.publish("news", document: #"{"items":[\#(items.joined(separator: ","))]}"#)
        let cache = FeedCache(directory: folder)
        let service = FeedService(baseURL: try server.service.baseURL, cache: cache)
        await LiveFeed(name, of: service, as: Story.self).refresh()
        await server.stop()
        for _ in 0..<20 {
            let feed = LiveFeed(name, of: service, as: Story.self)
            var isShown = !feed.isNeverLoaded && feed.sections.count == 1
            let isRead = Mutex(false)
            let reading = Task {
                while await feed.feed.freshness == .neverLoaded { await Task.yield() }
                isRead.withLock { $0 = true }
            }
            while !isRead.withLock(\.self) {
                await Task.yield()
                isShown = isShown && !feed.isNeverLoaded && feed.sections.count == 1
            }
            await reading.value
            #expect(isShown)
        }
    }

    @Test func oneRequestServesAllAndACancelledCallerLeavesAtOnce() async throws {
        let snapshot = """
            {"kind":"snapshot","feed":"news","token":"q7x2m5kd.1","count":0,"order":"00000000",\
            "sections":[]}
            """
        let transport = ScriptedTransport(.held(.response(200, [:], snapshot)))
        let feed = LiveFeed(name, of: transport.service(), as: Story.self)
        let first = Task { await feed.refresh() }
        let second = Task { await feed.refresh() }
        await until { transport.seen.count == 1 }
        first.cancel()
        #expect(await first.value == nil)
        #expect(feed.problem == nil)
        #expect(feed.state == .refreshing)
        transport.release()
        #expect(await second.value?.isReplaced == true)
        #expect(transport.seen.count == 1)
        #expect(feed.problem == nil && feed.state == .idle)
    }

    @Test func aDeadlineEndsTheWaitingAndKeepsWhatArrivesLater() async throws {
        let snapshot = """
            {"kind":"snapshot","feed":"news","token":"q7x2m5kd.1","title":"Late","count":0,\
            "order":"00000000","sections":[]}
            """
        let transport = ScriptedTransport(.held(.response(200, [:], snapshot)))
        let feed = LiveFeed(name, of: transport.service(), as: Story.self)
        #expect(await feed.refresh(deadline: .now + .milliseconds(20)) == nil)
        transport.release()
        await until { feed.title == "Late" }
        #expect(feed.problem == nil)
    }

    @Test func areFollowedUntilTheTaskIsCancelled() async throws {
        let server = try FaultyServer()
        try server.publish("news", "a")
        let feed = LiveFeed(name, of: try server.service, as: Story.self)
        let following = Task { await feed.follow() }
        await until { feed.state == .live }
        try server.publish("news", "b", "a")
        await until { feed.sections.first?.rows.count == 2 }
        following.cancel()
        await following.value
        await until { feed.state == .idle }
        #expect(feed.problem == nil)
        await server.stop()
    }

    @Test func areNotFollowedWhileTheAppIsSuspendedAndAskFirstAfterwards() async throws {
        let server = try FaultyServer()
        try server.publish("news", "a")
        let service = try server.service
        let feed = LiveFeed(name, of: service, as: Story.self)
        let following = Task { await feed.follow() }
        await until { feed.state == .live }
        var conditions = NetworkConditions()
        conditions.isSuspended = true
        service.networkChanged(to: conditions)
        await until { feed.state == .idle }
        try server.publish("news", "b", "a")
        let count = server.handler.seen.count
        conditions.isSuspended = false
        service.networkChanged(to: conditions)
        await until { feed.sections.first?.rows.count == 2 }
        #expect(server.handler.seen[count].hasPrefix("/feeds/news?since="))
        following.cancel()
        await following.value
        await server.stop()
    }

    @Test func tablesAreUpdatedOneStepAfterTheOther() async throws {
        let server = try FaultyServer()
        try server.publish("news", "a", "b")
        let feed = Feed(name, of: try server.service)
        try await feed.refresh()
        var updates = feed.tableUpdates().makeAsyncIterator()
        let first = try #require(await updates.next())
        #expect(first.operations == .reload)
        try server.publish("news", "b", "n", "a")
        try await feed.refresh()
        try server.publish("news", "n", "a")
        try await feed.refresh()
        let second = try #require(await updates.next())
        var table = TableRules(first.snapshot)
        try table.begin(second)
        #expect(table.sections[0].rows.map(\.id) == ["n", "a"])
        await server.stop()
    }
}
