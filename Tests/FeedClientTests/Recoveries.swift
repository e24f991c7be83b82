import FeedModel
import Foundation
import Testing

@testable import FeedClient

/// What cannot be applied is fetched anew (docs/READING.md, "When the check fails").
@Suite(.timeLimit(.minutes(2))) struct Recoveries {
    private let name: FeedName

    init() throws {
        name = try #require(FeedName("news"))
    }

    private static func snapshot(_ version: Int, of feed: String = "news") -> String {
        """
        {"kind":"snapshot","feed":"\(feed)","token":"q7x2m5kd.\(version)","count":0,\
        "order":"00000000","sections":[]}
        """
    }

    private static func changes(_ changes: String, of feed: String = "news") -> String {
        """
        {"kind":"changes","feed":"\(feed)","since":"q7x2m5kd.1","token":"q7x2m5kd.2",\
        "count":1,"order":"00000000","changes":\(changes)}
        """
    }

    /// Documents of version 2 that lead nowhere from version 1.
    private static let unfit = [
        changes(#"{"items":{"insert":[{"section":"s","index":-1,"item":{"id":"a"}}]}}"#),
        changes(#"{"items":{"insert":[{"section":"s","index":0,"item":{}}]}}"#),
        changes(#"{"items":{"remove":7}}"#), changes("[]"),
        changes(
            #"{"sections":{"insert":[{"index":0,"section":{"id":"s"}}]},"items":{"insert":"#
                + #"[{"section":"s","index":9223372036854775807,"item":{"id":"a"}}]}}"#
        ),
        changes(#"{"sections":{"insert":[{"index":9223372036854775807,"section":{"id":"s"}}]}}"#),
        #"{"kind":"changes","feed":"news","token":"q7x2m5kd.2"}"#,
        #"{"kind":"unchanged","feed":"news","token":"q7x2m5kd.1","count":0,"order":"none"}"#,
        #"{"kind":"delta","feed":"news","token":"q7x2m5kd.2"}"#,
    ]

    @Test(arguments: unfit)
    func ofARefreshBringTheSnapshot(_ document: String) async throws {
        let transport = ScriptedTransport(
            .response(200, [:], Self.snapshot(1)),
            .response(200, [:], document),
            .response(200, [:], Self.snapshot(2))
        )
        let feed = Feed(name, of: transport.service())
        try await feed.refresh()
        guard case .replaced = try await feed.refresh() else {
            Issue.record("not fetched anew")
            return
        }
        #expect(await feed.copy.token?.version == 2)
        #expect(
            transport.seen.map(\.target)
                == ["/feeds/news", "/feeds/news?since=q7x2m5kd.1", "/feeds/news"]
        )
    }

    /// What was held of a version was wrong, and the version stays the same.
    @Test @MainActor func areShownThoughTheVersionIsTheSame() async throws {
        func snapshot(_ id: String) throws -> String {
            let item = try FeedItem(parsing: Array(#"{"id":"\#(id)"}"#.utf8))
            let snapshot = Snapshot(sections: [
                FeedSection(id: "s", members: Members(), items: [item])
            ])
            let order = String(snapshot.order, radix: 16)
            return """
                {"kind":"snapshot","feed":"news","token":"q7x2m5kd.1","count":1,\
                "order":"\(String(repeating: "0", count: 8 - order.count) + order)",\
                "sections":[{"id":"s","count":1,"items":[{"id":"\(id)"}]}]}
                """
        }
        let transport = ScriptedTransport(
            .response(200, [:], try snapshot("a")),
            .response(
                200,
                [:],
                #"{"kind":"unchanged","feed":"news","token":"q7x2m5kd.1","count":1,"#
                    + #""order":"00000000"}"#
            ),
            .response(200, [:], try snapshot("b"))
        )
        let live = LiveFeed(name, of: transport.service(), as: [String: String].self)
        await live.refresh()
        #expect(live.sections.first?.rows.map(\.id) == ["a"])
        await live.refresh()
        #expect(await live.feed.copy.snapshot.sections.first?.items.map(\.id) == ["b"])
        #expect(live.sections.first?.rows.map(\.id) == ["b"])
    }

    @Test func ofAPullAreOfTheFeedAlone() async throws {
        func pull(_ documents: String...) -> String {
            let feeds = zip(["news", "other"], documents).map { #""\#($0)":\#($1)"# }
            return #"{"kind":"pull","feeds":{\#(feeds.joined(separator: ","))}}"#
        }
        let transport = ScriptedTransport(
            .response(200, [:], pull(Self.snapshot(1), Self.snapshot(1, of: "other"))),
            .response(200, [:], pull(Self.changes("[]"), Self.snapshot(2, of: "other"))),
            .response(200, [:], Self.snapshot(2))
        )
        let service = transport.service()
        let feeds = [Feed(name, of: service), Feed(try #require(FeedName("other")), of: service)]
        try await service.pull(feeds)
        #expect(try await service.pull(feeds).count == 2)
        for feed in feeds { #expect(await feed.copy.token?.version == 2) }
        #expect(transport.seen.last?.target == "/feeds/news")
    }

    @Test(arguments: unfit)
    func ofAStreamBringTheSnapshotAndTheStreamAgain(_ document: String) async throws {
        let transport = ScriptedTransport(
            .stream("data: \(Self.snapshot(1))\n\ndata: \(document)\n\n"),
            .response(200, [:], Self.snapshot(2)),
            .stream("data: \(Self.snapshot(3))\n\n")
        )
        let service = transport.service()
        var timing = FollowTiming()
        timing.firstRetry = .milliseconds(1)
        var events = service.follow([Feed(name, of: service)], timing).makeAsyncIterator()
        for version in 1...3 {
            #expect(try await events.next()?.copy.token?.version == version)
        }
        #expect(transport.seen.last?.target == "/events?feed=news%40q7x2m5kd.2")
    }

    @Test func eventsThatAreNotKnownArePassedOver() async throws {
        let transport = ScriptedTransport(
            .stream("event: digest\ndata: [1]\n\ndata: \(Self.snapshot(1))\n\n")
        )
        let service = transport.service()
        var events = service.follow([Feed(name, of: service)]).makeAsyncIterator()
        #expect(try await events.next()?.copy.token?.version == 1)
        #expect(transport.seen.count == 1)
    }

    @Test(arguments: [429, 503])
    func thatAreRefusedForNowAreTriedAgainWhenTheServerSays(_ status: Int) async throws {
        let refusal = ScriptedTransport.Answer.response(status, ["Retry-After": "7"], "busy")
        let transport = ScriptedTransport(
            .stream("data: \(Self.snapshot(1))\n\ndata: \(Self.unfit[0])\n\n"),
            refusal,
            .response(200, [:], Self.unfit[0]),
            refusal
        )
        let service = transport.service()
        let feed = Feed(name, of: service)
        let follower = Follower([feed], service)
        for request in [FollowPlan.RequestKind.stream, .longPoll] {
            let outcome = try await follower.outcome(of: request)
            #expect(outcome == .failed(retryAfter: .seconds(7)))
            #expect(await feed.problem == .unexpected("the server cannot answer now (\(status))"))
            #expect(await feed.state == .failed)
            #expect(await feed.copy.token?.version == 1)
        }
        #expect(transport.seen.count == 4)
    }

    /// RFC 9110 §10.2.3: digits alone, or a date.
    @Test(arguments: ["+7", "-7", "7.5", "soon", ""])
    func aPauseThatIsNoNumberIsIgnored(_ text: String) async throws {
        let service = ScriptedTransport(.response(503, ["Retry-After": text], "busy")).service()
        let outcome = try await Follower([Feed(name, of: service)], service).outcome(of: .longPoll)
        #expect(outcome == .failed(retryAfter: nil))
    }

    @Test func thatBringNothingThatFitsAreAProblem() async throws {
        let transport = ScriptedTransport(
            .response(200, [:], Self.snapshot(1)),
            .response(200, [:], Self.unfit[0]),
            .response(200, [:], Self.unfit[1])
        )
        let feed = Feed(name, of: transport.service())
        try await feed.refresh()
        await #expect(throws: FeedServiceError.self) { try await feed.refresh() }
        #expect(await feed.copy.token?.version == 1)
        #expect(await feed.problem != nil)
        #expect(transport.seen.count == 3)
    }

    /// Servers that know nothing of each other would be asked in turn, as fast as they answer.
    @Test func fromAnotherEpochRestBeforeTheNext() async throws {
        func snapshot(_ epoch: String, _ more: String = "") -> ScriptedTransport.Answer {
            let text = Self.snapshot(1).replacing("q7x2m5kd", with: epoch)
            return .response(200, [:], text.replacing(#""count""#, with: more + #""count""#))
        }
        let transport = ScriptedTransport(
            snapshot("aaaaaaaa"),
            snapshot("bbbbbbbb", #""reason":"epoch","#),
            snapshot("aaaaaaaa", #""reason":"epoch","#),
            snapshot("aaaaaaaa")
        )
        let service = transport.service()
        let feed = Feed(name, of: service)
        try await feed.refresh()
        let follower = Follower([feed], service)
        #expect(try await follower.outcome(of: .longPoll) == .mismatched)
        // A poll rests anyway.
        #expect(try await follower.outcome(of: .poll) == .answered(refreshAfter: nil))
    }

    @Test func thatAreNotAtOnceRestBeforeTheNext() async throws {
        let transport = ScriptedTransport(
            .response(200, [:], Self.snapshot(1)),
            .response(200, [:], Self.unfit[0]),
            .response(200, [:], Self.snapshot(1))
        )
        let service = transport.service()
        let feed = Feed(name, of: service)
        try await feed.refresh()
        #expect(try await Follower([feed], service).outcome(of: .longPoll) == .mismatched)
    }
}
