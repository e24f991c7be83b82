import FeedDiff
import FeedModel
import FeedStore
import Foundation
import HTTPServer
import TestSupport
import Testing

@testable import FeedClient

/// Views whose limit grows while others publish, over real connections: held against the server's
/// own view, and shown on a table by UIKit's rules.
@Suite(.timeLimit(.minutes(5))) struct LoadingMoreAtRandom {
    private let name: FeedName
    private let server: FaultyServer

    init() throws {
        name = try #require(FeedName("news"))
        server = try FaultyServer()
    }

    private var timing: FollowTiming {
        var timing = FollowTiming()
        timing.firstRetry = .milliseconds(1)
        timing.longestRetry = .milliseconds(5)
        timing.reopening = .milliseconds(1)
        timing.wait = .seconds(20)
        timing.longestPoll = .milliseconds(1)
        return timing
    }

    private func publish(_ random: inout SeededGenerator, _ number: Int) throws {
        let ids = (0..<60).filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
            .shuffled(using: &random)
        var items = ids.map { #"{"id":"\#($0)","n":\#(number / (1 + $0 % 7))}"# }[...]
        let sections = (0..<4).shuffled(using: &random).prefix(3).map { id in
            let part = items.prefix(Int.random(in: 0...24, using: &random))
            items = items.dropFirst(part.count)
            return #"{"id":"\#(id)","items":[\#(part.joined(separator: ","))]}"#
        }
        let document = #"{"title":"\#(number)","sections":[\#(sections.joined(separator: ","))]}"#
        try server.publish("news", document: document)
    }

    /// Waits until the feed is at the server's version.
    private func catchUp(_ feed: Feed) async throws {
        let version = try #require(server.store.current(name))
        for await update in feed.updates() where update.copy.token == version.token { break }
        let now = feed.view(version.snapshot)
        let copy = await feed.copy
        #expect(TableRules.sections(of: copy.snapshot) == TableRules.sections(of: now.snapshot))
        #expect(copy.total == version.snapshot.count)
        #expect(copy.hasMore == (now.snapshot.count < version.snapshot.count))
        for section in version.snapshot.sections {
            #expect(copy.count(ofSection: section.id) == section.items.count)
        }
    }

    /// Shows a feed on a table, as it comes.
    private func show(_ feed: Feed) async throws -> TableRules {
        var table = TableRules(Snapshot())
        for await update in feed.tableUpdates() {
            try table.begin(update)
            await Task.yield()
            table.end()
            if update.snapshot.members["title"]?.stringValue == "end" { break }
        }
        return table
    }

    @Test(arguments: [nil, .noStreams, .noWaits, .shortStreams(900)] as [FaultyHandler.Fault?])
    func staysWhatTheServerHas(_ fault: FaultyHandler.Fault?) async throws {
        server.handler.go(wrong: fault)
        for seed in 0..<4 {
            var random = SeededGenerator(seed: UInt64(seed))
            try publish(&random, 0)
            let feed = Feed(name, of: try server.service, view: FeedView(limit: 5))
            let table = Task { try await show(feed) }
            let following = Task { [timing] in
                for try await _ in feed.service.follow([feed], timing) {}
            }
            for number in 1..<30 {
                let count = Int.random(in: 1...6, using: &random)
                async let more = feed.loadMore(count)
                async let other = feed.loadMore(2)
                if Bool.random(using: &random) { await Task.yield() }
                try publish(&random, number)
                _ = try await (more, other)
                if Int.random(in: 0..<3, using: &random) == 0 { try await feed.refresh() }
                if Int.random(in: 0..<3, using: &random) == 0 { try await catchUp(feed) }
            }
            try server.publish("news", document: #"{"title":"end","items":[{"id":"last"}]}"#)
            try await catchUp(feed)
            let shown = try await table.value
            let held = await feed.copy.snapshot
            #expect(shown.sections == TableRules.sections(of: held))
            following.cancel()
            _ = await following.result
        }
        await server.stop()
    }

    @Test(arguments: [(CuttingProxy.Ending.closed, 1), (.reset, 7)])
    func survivesAnswersThatEndAfterAnyByte(
        _ ending: CuttingProxy.Ending,
        step: Int
    ) async throws {
        let proxy = CuttingProxy(to: server.server.port)
        let service = FeedService(baseURL: try #require(URL(string: proxy.url)))
        try server.publish("news", "a", "b", "c", "d", "e", "f")
        for byteCount in stride(from: 0, to: .max, by: step) {
            let feed = Feed(name, of: service, view: FeedView(limit: 2))
            try await feed.refresh()
            proxy.cut(after: byteCount, ending, where: "offset=")
            do {
                try await feed.loadMore()
            } catch {
                guard let error = error as? FeedServiceError, case .unreachable = error else {
                    Issue.record("\(error) after \(byteCount) bytes")
                    break
                }
                #expect(await feed.loadMoreState == .problem(error))
                #expect(await feed.copy.snapshot.count == 2, "after \(byteCount) bytes")
                #expect(await feed.problem == nil)
                try await feed.loadMore()
            }
            try await catchUp(feed)
            #expect(feed.view.limit == 4)
            guard proxy.wasCut else {
                #expect(byteCount > 200, "there was something to cut")
                break
            }
        }
        await server.stop()
    }
}
