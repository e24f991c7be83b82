import FeedFormats
import FeedModel
import FeedStore
import Synchronization
import TestSupport
import Testing

@testable import FeedAPI

/// Feeds for feed readers: `.json`, `.atom`, `.rss`.
@Suite struct FeedFormatsServed {
    private static let writer = AccessKey("writer")
    private static let key = [("Authorization", "Bearer writer")]

    /// The server's time, ten seconds later with each publish.
    private final class Time: Sendable {
        let seconds = Mutex(1000.0)
    }

    private let time = Time()

    private func server(
        publicURL: String? = nil,
        openFeeds: [FeedPattern] = [.all],
        release: String = "",
        store: FeedStore? = nil
    ) -> InMemoryServer {
        let time = time
        let clock = FeedStore.Clock(
            now: { .seconds(time.seconds.withLock { $0 }) },
            wall: { time.seconds.withLock { $0 } }
        )
        var configuration = APIConfiguration()
        configuration.keys = [FeedFormatsServed.writer]
        configuration.publicURL = publicURL
        configuration.openFeeds = openFeeds
        configuration.release = release
        let store = store ?? FeedStore(clock: clock)
        return InMemoryServer(FeedAPI(store: store, configuration: configuration))
    }

    private func put(
        _ server: InMemoryServer,
        _ items: String,
        _ members: String = ""
    ) async throws {
        time.seconds.withLock { $0 += 10 }
        let body = "{\"title\":\"News\",\"items\":[\(items)]\(members)}"
        let response = try await server.send(
            "PUT",
            "/feeds/news",
            headers: FeedFormatsServed.key + [("Content-Type", "application/json")],
            body: Array(body.utf8)
        )
        #expect([200, 201].contains(response.status))
    }

    private static func get(
        _ server: InMemoryServer,
        _ path: String,
        _ headers: [(String, String)] = []
    ) async throws -> TestResponse {
        try await server.send("GET", path, headers: headers, body: [])
    }

    private static let formats = [
        ("json", "application/feed+json"), ("atom", "application/atom+xml; charset=utf-8"),
        ("rss", "application/rss+xml; charset=utf-8"),
    ]

    @Test(arguments: SyndicationFormat.allCases)
    func haveNamesThatEndPathsButNoFeedsName(_ format: SyndicationFormat) {
        let name = "news.\(format.rawValue)"
        let segment = Array(name.utf8)
        for isEncoded in [false, true] {
            let part = TargetPart(range: segment.indices, isEncoded: isEncoded)
            #expect(SyndicationFormat(endOf: part, in: segment.span) == format)
        }
        #expect(FeedName(name) == nil)
    }

    @Test(arguments: formats)
    func areServedWithValidators(_ format: String, _ type: String) async throws {
        let server = server(publicURL: "https://feeds.example")
        try await put(server, "{\"id\":\"a\",\"title\":\"One\"}")
        time.seconds.withLock { $0 += 2 }
        let path = "/feeds/news.\(format)"
        let first = try await FeedFormatsServed.get(server, path)
        #expect(first.status == 200)
        #expect(first["content-type"] == type)
        #expect(first["vary"] == "Accept-Encoding, A-IM")
        #expect(first["last-modified"] != nil)
        #expect(first["refresh-after"] != nil)
        #expect(first.text.contains("One"))
        #expect(first.text.contains("https://feeds.example/feeds/news.\(format)"))
        let tag = try #require(first["etag"])
        #expect(tag.wholeMatch(of: /"[a-z2-7]{8}\.1-[0-9a-f]{8}"/) != nil)
        for condition in [
            ("If-None-Match", tag), ("If-Modified-Since", first["last-modified"] ?? ""),
        ] {
            let second = try await FeedFormatsServed.get(server, path, [condition])
            #expect(second.status == 304)
            #expect(second["etag"] == tag)
            #expect(second.body.isEmpty)
        }
        // A bare token is no tag of theirs.
        let token = tag.prefix { $0 != "-" } + "\""
        let other = try await FeedFormatsServed.get(
            server,
            path,
            [("If-None-Match", String(token))]
        )
        #expect(other.status == 200)
        try await put(server, "{\"id\":\"a\",\"title\":\"Two\"}")
        let third = try await FeedFormatsServed.get(server, path, [("If-None-Match", tag)])
        #expect(third.status == 200)
        #expect(third.text.contains("Two"))
    }

    @Test(arguments: formats)
    func aReaderThatAsksForItGetsWhatIsNew(_ format: String, _ type: String) async throws {
        let server = server()
        try await put(
            server,
            "{\"id\":\"a\",\"title\":\"Old\"},{\"id\":\"b\",\"title\":\"Before\"}"
        )
        let path = "/feeds/news.\(format)"
        let tag = try #require(try await FeedFormatsServed.get(server, path)["etag"])
        try await put(
            server,
            "{\"id\":\"c\",\"title\":\"New\"},{\"id\":\"a\",\"title\":\"Old\"},"
                + "{\"id\":\"b\",\"title\":\"After\"}"
        )
        let token = String(tag.dropFirst().prefix { $0 != "-" })
        for sent in [tag, "W/\(tag)", "\"\(token)\""] {
            let delta = try await FeedFormatsServed.get(
                server,
                path,
                [("A-IM", "feed, gzip"), ("If-None-Match", sent)]
            )
            #expect(delta.status == 226)
            #expect(delta["im"] == "feed")
            #expect(delta["delta-base"] == sent)
            #expect(delta["cache-control"] == "no-store, im")
            #expect(delta["content-type"] == type)
            #expect(delta.text.contains("New") && delta.text.contains("After"))
            #expect(!delta.text.contains("Old") && !delta.text.contains("Before"))
            let whole = try await FeedFormatsServed.get(server, path)
            #expect(delta["etag"] == whole["etag"])
        }
        let plain = try await FeedFormatsServed.get(server, path, [("If-None-Match", tag)])
        #expect(plain.status == 200)
        #expect(plain.text.contains("Old"))
        let unknown = try await FeedFormatsServed.get(
            server,
            path,
            [("A-IM", "feed"), ("If-None-Match", "\"aaaaaaaa.1-00000000\"")]
        )
        #expect(unknown.status == 200)
    }

    @Test(arguments: [
        ("feed", 226), ("x, feed;q=0.5", 226), ("feed;q=0", 200), ("feed ;q=0.00", 200),
        ("feeds", 200),
    ])
    func whatIsNewIsSentToThoseWhoTakeIt(_ manipulations: String, _ status: Int) async throws {
        let server = server()
        try await put(server, "{\"id\":\"a\"}")
        let tag = try #require(try await FeedFormatsServed.get(server, "/feeds/news.atom")["etag"])
        try await put(server, "{\"id\":\"b\"},{\"id\":\"a\"}")
        let answer = try await FeedFormatsServed.get(
            server,
            "/feeds/news.atom",
            [("A-IM", manipulations), ("If-None-Match", tag)]
        )
        #expect(answer.status == status)
        // "The server has fulfilled a GET request" (RFC 3229 §10.4.1).
        let head = try await server.send(
            "HEAD",
            "/feeds/news.atom",
            headers: FeedFormatsServed.key + [("A-IM", manipulations), ("If-None-Match", tag)],
            body: []
        )
        #expect(head.status == 200)
        #expect(head["im"] == nil && head["delta-base"] == nil)
        #expect(head["etag"] == answer["etag"])
    }

    /// The next release may write a document otherwise.
    @Test func anUpgradeChangesTheTags() async throws {
        let store = FeedStore()
        let server = server(release: "1.0.0", store: store)
        try await put(server, "{\"id\":\"a\"}")
        for format in ["atom", "rss", "json"] {
            let path = "/feeds/news.\(format)"
            let tag = try #require(try await FeedFormatsServed.get(server, path)["etag"])
            for (release, status) in [("1.0.0", 304), ("1.0.1", 200)] {
                let next = self.server(release: release, store: store)
                let sent = [("If-None-Match", tag)]
                #expect(try await FeedFormatsServed.get(next, path, sent).status == status)
            }
        }
    }

    /// A cache that stored it would ask with its own tag, and hand what is new since that to a
    /// reader that has less, or nothing.
    @Test(arguments: ["", ",\"maxAge\":60"])
    func noCacheStoresAPageForThoseWhoTakeWhatIsNew(_ members: String) async throws {
        let server = server()
        try await put(server, "{\"id\":\"a\"}", members)
        for format in ["atom", "rss", "json"] {
            let path = "/feeds/news.\(format)"
            let other = try await FeedFormatsServed.get(server, path)
            #expect(other["cache-control"] != "no-store")
            let page = try await FeedFormatsServed.get(server, path, [("A-IM", "feed")])
            #expect(page.status == 200 && page["cache-control"] == "no-store")
            #expect(page["etag"] == other["etag"] && page.body == other.body)
            let same = try await FeedFormatsServed.get(
                server,
                path,
                [("A-IM", "feed"), ("If-None-Match", try #require(page["etag"]))]
            )
            #expect(same.status == 304 && same["cache-control"] == "no-store")
            // No other page is sent in part.
            for (target, manipulations) in [(path, "feed;q=0"), (path + "?limit=1", "feed")] {
                let fields = [("A-IM", manipulations)]
                let whole = try await FeedFormatsServed.get(server, target, fields)
                #expect(whole["cache-control"] == other["cache-control"])
            }
        }
    }

    /// In memory as with a journal: an entry is as old as its item, whatever else changes.
    @Test func entriesHaveTheTimesOfTheirItems() async throws {
        let server = server()
        try await put(server, "{\"id\":\"x\"},{\"id\":\"y\"}")
        try await put(server, "{\"id\":\"x\",\"n\":1},{\"id\":\"y\"}")
        try await put(server, "{\"id\":\"z\"},{\"id\":\"x\",\"n\":1},{\"id\":\"y\"}")
        let feed = try await FeedFormatsServed.get(server, "/feeds/news.json")
        let entries = try #require(feed.json["items"]).list
        let times = entries.map { entry in
            ["date_published", "date_modified"].map { entry[ExactString($0)]?.string ?? "-" }
        }
        #expect(
            times == [
                ["1970-01-01T00:17:10Z", "1970-01-01T00:17:10Z"],
                ["1970-01-01T00:16:50Z", "1970-01-01T00:17:00Z"],
                ["1970-01-01T00:16:50Z", "1970-01-01T00:16:50Z"],
            ]
        )
    }

    /// A date names the bytes that settings made, too: those of before are not current.
    @Test(arguments: formats)
    func datesDoNotOutliveSettings(_ format: String, _ type: String) async throws {
        let time = time
        let clock = FeedStore.Clock(
            now: { .seconds(time.seconds.withLock { $0 }) },
            wall: { time.seconds.withLock { $0 } }
        )
        var configuration = APIConfiguration()
        configuration.keys = [FeedFormatsServed.writer]
        let first = FeedAPI(store: FeedStore(clock: clock), configuration: configuration)
        try await put(InMemoryServer(first), "{\"id\":\"a\",\"title\":\"One\"}")
        time.seconds.withLock { $0 += 2 }
        let path = "/feeds/news.\(format)"
        let before = try await FeedFormatsServed.get(InMemoryServer(first), path)
        let date = try #require(before["last-modified"])
        configuration.publicURL = "https://feeds.example"
        let second = InMemoryServer(first.reconfigured(configuration))
        for _ in 0..<3 {
            let condition = ("If-Modified-Since", date)
            let after = try await FeedFormatsServed.get(second, path, [condition])
            #expect(after.status == 200)
            #expect(after.body != before.body)
            #expect(after["last-modified"] != date)
            time.seconds.withLock { $0 += 1 }
        }
        let later = try #require(try await FeedFormatsServed.get(second, path)["last-modified"])
        let still = try await FeedFormatsServed.get(second, path, [("If-Modified-Since", later)])
        #expect(still.status == 304)
    }

    /// What is published right after the settings came to hold has no date that something before
    /// had.
    @Test(arguments: formats)
    func noDateNamesTwoVersions(_ format: String, _ type: String) async throws {
        let clock = FeedStore.Clock(
            now: { [time] in .seconds(time.seconds.withLock { $0 }) },
            wall: { [time] in time.seconds.withLock { $0 } }
        )
        var configuration = APIConfiguration()
        configuration.keys = [FeedFormatsServed.writer]
        let first = FeedAPI(store: FeedStore(clock: clock), configuration: configuration)
        try await put(InMemoryServer(first), "{\"id\":\"a\",\"title\":\"One\"}")
        configuration.publicURL = "https://feeds.example"
        let second = InMemoryServer(first.reconfigured(configuration))
        var contents: [String: String] = [:]
        for number in 0..<24 {
            let path = "/feeds/news.\(format)"
            let sent = try await FeedFormatsServed.get(second, path)
            if let date = sent["last-modified"] {
                #expect(contents[date, default: sent.text] == sent.text, "step \(number)")
                contents[date] = sent.text
            }
            if number % 2 == 0 {
                time.seconds.withLock { $0 -= 10 }
                try await put(second, "{\"id\":\"a\",\"title\":\"\(number)\"}")
            } else {
                time.seconds.withLock { $0 += number % 4 == 1 ? 3 : 0.5 }
            }
        }
        #expect(contents.count > 1)
    }

    @Test func aFeedThatOneMayNotReadIsNotThere() async throws {
        let server = server(openFeeds: [])
        try await put(server, "{\"id\":\"a\"}")
        let path = "/feeds/news.atom"
        #expect(try await FeedFormatsServed.get(server, path).status == 401)
        let open = try await FeedFormatsServed.get(server, path, FeedFormatsServed.key)
        #expect(open.status == 200)
        #expect(open["vary"]?.contains("Authorization") == true)
        let none = try await FeedFormatsServed.get(
            server,
            "/feeds/none.atom",
            FeedFormatsServed.key
        )
        #expect(none.status == 404)
    }

    @Test func theirNamesTakeNoPublishes() async throws {
        let server = server()
        for method in ["PUT", "DELETE"] {
            let response = try await server.send(
                method,
                "/feeds/news.atom",
                headers: FeedFormatsServed.key,
                body: []
            )
            #expect(response.status == 400)
        }
    }
}
