import FeedModel
import Foundation
import TestSupport
import Testing

@testable import FeedClient

/// The first rows of feeds, which are kept apart.
@Suite(.timeLimit(.minutes(2))) struct FeedBeginnings {
    private struct Story: Codable, Sendable {
        var id: String
        var text: String
    }

    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent(UUID().uuidString)
    private let name: FeedName
    private let server = FeedClient.InMemoryServer()

    init() throws { name = try #require(FeedName("news")) }

    private var cache: FeedCache { FeedCache(directory: folder) }

    private static func stories(_ count: Int, byteCount: Int = 100) -> [Story] {
        let text = String(repeating: "x", count: byteCount)
        return (0..<count).map { Story(id: "story-\($0)", text: text) }
    }

    private func remove() { try? FileManager.default.removeItem(at: folder) }

    private func files(_ service: FeedService) throws -> CachedFeed {
        try #require(service.cached(name, FeedView()))
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test(arguments: [(5_000, 100, 32), (100, 100, 32), (200, 2_000, 17), (10, 100_000, 1)])
    @MainActor func areThereAtOnceAndTheRestSoonAfter(
        count: Int,
        byteCount: Int,
        first: Int
    ) async throws {
        defer { remove() }
        try server.replace(name, withItems: Self.stories(count, byteCount: byteCount))
        let service = server.service(cache: cache)
        await LiveFeed(name, of: service, as: Story.self).refresh()
        let feed = LiveFeed(name, of: service, as: Story.self)
        guard case .cached = feed.freshness else {
            Issue.record("not from the cache")
            return
        }
        let section = try #require(feed.sections.first)
        #expect(section.rows.map(\.id) == (0..<first).map { "story-\($0)" })
        #expect(section.count == count)
        #expect(feed.total == count)
        while feed.sections.first?.rows.count != count { await Task.yield() }
        #expect(feed.total == nil)
        #expect(await feed.refresh()?.isUnchanged == true)
    }

    /// What a short feed's object has read at once is not read again.
    @Test @MainActor func areNotReadTwice() async throws {
        defer { remove() }
        try server.replace(name, withItems: Self.stories(20))
        let service = server.service(cache: cache)
        await LiveFeed(name, of: service, as: Story.self).refresh()
        let feed = LiveFeed(name, of: service, as: Story.self)
        try files(service).removeAll()
        for await update in feed.updates where update.copy.token != nil { break }
        #expect(await feed.feed.copy.snapshot.count == 20)
        #expect(await feed.refresh()?.isUnchanged == true)
    }

    /// What was read before a person signed out is not taken after it.
    @Test @MainActor func areNotTakenAfterSigningOut() async throws {
        defer { remove() }
        try server.replace(name, withItems: Self.stories(100))
        let service = server.service(cache: cache)
        await LiveFeed(name, of: service, as: Story.self).refresh()
        let feed = Feed(name, of: service)
        let kept = try #require(feed.cached?.readAtOnce())
        try await service.signOut()
        await feed.load(kept.feed)
        #expect(await feed.copy.token == nil)
    }

    /// They are shown for as long as nobody knows that the feed's own file cannot be read; nothing
    /// is asked for that starts from them.
    @Test(arguments: [0, 1, 40, 100, 150, 20_000, 100_000])
    @MainActor func areTakenBackWhereTheRestIsTorn(byteCount: Int) async throws {
        defer { remove() }
        try server.replace(name, withItems: Self.stories(1_000))
        let service = server.service(cache: cache)
        await LiveFeed(name, of: service, as: Story.self).refresh()
        let url = try files(service).url(.content)
        let whole = try Data(contentsOf: url)
        var torn = whole
        torn[byteCount] ^= 4
        for file in [whole.prefix(max(byteCount, CachedFeed.immediateByteLimit + 1)), torn] {
            try file.write(to: url)
            let feed = LiveFeed(name, of: service, as: Story.self)
            #expect(feed.rowCount == 32)
            while !feed.isNeverLoaded { await Task.yield() }
            #expect(feed.sections.isEmpty && feed.token == nil && feed.title == nil)
            server.fail(.offline)
            #expect(await feed.refresh() == nil)
            #expect(feed.isNeverLoaded && feed.sections.isEmpty)
            server.recover()
            #expect(await feed.refresh()?.isReplaced == true)
            #expect(feed.rowCount == 1_000)
            #expect(server.requests.last?.target.contains("since") == false)
        }
    }

    /// A row that is read as the place of the reader's does not take them back.
    @Test @MainActor func stayUntilTheRestIsRead() async throws {
        defer { remove() }
        try server.replace(name, withItems: Self.stories(1_000))
        let service = server.service(cache: cache)
        await LiveFeed(name, of: service, as: Story.self).refresh()
        let feed = LiveFeed(name, of: service, as: Story.self)
        await feed.readerIs(at: "story-3")
        #expect(!feed.isNeverLoaded && feed.rowCount >= 32)
        while feed.rowCount != 1_000 { await Task.yield() }
    }

    @Test func shortFeedsHaveNone() async throws {
        defer { remove() }
        let service = server.service(cache: cache)
        for (count, fileCount) in [(20, 1), (5_000, 2), (20, 1), (100, 2)] {
            try server.replace(name, withItems: Self.stories(count))
            await Feed(name, of: service).load()
            _ = try await Feed(name, of: service).refresh()
            #expect(try files().count == fileCount)
            #expect(try files(service).readAtOnce()?.isAll == (fileCount == 1))
            try files(service).removeAll()
            #expect(try files().isEmpty)
        }
        try await service.signOut()
        #expect(try files().isEmpty)
    }

    /// Whatever changes, they are what the feed begins with, and say how many rows there will be.
    @Test(arguments: 0..<UInt64(3))
    func followTheFeed(seed: UInt64) async throws {
        defer { remove() }
        var random = SeededGenerator(seed: seed)
        var stories = Self.stories(800)
        let service = server.service(cache: cache)
        let feed = Feed(name, of: service)
        for step in 0..<40 {
            let place = Int.random(in: 0..<(step % 2 == 0 ? 250 : stories.count), using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: stories.remove(at: place)
            case 1: stories.insert(Story(id: "new-\(step)", text: "new"), at: place)
            case 2: stories[place].text += "!"
            default: stories.append(stories.remove(at: place))
            }
            try server.replace(name, withItems: stories)
            _ = try await feed.refresh()
            let kept = try #require(try files(service).readAtOnce())
            #expect(!kept.isAll)
            let rows = kept.feed.copy.snapshot.sections.flatMap { Array($0.items) }
            let copy = await feed.copy
            let expected = copy.snapshot.sections.flatMap { Array($0.items.prefix(32)) }
            #expect(rows == expected)
            #expect(kept.feed.copy.count(ofSection: "main") == copy.snapshot.count)
        }
    }

    /// What is torn, changed or another's is as none; the feed itself is there all the same.
    @Test func damagedOnesAreAsNone() async throws {
        defer { remove() }
        try server.replace(name, withItems: Self.stories(4_000))
        let service = server.service(cache: cache)
        _ = try await Feed(name, of: service).refresh()
        let cached = try files(service)
        let url = cached.url(.beginning)
        let whole = try Data(contentsOf: url)
        var random = SeededGenerator(seed: 1)
        let places =
            Array(0..<150)
            + (0..<150).map { _ in Int.random(in: 150..<whole.count, using: &random) }
        for place in places {
            try whole.prefix(place).write(to: url)
            #expect(cached.readAtOnce() == nil)
            var changed = whole
            changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            try changed.write(to: url)
            let found = cached.readAtOnce()?.feed.copy
            // The last byte only ends the line, and the record's token is said twice.
            #expect(found == nil || found?.snapshot.count == 32)
            if let found {
                #expect(found.snapshot.sections.first?.items.first?.id == "story-0")
            }
        }
        #expect(cached.read()?.copy.snapshot.count == 4_000)
        try whole.write(to: url)
        #expect(cached.readAtOnce()?.feed.copy.snapshot.count == 32)
        // Without the feed's own file they are nothing.
        try FileManager.default.removeItem(at: cached.url(.content))
        #expect(cached.readAtOnce() == nil)
    }
}
