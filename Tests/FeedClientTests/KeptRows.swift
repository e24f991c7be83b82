import FeedModel
import Foundation
import TestSupport
import Testing

@testable import FeedClient

/// Rows that were loaded later, in the file of a feed whose view has a limit.
@Suite(.timeLimit(.minutes(2))) struct KeptRows {
    private let server = FeedClient.InMemoryServer()
    private let name: FeedName
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent(UUID().uuidString)

    init() throws {
        name = try #require(FeedName("news"))
    }

    /// What is held after a step, and how long the file was then.
    private struct Step: Equatable {
        var byteCount = 0
        var version: Int?
        var sections: [String] = []
        var limit: Int?
        var hasMore = false
    }

    private func publish(_ version: Int) throws {
        let sections = (0..<3).map { section in
            let items = (0..<4).map { #"{"id":"\#(section).\#($0)","n":\#(version / (1 + $0))}"# }
            return #"{"id":"\#(section)","items":[\#(items.joined(separator: ","))]}"#
        }
        let document = #"{"n":\#(version),"sections":[\#(sections.joined(separator: ","))]}"#
        try server.publish(Data(document.utf8), to: name)
    }

    private func feed(_ service: FeedService) -> Feed {
        Feed(name, of: service, view: FeedView(limit: 3))
    }

    private func remove() { try? FileManager.default.removeItem(at: folder) }

    private func step(_ copy: FeedCopy, byteCount: Int) -> Step {
        Step(
            byteCount: byteCount,
            version: copy.token?.version,
            sections: copy.snapshot.sections.map { section in
                section.items.map { String(decoding: $0.json.bytes, as: UTF8.self) }
                    .joined(separator: " ")
            },
            limit: copy.view.limit,
            hasMore: copy.hasMore
        )
    }

    private func url(_ service: FeedService) throws -> URL {
        try #require(feed(service).cached).url(.content)
    }

    @Test func areAddedAndWhatIsWholeIsFoundWhereverTheFileEnds() async throws {
        defer { remove() }
        let service = server.service(cache: FeedCache(directory: folder))
        let feed = feed(service)
        var steps = [Step()]
        var file = Data()
        for round in 0..<4 {
            try publish(round)
            try await feed.refresh()
            if round > 0 { #expect(try Data(contentsOf: url(service)).starts(with: file)) }
            file = try Data(contentsOf: url(service))
            steps.append(step(await feed.copy, byteCount: file.count))
            try await feed.loadMore(2)
            let longer = try Data(contentsOf: url(service))
            #expect(longer.starts(with: file))
            file = longer
            steps.append(step(await feed.copy, byteCount: file.count))
        }
        #expect(steps.last?.limit == 11)
        let current = await feed.copy.token
        for length in 0...file.count {
            try file.prefix(length).write(to: url(service))
            let expected = try #require(steps.last { $0.byteCount <= length })
            let found = feed.cached?.read()?.copy
            let state = found.map { step($0, byteCount: expected.byteCount) } ?? Step()
            #expect(state == expected, "of \(length) bytes")
            // What follows a torn record is found again.
            guard length % 17 == 0 else { continue }
            let restarted = self.feed(service)
            try await restarted.refresh()
            try await restarted.loadMore(1)
            let again = self.feed(service)
            await again.load()
            let (held, kept) = (await restarted.copy, await again.copy)
            #expect(kept.token == current && kept.view == held.view, "of \(length) bytes")
            #expect(self.step(kept, byteCount: 0) == self.step(held, byteCount: 0))
        }
    }

    @Test func thatAreTornAreWrittenAnewByTheNext() async throws {
        defer { remove() }
        let service = server.service(cache: FeedCache(directory: folder))
        try publish(1)
        let feed = feed(service)
        try await feed.refresh()
        try await feed.loadMore(2)
        let file = try Data(contentsOf: url(service))
        try file.dropLast(5).write(to: url(service))
        let next = self.feed(service)
        await next.load()
        #expect(next.view.limit == 3)
        try await next.loadMore(4)
        let last = self.feed(service)
        await last.load()
        #expect(last.view.limit == 7)
        #expect(await last.copy.snapshot.count == 7)
    }

    @Test func ofAnotherProcessThatDoNotFitHideNothing() async throws {
        defer { remove() }
        let service = server.service(cache: FeedCache(directory: folder))
        try publish(1)
        let (feed, other) = (feed(service), feed(service))
        try await feed.refresh()
        try await other.refresh()
        try await feed.loadMore(2)
        // Of another place than where the file ends by now.
        try await other.loadMore(4)
        try await feed.loadMore(3)
        let last = self.feed(service)
        await last.load()
        #expect(await last.copy.snapshot.count == 8)
        #expect(
            await step(last.copy, byteCount: 0).sections == step(feed.copy, byteCount: 0).sections
        )
    }

    /// An app that has loaded more rows, and an extension that has not.
    @Test func ofAnotherProcessWithFewerRowsAreNotStale() async throws {
        defer { remove() }
        let service = server.service(cache: FeedCache(directory: folder))
        try publish(1)
        let (app, other) = (feed(service), feed(service))
        try await app.refresh()
        try await other.refresh()
        try await app.loadMore(5)
        for version in 2..<5 {
            try publish(version)
            try await other.refresh()
            let kept = feed(service)
            await kept.load()
            #expect(
                await step(kept.copy, byteCount: 0).sections
                    == step(other.copy, byteCount: 0).sections
            )
        }
        try await app.refresh()
        try publish(5)
        try await app.refresh()
        let kept = feed(service)
        await kept.load()
        #expect(await step(kept.copy, byteCount: 0) == step(app.copy, byteCount: 0))
    }

    /// However several processes read, write and start anew, what is kept is some version as it
    /// was, and never one before what any of them has kept.
    @Test(arguments: 0..<UInt64(6))
    func ofSeveralProcessesAreThoseOfTheLastVersion(seed: UInt64) async throws {
        defer { remove() }
        var random = SeededGenerator(seed: seed)
        let service = server.service(cache: FeedCache(directory: folder))
        var feeds = (0..<3).map { _ in feed(service) }
        var version = 0
        var last = 0
        for _ in 0..<150 {
            if version == 0 || Int.random(in: 0..<4, using: &random) == 0 {
                version += 1
                try publish(version)
            }
            let process = Int.random(in: 0..<3, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: feeds[process] = feed(service)
            case 1: try await feeds[process].loadMore(Int.random(in: 1..<4, using: &random))
            default: try await feeds[process].refresh()
            }
            guard let held = await feeds[process].copy.token?.version else { continue }
            last = max(last, held)
            let kept = feed(service)
            await kept.load()
            let copy = await kept.copy
            #expect(copy.token?.version == last)
            let rows = copy.snapshot.sections.flatMap { section in
                section.items.map { String(decoding: $0.json.bytes, as: UTF8.self) }
            }
            #expect(rows == Self.rows(last, count: copy.snapshot.count))
        }
    }

    private static func rows(_ version: Int, count: Int) -> [String] {
        (0..<12).prefix(count).map { row in
            let (section, index) = (row / 4, row % 4)
            return #"{"id":"\#(section).\#(index)","n":\#(version / (1 + index))}"#
        }
    }

    private func hasOneRecord(_ url: URL, _ header: String) throws -> Bool {
        guard var file = CacheFile.Reader(url.path, header: header) else { return false }
        return file.next() != nil && file.isWhole
    }

    @Test func ofManyPagesCostAFileOfTheirLength() async throws {
        defer { remove() }
        let service = server.service(cache: FeedCache(directory: folder))
        let text = String(repeating: "x", count: 400)
        try server.replace(name, withItems: (0..<1_000).map { ["id": "\($0)", "text": text] })
        let feed = feed(service)
        try await feed.refresh()
        var (written, isWhole, last) = (0, 0, try Data(contentsOf: url(service)).count)
        while try await feed.loadMore(10) {
            let count = try Data(contentsOf: url(service)).count
            // Written anew, it has one record; otherwise only what was added was written.
            let isAnew = try hasOneRecord(url(service), #require(feed.cached).header)
            written += isAnew ? count : count - last
            isWhole += isAnew ? 1 : 0
            last = count
        }
        #expect(isWhole < 5, "was written anew")
        #expect(written < 3 * last)
    }
}
