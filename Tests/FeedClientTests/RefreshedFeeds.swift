import FeedModel
import Foundation
import HTTPServer
import TestSupport
import Testing

@testable import FeedClient

/// Feeds that are refreshed over sockets.
@Suite(.timeLimit(.minutes(2))) struct RefreshedFeeds {
    private func withServer(_ body: (FaultyServer) async throws -> Void) async throws {
        let server = try FaultyServer()
        do {
            try await body(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    @Test func refreshedFeedsTakeWhatIsNew() async throws {
        try await withServer { server in
            try server.publish("news", "a", "b")
            let feed = Feed(try #require(FeedName("news")), of: try server.service)
            guard case .replaced(nil) = try await feed.refresh() else {
                Issue.record("no snapshot")
                return
            }
            let token = try #require(await feed.copy.token)
            guard case .unchanged = try await feed.refresh() else {
                Issue.record("something new")
                return
            }
            try server.publish("news", "b", "a")
            guard case .changes = try await feed.refresh() else {
                Issue.record("no changes")
                return
            }
            #expect(server.handler.seen.last == "/feeds/news?since=\(token)")
            #expect(await feed.state == .idle)
            #expect(await feed.refreshed != nil)
            try server.remove("news")
            guard case .gone = try await feed.refresh() else {
                Issue.record("not gone")
                return
            }
        }
    }

    @Test func refreshedFeedsShareARequestAtTheSameTime() async throws {
        try await withServer { server in
            try server.publish("news", "a")
            let feed = Feed(try #require(FeedName("news")), of: try server.service)
            try await withThrowingTaskGroup { group in
                for _ in 0..<20 { group.addTask { try await feed.refresh() } }
                try await group.waitForAll()
            }
            #expect(server.handler.seen.count < 20)
            #expect(await feed.copy.snapshot.count == 1)
        }
    }

    @Test(arguments: [FeedView(), FeedView(limit: 1)])
    func whatIsHeldIsAskedForByItsTag(_ view: FeedView) async throws {
        try await withServer { server in
            let token = try server.publish("news", "a", "b")
            let feed = Feed(try #require(FeedName("news")), of: try server.service, view: view)
            try await feed.refresh()
            #expect(server.handler.seenConditions == [])
            for _ in 0..<2 {
                guard case .unchanged = try await feed.refresh() else {
                    Issue.record("there was news")
                    return
                }
            }
            #expect(server.handler.seenConditions == ["\"\(token)\"", "\"\(token)\""])
            try server.publish("news", "c", "a")
            if case .unchanged = try await feed.refresh() { Issue.record("there was no news") }
            #expect(await feed.copy.snapshot.sections[0].items.map(\.id).first == "c")
            #expect(await feed.copy.total == (view.limit == nil ? nil : 2))
        }
    }

    @Test func refreshedFeedsWaitForTheNextChange() async throws {
        try await withServer { server in
            try server.publish("news", "a")
            let feed = Feed(try #require(FeedName("news")), of: try server.service)
            try await feed.refresh()
            let waiting = Task { try await feed.wait() }
            while server.handler.seen.last?.contains("wait") != true { await Task.yield() }
            try server.publish("news", "b", "a")
            guard case .changes = try await waiting.value else {
                Issue.record("no changes")
                return
            }
        }
    }

    @Test func refreshedFeedsArePulledTogether() async throws {
        try await withServer { server in
            for name in ["a", "b", "c"] { try server.publish(name, "x") }
            let service = try server.service
            let feeds = try ["a", "b", "c", "none"].map {
                Feed(try #require(FeedName($0)), of: service)
            }
            #expect(try await service.pull(feeds).count == 4)
            try server.publish("b", "y", "x")
            let events = try await service.pull(feeds)
            #expect(events.map(\.feed.name.rawValue) == ["b"])
            #expect(await feeds[1].copy.snapshot.count == 2)
            #expect(server.handler.seen.count == 2)
        }
    }

    @Test func whatWasPulledIsNotSentAgain() async throws {
        try await withServer { server in
            for name in ["a", "b"] { try server.publish(name, "x") }
            let service = try server.service
            let feeds = try ["a", "b"].map { Feed(try #require(FeedName($0)), of: service) }
            try await service.pull(feeds)
            #expect(server.handler.seenConditions == [])
            #expect(try await service.pull(feeds).isEmpty)
            let tag = try #require(server.handler.seenConditions.first)
            #expect(try await service.pull(feeds).isEmpty)
            #expect(server.handler.seenConditions == [tag, tag])
            try server.publish("b", "y", "x")
            #expect(try await service.pull(feeds).map(\.feed.name.rawValue) == ["b"])
            // A copy that another way has brought further is no longer what the tag is about.
            try server.publish("a", "z")
            try await feeds[0].refresh()
            let count = server.handler.seenConditions.count
            #expect(try await service.pull(feeds).isEmpty)
            #expect(server.handler.seenConditions.count == count)
        }
    }

    @Test func keysDoNotFollowARedirectToAnotherServer() async throws {
        try await withServer { first in
            try await withServer { second in
                try second.publish("news", "a")
                first.handler.go(wrong: .redirects(second.server.port))
                let address = try first.service.baseURL
                let service = FeedService(baseURL: address, key: "a-key")
                let feed = Feed(try #require(FeedName("news")), of: service)
                try await feed.refresh()
                #expect(await feed.copy.snapshot.count == 1)
                try second.publish("news", "a", "b")
                for try await event in feed.live() {
                    #expect(event.copy.snapshot.count == 2)
                    break
                }
                #expect(first.handler.seenKeys.contains("Bearer a-key"))
                #expect(second.handler.seenKeys == [])
            }
        }
    }

    @Test func refreshedFeedsSayWhyTheyCouldNotBe() async throws {
        let server = try FaultyServer()
        let feed = Feed(try #require(FeedName("news")), of: try server.service)
        await server.stop()
        let error = await #expect(throws: FeedServiceError.self) { try await feed.refresh() }
        guard case .unreachable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(await feed.state == .offline)
        #expect(await feed.problem != nil)
    }
}
