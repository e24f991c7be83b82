import FeedModel
import Foundation
import Synchronization
import Testing

@testable import FeedClient

/// How feeds stand while several things happen to them at once, without a network.
@Suite(.timeLimit(.minutes(2))) struct FeedStates {
    private let name: FeedName
    private let other: FeedName
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent(UUID().uuidString)

    init() throws {
        name = try #require(FeedName("news"))
        other = try #require(FeedName("other"))
    }

    private static func snapshot(_ version: Int, of feed: String = "news") -> String {
        """
        {"kind":"snapshot","feed":"\(feed)","token":"q7x2m5kd.\(version)","count":0,\
        "order":"00000000","sections":[]}
        """
    }

    private static func event(_ version: Int) -> String {
        "data: \(snapshot(version))\n\n"
    }

    private var timing: FollowTiming {
        var timing = FollowTiming()
        timing.firstRetry = .milliseconds(1)
        timing.longestRetry = .milliseconds(10)
        return timing
    }

    private func until(_ condition: () async -> Bool) async {
        while await !condition() { await Task.yield() }
    }

    private func kept() -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    @Test func aStreamThatIsHeldBackGivesWayToARequestThatWaits() async throws {
        let transport = ScriptedTransport(
            .stream(""),
            .response(200, [:], Self.snapshot(1)),
            .held(.stream(""))
        )
        defer { transport.release() }
        let feed = Feed(name, of: transport.service())
        var timing = timing
        timing.firstByte = .milliseconds(5)
        let following = Task { [timing] in
            for try await _ in feed.service.follow([feed], timing) {}
        }
        await until { await feed.copy.token?.version == 1 }
        following.cancel()
        #expect(transport.seen[0].target.hasPrefix("/events"))
        #expect(transport.seen[1].target.contains("wait="))
        #expect(await feed.problem == nil)
    }

    @Test func aFeedThatIsFollowedSaysThatItIsAwaited() async throws {
        let transport = ScriptedTransport(.stream(""))
        let feed = Feed(name, of: transport.service())
        let following = Task { for try await _ in feed.service.follow([feed], timing) {} }
        await until { transport.seen.count == 1 }
        #expect(await feed.state == .refreshing)
        #expect(await feed.freshness == .neverLoaded)
        following.cancel()
        await until { await feed.state == .idle }
    }

    @Test func whatWorksAgainIsNotOffline() async throws {
        let transport = ScriptedTransport(.failure(.unreachable("no way")))
        let feed = Feed(name, of: transport.service())
        await #expect(throws: FeedServiceError.self) { try await feed.refresh() }
        #expect(await feed.state == .offline)
        _ = try await feed.take(try ServedDocument(parsing: Array(Self.snapshot(1).utf8)))
        #expect(await feed.problem == nil)
        #expect(await feed.state == .idle)
    }

    @Test func anAnswerAfterSigningOutIsNotKept() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let transport = ScriptedTransport(
            .response(200, [:], Self.snapshot(1)),
            .held(.response(200, [:], Self.snapshot(2)))
        )
        let service = transport.service(cache: FeedCache(directory: folder))
        let feed = Feed(name, of: service)
        try await feed.refresh()
        #expect(kept().count == 1)
        let refreshing = Task { try await feed.refresh() }
        await until { transport.seen.count == 2 }
        try await service.signOut()
        transport.release()
        _ = try await refreshing.value
        #expect(kept() == [])
        #expect(await feed.copy.token?.version == 2)
    }

    @Test func anEventAfterSigningOutIsNotKept() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let transport = ScriptedTransport(
            .stream(Self.event(1)),
            // The stream is given up, and what is current is asked for.
            .response(200, [:], Self.snapshot(2))
        )
        let service = transport.service(cache: FeedCache(directory: folder))
        var timing = timing
        timing.reopening = .milliseconds(1)
        var events = service.follow([Feed(name, of: service)], timing).makeAsyncIterator()
        #expect(try await events.next()?.copy.token?.version == 1)
        #expect(kept().count == 1)
        try await service.signOut()
        transport.release()
        #expect(try await events.next()?.copy.token?.version == 2)
        #expect(kept() == [])
    }

    @Test func whatCannotBeAnsweredNowIsToldOf() async throws {
        let ends = ScriptedTransport.Answer.response(
            200,
            ["Content-Type": "text/event-stream"],
            Self.event(1)
        )
        let transport = ScriptedTransport(ends, .response(503), .held(.response(503)))
        let service = transport.service()
        let feed = Feed(name, of: service)
        let failures = Mutex<[FeedServiceError]>([])
        var timing = timing
        timing.reopening = .milliseconds(1)
        let stream = service.follow([feed], timing) { error in
            failures.withLock { $0.append(error) }
        }
        await until { transport.seen.count == 3 }
        #expect(failures.withLock(\.self) == [.unexpected("the server cannot answer now (503)")])
        #expect(await feed.state == .failed)
        #expect(await feed.problem == .unexpected("the server cannot answer now (503)"))
        transport.release()
        withExtendedLifetime(stream) {}
    }

    private struct EndlessKeys: KeyProvider {
        func key(replacing refused: String?) async throws -> String? { "\(refused ?? "key")+" }
    }

    @Test func aServerThatRefusesAllKeysIsNotAskedForEver() async throws {
        let refusal = ScriptedTransport.Answer.response(
            401,
            ["Content-Type": "application/problem+json"],
            #"{"type":"/problems/key","detail":"unknown key"}"#
        )
        let transport = ScriptedTransport(refusal, refusal, refusal, refusal, refusal, refusal)
        let service = transport.service(keys: EndlessKeys())
        var events = service.follow([Feed(name, of: service)], timing).makeAsyncIterator()
        await #expect(
            throws: FeedServiceError.problem(
                status: 401,
                type: "/problems/key",
                detail: "unknown key"
            )
        ) { _ = try await events.next() }
        #expect(transport.seen.count == 4)
    }
}

extension FeedStates {
    @Test func aFeedThatNobodyFollowsAnyMoreIsNotLive() async throws {
        let transport = ScriptedTransport(.stream(Self.event(1)))
        let feed = Feed(name, of: transport.service())
        let following = Task { for try await _ in feed.live() {} }
        await until { await feed.state == .live }
        following.cancel()
        await until { await feed.state != .live }
        #expect(await feed.state == .idle)
        transport.release()
    }

    @Test func stateIsLiveWhileAnyFollowerIs() async throws {
        let transport = ScriptedTransport(.response(200, [:], Self.snapshot(1)))
        let feed = Feed(name, of: transport.service())
        let (first, second) = (UUID(), UUID())
        await feed.followed(.live, by: first)
        await feed.followed(.live, by: second)
        try await feed.refresh()
        #expect(await feed.state == .live)
        await feed.followed(.idle)
        #expect(await feed.state == .live)
        await feed.stoppedFollowing(by: first)
        #expect(await feed.state == .live)
        await #expect(throws: FeedServiceError.self) { try await feed.refresh() }
        #expect(await feed.state == .live)
        await feed.stoppedFollowing(by: second)
        #expect(await feed.state == .idle)
    }

    @Test func anAnswerThatComesAfterTheFirstEventLeavesTheFeedLive() async throws {
        let transport = ScriptedTransport(.held(.response(200, [:], Self.snapshot(1))))
        let feed = Feed(name, of: transport.service())
        let refreshing = Task { try await feed.refresh() }
        await until { transport.seen.count == 1 }
        await feed.followed(.live, by: UUID())
        transport.release()
        _ = try await refreshing.value
        #expect(await feed.state == .live)
    }

    @Test func pullingAndFollowingAskFromWhatIsKept() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let transport = ScriptedTransport(
            .response(200, [:], Self.snapshot(1)),
            .response(304),
            .stream(Self.event(2))
        )
        let service = transport.service(cache: FeedCache(directory: folder))
        try await Feed(name, of: service).refresh()
        try await service.pull([Feed(name, of: service), Feed(other, of: service)])
        #expect(transport.seen.last?.target.contains("news%40q7x2m5kd.1") == true)
        let feed = Feed(name, of: service)
        var events = service.follow([feed], timing).makeAsyncIterator()
        #expect(try await events.next()?.copy.token?.version == 2)
        #expect(transport.seen.last?.target.contains("news%40q7x2m5kd.1") == true)
        transport.release()
    }

    @Test func nothingNewIsTakenOfAllFeedsOfAPull() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let transport = ScriptedTransport(
            .response(200, [:], Self.snapshot(1)),
            .failure(.unreachable("no server")),
            .response(304)
        )
        let cache = FeedCache(directory: folder)
        let service = transport.service(cache: cache)
        try await Feed(name, of: service).refresh()
        let feeds = [Feed(name, of: service), Feed(other, of: service)]
        await #expect(throws: FeedServiceError.self) { try await service.pull(feeds) }
        #expect(await feeds[0].problem == .unreachable("no server"))
        #expect(await feeds[0].state == .offline)
        guard case .cached = await feeds[0].freshness else {
            Issue.record("not from the cache")
            return
        }
        let events = try await service.pull(feeds)
        #expect(events.map(\.feed.name) == [other])
        #expect(await feeds[0].problem == nil)
        #expect(await feeds[0].state == .idle)
        guard case .current = await feeds[0].freshness else {
            Issue.record("not current")
            return
        }
        #expect(await feeds[1].freshness == .missing)
    }
}
