import FeedDiff
import FeedModel
import FeedStore
import Foundation
import HTTPServer
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedClient

/// Feeds that are followed over sockets, from servers that behave and others.
@Suite(.timeLimit(.minutes(2))) struct FollowedFeeds {
    private typealias Events = AsyncThrowingStream<FeedEvent, any Error>.Iterator

    private var timing: FollowTiming {
        var timing = FollowTiming()
        timing.firstRetry = .milliseconds(1)
        timing.longestRetry = .milliseconds(10)
        timing.wait = .seconds(20)
        timing.shortestHold = .seconds(10)
        timing.longestPoll = .milliseconds(1)
        return timing
    }

    private func follow(
        _ names: [String],
        of service: FeedService,
        view: FeedView = FeedView()
    ) throws -> ([Feed], Events) {
        let feeds = try names.map { Feed(try #require(FeedName($0)), of: service, view: view) }
        return (feeds, service.follow(feeds, timing).makeAsyncIterator())
    }

    private func withServer(
        isOpen: Bool = true,
        _ body: (FaultyServer) async throws -> Void
    ) async throws {
        let server = try FaultyServer(isOpen: isOpen)
        do {
            try await body(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private func next(_ events: inout Events) async throws -> FeedEvent {
        let event = try await events.next(isolation: #isolation)
        return try #require(event)
    }

    /// Takes events until each feed is what the server has.
    private func catchUp(
        _ feeds: [Feed],
        _ events: inout Events,
        with store: FeedStore
    ) async throws {
        for feed in feeds {
            while await feed.copy.token != store.current(feed.name)?.token {
                _ = try await next(&events)
            }
            let copy = await feed.copy
            let version = try #require(store.current(feed.name))
            let encoder = DocumentEncoder(feed: feed.name)
            let held = encoder.snapshot(FeedView()(copy.snapshot), token: version.token)
            let current = encoder.snapshot(feed.view(version.snapshot), token: version.token)
            let (ours, theirs) = (TestJSON(held), TestJSON(current))
            #expect(
                ours?["sections"]?.list.map { $0["items"] }
                    == theirs?["sections"]?.list.map { $0["items"] }
            )
            #expect(ours?["order"] == theirs?["order"])
            #expect(ours?["title"] == theirs?["title"])
        }
    }

    @Test func learnOfChangesAsTheyCome() async throws {
        try await withServer { server in
            try server.publish("news", "a", "b")
            var (feeds, events) = try follow(["news", "later"], of: server.service)
            let first = try await next(&events)
            guard case .replaced(nil) = first.change else {
                Issue.record("\(first.change)")
                return
            }
            #expect(await first.feed.state == .live)
            let missing = try await next(&events)
            guard case .gone = missing.change else {
                Issue.record("\(missing.change)")
                return
            }
            try server.publish("news", "b", "c", "a")
            let second = try await next(&events)
            guard case .changes(let changes) = second.change else {
                Issue.record("\(second.change)")
                return
            }
            #expect(changes.insertedItems.map(\.item.id) == ["c"])
            #expect(second.copy.snapshot.sections[0].items.map(\.id) == ["b", "c", "a"])
            try server.publish("later", "x")
            #expect(try await next(&events).feed === feeds[1])
            try await catchUp(feeds, &events, with: server.store)
            try server.remove("news")
            let gone = try await next(&events)
            #expect(gone.feed === feeds[0])
            #expect(gone.copy.isMissing)
            feeds = []
        }
    }

    @Test(arguments: [
        nil, FaultyHandler.Fault.shortStreams(700), .wrongChanges(5), .noStreams,
    ])
    func followedFeedsAreWhatTheServerHas(_ fault: FaultyHandler.Fault?) async throws {
        try await withServer { server in
            server.handler.go(wrong: fault)
            var random = SeededGenerator(seed: 11)
            let names = ["news", "sports"]
            for name in names { try server.publish(name, "a") }
            var (feeds, events) = try follow(names, of: server.service)
            for number in 0..<60 {
                let ids = (0..<Int.random(in: 0..<12, using: &random)).shuffled(using: &random)
                let items = ids.map {
                    #"{"id":"\#($0)","n":\#(number / (1 + $0)),"t":"long enough"}"#
                }
                let half = items.count / 2
                let document = """
                    {"title":"\(number)","sections":[{"id":"\(number % 3)","items":\
                    [\(items[..<half].joined(separator: ","))]},{"id":"x","items":\
                    [\(items[half...].joined(separator: ","))]}]}
                    """
                let name = try #require(names.randomElement(using: &random))
                try server.publish(name, document: document)
                if number % 4 == 0 { try await catchUp(feeds, &events, with: server.store) }
            }
            try await catchUp(feeds, &events, with: server.store)
        }
    }

    @Test func signingOutEndsWhatWasOpenedWithTheKey() async throws {
        try await withServer(isOpen: false) { server in
            try server.publish("news", "a")
            let address = "http://127.0.0.1:\(server.server.port)"
            let keys = OneKey()
            let service = FeedService(baseURL: try #require(URL(string: address)), keys: keys)
            var (_, events) = try follow(["news"], of: service)
            _ = try await next(&events)
            try await service.signOut()
            await #expect(throws: FeedServiceError.self) {
                while try await events.next(isolation: #isolation) != nil {}
            }
        }
    }

    /// Gives a key once.
    private final class OneKey: KeyProvider {
        private let isGiven = Atomic(false)

        func key(replacing refused: String?) async throws -> String? {
            isGiven.exchange(true, ordering: .relaxed) ? nil : "a-key"
        }
    }

    @Test func aRequestThatWorksEndsTheWaitForTheServer() async throws {
        let server = InMemoryServer()
        let name = try #require(FeedName("news"))
        try server.replace(name, withItems: [["id": "a"]])
        var timing = FollowTiming()
        timing.firstRetry = .seconds(86_400)
        timing.longestRetry = .seconds(86_400)
        let service = server.service()
        let feed = Feed(name, of: service)
        let failed = Event()
        var events = service.follow([feed], timing) { _ in failed.happened() }
            .makeAsyncIterator()
        _ = try await next(&events)
        server.fail(.offline)
        #expect(await failed.awaited())
        server.recover()
        _ = try await feed.refresh()
        try server.replace(name, withItems: [["id": "b"]])
        let event = try await next(&events)
        #expect(event.copy.snapshot.sections.first?.items.map(\.id) == ["b"])
    }

    /// Another feed's answers say nothing of when this one may be asked for again.
    @Test func whatTheServerAskedToWaitForIsWaitedForWhateverElseWorks() async throws {
        let snapshot =
            #"{"kind":"snapshot","feed":"other","token":"q7x2m5kd.1","count":0,"#
            + #""order":"00000000","sections":[]}"#
        let transport = ScriptedTransport(
            .response(503, ["Retry-After": "3600"]),
            .response(200, [:], snapshot),
            .response(503, ["Retry-After": "3600"])
        )
        let service = transport.service()
        let feed = Feed(try #require(FeedName("news")), of: service)
        let other = Feed(try #require(FeedName("other")), of: service)
        let failed = Event()
        let events = service.follow([feed]) { _ in failed.happened() }
        #expect(await failed.awaited())
        // Until the follower waits: what is asked of it then comes after that.
        for _ in 0..<1_000 { await Task.yield() }
        try await other.refresh()
        for _ in 0..<1_000 { await Task.yield() }
        var conditions = NetworkConditions()
        conditions.isConstrained = true
        service.networkChanged(to: conditions)
        #expect(await failed.awaited())
        #expect(
            transport.seen.map(\.target) == ["/events?feed=news", "/feeds/other", "/feeds/news"]
        )
        #expect(transport.remaining == 0)
        withExtendedLifetime(events) {}
    }

    /// Such a stream is one that a proxy blocks, which is no failure of the feed.
    @Test func aStreamThatEndsBeforeItsHeadIsNoProblem() async throws {
        let service = ScriptedTransport(.end).service()
        let feed = Feed(try #require(FeedName("news")), of: service)
        let follower = Follower([feed], service) { Issue.record($0) }
        #expect(try await follower.outcome(of: .stream) == .noStream)
        #expect(await feed.problem == nil)
        #expect(await feed.state == .idle)
    }

    @Test func feedsOfSeveralViewsAreRefused() async throws {
        try await withServer { server in
            let name = try #require(FeedName("news"))
            let service = try server.service
            let feeds = [
                Feed(name, of: service), Feed(name, of: service, view: FeedView(limit: 1)),
            ]
            await #expect(throws: FeedServiceError.self) { try await service.pull(feeds) }
            await #expect(throws: FeedServiceError.self) {
                for try await _ in service.follow(feeds) {}
            }
        }
    }

    @Test func aStreamThatIsThereSaysThatWhatIsHeldIsCurrent() async throws {
        try await withServer { server in
            try server.publish("news", "a")
            var (feeds, events) = try follow(["news"], of: server.service)
            _ = try await next(&events)
            let old = Date(timeIntervalSinceNow: -3600)
            await feeds[0].age(to: old)
            await feeds[0].heard()
            let refreshed = try #require(await feeds[0].refreshed)
            #expect(refreshed > old.addingTimeInterval(3000))
        }
    }

    @Test func followedFeedsAreFollowedThroughARestart() async throws {
        let first = try FaultyServer()
        let old = try first.publish("news", "a", "b", "c")
        var (feeds, events) = try follow(["news"], of: first.service)
        _ = try await next(&events)
        await first.stop()
        // With what it had: only what is new is sent.
        let second = try FaultyServer(first.store, port: first.server.port)
        try second.publish("news", "a", "b", "c", "d")
        let resumed = try await next(&events)
        guard case .changes(let changes) = resumed.change else {
            Issue.record("\(resumed.change)")
            return
        }
        #expect(changes.insertedItems.map(\.item.id) == ["d"])
        #expect(second.handler.seen.allSatisfy { $0 == "/events?feed=news%40\(old)" })
        await second.stop()
        // With nothing: everything is.
        let store = FeedStore()
        let item = try Snapshot(publishing: Array(#"{"items":[{"id":"z"}]}"#.utf8))
        _ = store.publishInMemory(feeds[0].name) { _ in item }
        let third = try FaultyServer(store, port: first.server.port)
        let anew = try await next(&events)
        guard case .replaced("epoch") = anew.change else {
            Issue.record("\(anew.change)")
            return
        }
        try await catchUp(feeds, &events, with: third.store)
        await third.stop()
        feeds = []
    }

    @Test func followedFeedsArePolledWhereNothingElseGetsThrough() async throws {
        try await withServer { server in
            server.handler.go(wrong: .noWaits)
            try server.publish("news", "a")
            var (feeds, events) = try follow(["news"], of: server.service, view: FeedView(limit: 1))
            try await catchUp(feeds, &events, with: server.store)
            let token = try server.publish("news", "d", "a")
            try await catchUp(feeds, &events, with: server.store)
            while server.handler.seen.last != "/feeds/news?since=\(token)&limit=1" {
                await Task.yield()
            }
            try server.publish("news", "e", "d", "a")
            try await catchUp(feeds, &events, with: server.store)
            let seen = server.handler.seen
            #expect(seen.first == "/events?feed=news&limit=1")
            #expect(seen.contains { $0.hasSuffix("&wait=20") })
            #expect(await feeds[0].copy.total == 3)
            feeds = []
        }
    }

    @Test func followedFeedsAreNotAskedForAgainWithoutAKey() async throws {
        try await withServer(isOpen: false) { server in
            var (feeds, events) = try follow(["news"], of: server.service)
            do {
                _ = try await events.next(isolation: #isolation)
                Issue.record("no error")
            } catch FeedServiceError.problem(let status, let type, _) {
                #expect(status == 401)
                #expect(type == "/problems/key")
            }
            #expect(await feeds[0].problem != nil)
            feeds = []
        }
    }
}

extension Feed {
    /// As if the server had said long ago what is current.
    fileprivate func age(to date: Date) { update.freshness = .current(asOf: date) }
}
