import FeedModel
import FeedStore
import HTTPServer
import HTTPWire
import StoreModel
import TestSupport
import Testing

@testable import FeedAPI

/// docs/READING.md, "Streams": very many.
@Suite(.timeLimit(.minutes(2))) struct FollowingMany {
    private static let one = #"{"items":[{"id":"a","n":1},{"id":"b"},{"id":"c"},{"id":"d"}]}"#
    private static let two = #"{"items":[{"id":"a","n":2},{"id":"b"},{"id":"c"},{"id":"d"}]}"#
    private static let key =
        "Authorization: Bearer \(API.key)\r\nContent-Type: application/json\r\n"

    private func withServer(
        _ configure: (inout APIConfiguration) -> Void = { _ in },
        _ body: (LiveAPI, Int) async throws -> Void
    ) async throws {
        let live = try LiveAPI(configure)
        let server = try HTTPServer(host: "127.0.0.1", port: 0, loops: 2, handler: live.api)
        server.start()
        do {
            try await body(live, server.port)
        } catch {
            await server.stopped(within: .zero)
            throw error
        }
        await server.stopped(within: .zero)
    }

    private func remove(_ feed: String, from live: LiveAPI) throws {
        _ = live.api.store.remove(try #require(FeedName(feed))) { _ in }
    }

    /// The next event's name, feed and id.
    private func next(_ events: EventReader) throws -> String {
        let event = try events.next()
        let feed = event.data["feed"]?.string ?? event.data["feeds"]?.int.map(String.init) ?? ""
        return "\(event.name) \(feed) \(event.id ?? "-")"
    }

    @Test(arguments: ["", "Accept-Encoding: gzip\r\n", "Accept-Encoding: deflate\r\n"])
    func whatMatchesIsFollowed(_ coding: String) async throws {
        try await withServer { live, port in
            let old = try live.put("sports-1", Self.one)
            let new = try live.put("sports-1", Self.two)
            let same = try live.put("sports-2", Self.one)
            let other = try live.put("sports-3", Self.one)
            try live.put("news", Self.one)
            let events = try EventReader(
                port,
                "/events",
                Self.key + coding,
                body: """
                    {"feeds": {"sports-1": "\(old)", "sports-2": "\(same)", "gone": "\(old)",
                    "never": null, "No Name": "\(old)"}, "match": ["sports-*"]}
                    """
            )
            #expect(events.head["content-type"] == "text/event-stream")
            #expect(try next(events) == "missing No Name ")
            #expect(try next(events) == "missing gone ")
            #expect(try next(events) == "changes sports-1 sports-1@\(new)")
            #expect(try next(events) == "snapshot sports-3 sports-3@\(other)")
            #expect(try next(events) == "ready 3 -")
            // What comes to be and fits is followed, by its name or by a pattern.
            try live.put("news", Self.two)
            let never = try live.put("never", Self.one)
            #expect(try next(events) == "snapshot never never@\(never)")
            let fourth = try live.put("sports-4", Self.one)
            #expect(try next(events) == "snapshot sports-4 sports-4@\(fourth)")
            for feed in ["sports-4", "never"] {
                try remove(feed, from: live)
                #expect(try next(events) == "missing \(feed) ")
            }
            try live.put("never-2", Self.one)
            let again = try live.put("never", Self.one)
            #expect(try next(events) == "snapshot never never@\(again)")
        }
    }

    @Test func aFewNeedNoRightToFollow() async throws {
        try await withServer { live, port in
            let news = try live.put("news", Self.one)
            let events = try EventReader(
                port,
                "/events?limit=1&as=changes",
                "Content-Type: application/json\r\nLast-Event-ID: news@\(news)\r\n",
                body: #"{"feeds": {"news": null, "gone": null}}"#
            )
            let first = try events.next()
            #expect(first.name == "snapshot")
            #expect(first.data["count"] == 1)
            #expect(first.data["total"] == 4)
            #expect(try next(events) == "ready 1 -")
        }
    }

    @Test func changesOfRightsCountWhileItRuns() async throws {
        try await withServer { live, port in
            let a = try live.put("a", Self.one)
            let b = try live.put("b", Self.one)
            let events = try EventReader(port, "/events", Self.key, body: #"{"match": ["*"]}"#)
            #expect(try next(events) == "snapshot a a@\(a)")
            #expect(try next(events) == "snapshot b b@\(b)")
            #expect(try next(events) == "ready 2 -")
            var less = APIConfiguration()
            less.keys = [AccessKey(API.key, follow: [try #require(FeedPattern("b"))])]
            var api = live.api.reconfigured(less)
            // Everyone may read it, and this key may not follow it.
            #expect(try next(events) == "missing a ")
            try live.put("a", Self.two)
            let b2 = try live.put("b", Self.two)
            #expect(try next(events) == "changes b b@\(b2)")
            api = api.reconfigured(APIConfiguration())
            #expect(try events.isWholeAtTheEnd())
            withExtendedLifetime(api) {}
        }
    }

    private static let many =
        #"{"feeds":{"# + (0..<101).map { "\"f\($0)\":null" }.joined(separator: ",") + "}}"

    /// Who may follow nothing any more is told so when it asks again, and not that all feeds are
    /// gone.
    @Test func aStreamEndsWhenItsKeyMayFollowNothingAnyMore() async throws {
        try await withServer { live, port in
            let token = try live.put("sports-1", Self.one)
            let events = try EventReader(port, "/events", Self.key, body: #"{"match":["*"]}"#)
            #expect(try next(events) == "snapshot sports-1 sports-1@\(token)")
            #expect(try next(events) == "ready 1 -")
            var configuration = APIConfiguration()
            configuration.keys = [AccessKey(API.key, read: [.all], write: [.all])]
            let api = live.api.reconfigured(configuration)
            #expect(try events.isWholeAtTheEnd())
            withExtendedLifetime(api) {}
        }
    }

    @Test(arguments: [
        ("", "{", 400), ("", "[]", 400), ("", "{}", 400), ("", #"{"feeds":{}}"#, 400),
        ("", #"{"feeds":{"a":1}}"#, 400), ("", #"{"feeds":{"a":"x"}}"#, 400),
        ("", #"{"feeds":{"a":null,"a":null}}"#, 400), ("", #"{"feed":{"a":null}}"#, 400),
        ("", #"{"feeds":["a"]}"#, 400), ("", #"{"match":"*"}"#, 400),
        ("", #"{"match":["*"]}"#, 401), ("", many, 401), ("reader", #"{"match":["*"]}"#, 403),
        ("reader", many, 403), ("none", #"{"feeds":{"a":null}}"#, 401),
        ("all", #"{"match":["A"]}"#, 400), ("all", #"{"match":[1]}"#, 400),
        ("reader", #"{"feeds":{"a":"# + String(repeating: " ", count: 65_536) + "null}}", 413),
        (
            "all",
            #"{"feeds":{"# + (0..<100_001).map { "\"f\($0)\":null" }.joined(separator: ",") + "}}",
            413
        ),
        ("all", "[0" + String(repeating: ",0", count: 101_000) + "]", 413),
        ("all", #"{"match":["a""# + String(repeating: #","a""#, count: 1000) + "]}", 413),
    ])
    func whatCannotBeFollowedIsRefused(
        _ key: String,
        _ body: String,
        _ status: Int
    ) async throws {
        let live = try LiveAPI {
            $0.keys = [AccessKey("all"), AccessKey("reader", read: [.all], write: [.all])]
        }
        var headers = [("Content-Type", "application/json")]
        if !key.isEmpty { headers.append(("Authorization", "Bearer " + key)) }
        let answer = try await live.server.send(
            "POST",
            "/events",
            headers: headers,
            body: Array(body.utf8)
        )
        #expect(answer.status == status, "\(answer.text.prefix(200))")
        #expect(answer["Content-Type"] == "application/problem+json")
        if status == 400, !body.hasPrefix("{}"), !body.contains("{}") {
            #expect(answer.json["pointer"] != nil)
        }
    }

    @Test(arguments: [
        (#"{"feeds":{"a":null,"No Name":"x"}}"#, "/feeds/No Name"),
        (#"{"feeds":{"a":1}}"#, "/feeds/a"), (#"{"feeds":{"a":{"b":{}}}}"#, "/feeds/a"),
        (#"{"feeds":["a"]}"#, "/feeds"), (#"{"match":["a*",{}]}"#, "/match/1"),
        (#"{"match":["a*", "B"]}"#, "/match/1"), (#"{"feeds":{"a":null},"x":[]}"#, "/x"),
    ])
    func aFaultIsNamedWithItsPlace(_ body: String, _ pointer: String) throws {
        do throws(Problem) {
            _ = try FeedSelection(parsing: Array(body.utf8), Presentation())
            Issue.record("taken: \(body)")
        } catch {
            #expect(error.place?.pointer == pointer)
        }
    }

    @Test func anotherMediaTypeIsRefused() async throws {
        let answer = try await LiveAPI().server.send(
            "POST",
            "/events",
            headers: [("Content-Type", "text/plain")],
            body: Array("{}".utf8)
        )
        #expect(answer.status == 415)
        #expect(answer["Accept"] == "application/json")
    }

    /// A reader that is further behind than changes are known looks at all feeds again.
    @Test func whoIsFarBehindMissesNothing() async throws {
        let store = FeedStore()
        var configuration = APIConfiguration()
        configuration.keys = [AccessKey(API.key)]
        let api = FeedAPI(store: store, configuration: configuration)
        let request = try FeedSelection(parsing: Array(#"{"match":["*"]}"#.utf8), Presentation())
        let caller = AccessKey(API.key)
        let stream = FollowStream(request, caller, for: .local, of: api, in: .identity)
        func events() -> [String] { stream.eventsAtHand().map(\.name) }
        #expect(events() == ["ready"])
        let feed = try #require(FeedName("news"))
        let other = try #require(FeedName("other"))
        _ = store.publishInMemory(other) { _ in Snapshot() }
        // One that comes and goes is compared with nothing: there are very many changes.
        for _ in 0..<ChangeLog.countLimit / 2 {
            _ = store.publishInMemory(feed) { _ in Snapshot() }
            _ = store.remove(feed) { _ in }
        }
        _ = store.publishInMemory(feed) { _ in Snapshot() }
        #expect(api.service.changes.end > ChangeLog.countLimit)
        #expect(events() == ["snapshot", "snapshot"])
        #expect(events() == [])
    }

    @Test func whatIsKeptOfAFeedIsSmall() throws {
        var feeds = FollowedFeeds([])
        #expect(FollowedFeeds.stride == 40)
        let token = try #require(Token("q7x2m5kd.999999999999999999"))
        let name = try #require(FeedName("news"))
        feeds.sent(token, of: name)
        #expect(feeds[name]?.token == token)
        feeds.trim()
        #expect(feeds[name]?.token == token)
        feeds.sent(nil, of: name)
        #expect(feeds[name] == nil)
    }

    /// However long the patterns are, others have their turn in between.
    @Test(arguments: [
        ["none-*"], ["*0*"], (0..<1000).map { "none-*-\($0)-" + String(repeating: "x", count: 40) },
        [],
    ])
    func aLookAtAllFeedsIsManyShortOnes(_ texts: [String]) throws {
        let live = try LiveAPI { _ in }
        let names = (0..<1200).map { "feed-\($0)" }
        for name in names { try live.put(name, Self.one) }
        let patterns = try texts.map { try #require(FeedPattern($0)) }
        let listed = try ["feed-7", "gone"].map { try #require(FeedName($0)) }
        let known = FollowedFeeds(listed.map { ($0, nil) })
        var scan = FollowScan()
        var found: [String] = []
        var turns = 0
        while !scan.isAtEnd {
            let count = patterns.namesPerTurn
            if let name = scan.next(known, patterns, atMost: count, live.api.store) {
                found.append(name.rawValue)
                scan.passed()
            } else if !scan.isAtEnd {
                turns += 1
            }
        }
        let wanted = names.sorted().filter { $0 != "feed-7" && patterns.names($0.utf8.span) }
        #expect(found == ["feed-7", "gone"] + wanted)
        let pieces = (names.count + 255) / 256
        #expect(turns + found.count >= (texts.isEmpty ? 1 : pieces))
        if texts.count == 1000 { #expect(patterns.namesPerTurn == 1) }
    }
}
