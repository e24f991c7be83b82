import FeedModel
import FeedStore
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedAPI

/// docs/PROTOCOL.md, "Many feeds in one request".
@Suite(.bothWays, .timeLimit(.minutes(2))) struct Pulling {
    private static let one = #"{"items":[{"id":"a","n":1}]}"#
    private static let two = #"{"items":[{"id":"a","n":2},{"id":"b"}]}"#

    @Test func eachFeedAnswersAsItWouldAlone() async throws {
        let live = try LiveAPI()
        let old = try live.put("news", Self.one)
        try live.put("news", Self.two)
        let still = try live.put("sports", Self.one)
        try live.put("new", Self.two)
        let answer = try await live.get(
            "/pull?feed=news@\(old)&feed=sports@%22\(still)-gzip%22&feed=new&feed=gone&feed=No!"
        )
        #expect(answer.status == 200)
        #expect(answer["Content-Type"] == "application/json")
        #expect(answer["Vary"] == "Accept-Encoding, Prefer, Authorization")
        #expect(answer["Cache-Control"] == "no-cache")
        let feeds = try #require(answer.json["feeds"])
        #expect(answer.json["kind"] == "pull")
        for (name, query) in [
            ("news", "?since=\(old)"), ("sports", "?since=\(still)"), ("new", ""),
        ] {
            let alone = try await live.get("/feeds/\(name)" + query)
            #expect(feeds[ExactString(name)] == alone.json)
        }
        #expect(feeds["gone"] == ["kind": "missing", "feed": "gone"])
        #expect(feeds["No!"] == ["kind": "missing", "feed": "No!"])
    }

    @Test(arguments: ["gzip", "deflate, gzip;q=0.5", "identity;q=0, gzip"])
    func codedItSaysTheSame(_ coding: String) async throws {
        let live = try LiveAPI()
        var target = "/pull?limit=30"
        for number in 0..<20 {
            let items = (0..<40).map { #"{"id":"\#($0)","text":"the item number \#($0)"}"# }
            try live.put("feed-\(number)", #"{"items":[\#(items.joined(separator: ","))]}"#)
            target += "&feed=feed-\(number)"
        }
        let plain = try await live.get(target)
        for _ in 0..<2 {
            let coded = try await live.get(target, ["Accept-Encoding": coding])
            let name = try #require(coded["Content-Encoding"])
            #expect(coded["ETag"] == plain["ETag"].map { $0.dropLast() + "-\(name)\"" })
            #expect(gunzip(coded.body) == plain.body)
            #expect(coded.body.count < plain.body.count / 4)
        }
    }

    /// What is too short to be worth it is sent as it is; what is short in each feed but not in all
    /// together is compressed.
    @Test(arguments: [(1, false), (40, true)])
    func onlyWhatIsLongTogetherIsCompressed(_ feeds: Int, _ isLong: Bool) async throws {
        let live = try LiveAPI()
        var target = "/pull?feed=none"
        for number in 0..<feeds {
            let old = try live.put("f\(number)", Self.one)
            try live.put("f\(number)", Self.two)
            target += "&feed=f\(number)@\(old)"
        }
        let plain = try await live.get(target)
        let coded = try await live.get(target, ["Accept-Encoding": "gzip"])
        #expect(coded["Content-Encoding"] == (isLong ? "gzip" : nil))
        #expect((isLong ? gunzip(coded.body) : coded.body) == plain.body)
    }

    /// What is asked for may be no name at all, and longer than a block of deflate.
    @Test(arguments: ["identity", "gzip", "deflate"], ["%01", "%22", "x"])
    func whatNoFeedIsCalledIsMissing(_ coding: String, _ letter: String) async throws {
        let live = try LiveAPI()
        let news = try live.put("news", Self.two)
        let name = String(repeating: letter, count: 24_000 / letter.utf8.count)
        let answer = try await live.get(
            "/pull?feed=news&feed=\(name)",
            ["Accept-Encoding": coding]
        )
        #expect(answer.status == 200)
        let isCoded = answer["Content-Encoding"] == "gzip"
        let content = try #require(isCoded ? gunzip(answer.body) : answer.body)
        let feeds = try #require(TestJSON(content)?["feeds"])
        #expect(feeds["news"]?["token"]?.string == "\(news)")
        let missing = try #require(name.removingPercentEncoding)
        #expect(feeds[ExactString(missing)]?["kind"] == "missing")
    }

    /// RFC 9110 §8.4: who asks for a coding wants fewer bytes.
    @Test(arguments: 0..<UInt64(8))
    func noCodingMakesItLonger(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let live = try LiveAPI()
        var target = "/pull?feed=none"
        for number in 0..<Int.random(in: 1...60, using: &random) {
            let old = try live.put("f\(number)", Self.one)
            let isNew = Int.random(in: 0..<10, using: &random) < seed
            let now = isNew ? try live.put("f\(number)", Self.two) : old
            target += "&feed=f\(number)@\(Bool.random(using: &random) ? old : now)"
        }
        for _ in 0..<2 {
            let coded = try await live.get(target, ["Accept-Encoding": "gzip"])
            let plain = try await live.get(target)
            #expect(coded.body.count <= plain.body.count)
            let isCoded = coded["Content-Encoding"] == "gzip"
            #expect((isCoded ? gunzip(coded.body) : coded.body) == plain.body)
            let tag = try #require(coded["ETag"])
            let same = try await live.get(
                target,
                ["Accept-Encoding": "gzip", "If-None-Match": tag]
            )
            #expect(same.status == 304)
            #expect(same["ETag"] == tag)
        }
    }

    @Test func oneTagSaysThatNothingIsNewOnTheWholeScreen() async throws {
        let live = try LiveAPI()
        try live.put("news", Self.one)
        let target = "/pull?feed=news&feed=gone"
        let tag = try #require(try await live.get(target)["ETag"])
        let same = try await live.get(target, ["If-None-Match": tag])
        #expect(same.status == 304)
        #expect(same["ETag"] == tag)
        #expect(try await live.get(target + "&limit=1")["ETag"] != tag)
        #expect(try await live.get(target + "&section=main")["ETag"] != tag)
        #expect(try await live.get("/pull?feed=gone&feed=news")["ETag"] != tag)
        try live.put("gone", Self.one)
        #expect(try await live.get(target, ["If-None-Match": tag]).status == 200)
    }

    @Test(arguments: [true, false])
    func itWaitsForAnyOfThem(_ isConditional: Bool) async throws {
        let live = try LiveAPI()
        let news = try live.put("news", Self.one)
        let sports = try live.put("sports", Self.one)
        let target = "/pull?feed=news@\(news)&feed=gone&feed=sports@\(sports)"
        let tag = try #require(try await live.get(target)["ETag"])
        live.whenAwaited("sports", put: Self.two)
        let answer = try await live.get(
            target + "&wait=60",
            isConditional ? ["If-None-Match": tag] : [:]
        )
        #expect(answer.json["feeds"]?["news"]?["kind"] == "unchanged")
        #expect(answer.json["feeds"]?["sports"]?["kind"] == "snapshot")
        #expect(answer.json["feeds"]?["gone"]?["kind"] == "missing")
        #expect(answer["Cache-Control"] == "no-store")
    }

    @Test func aFeedThatComesEndsTheWait() async throws {
        let live = try LiveAPI()
        live.whenAwaited("gone", put: Self.one)
        let answer = try await live.get("/pull?feed=gone", ["Prefer": "wait=60"])
        #expect(answer.json["feeds"]?["gone"]?["kind"] == "snapshot")
        #expect(answer["Preference-Applied"] == "wait=60")
    }

    @Test func aFeedThatGoesEndsTheWaitOfOneWhoHadIt() async throws {
        let live = try LiveAPI()
        let token = try live.put("news", Self.one)
        let name = try #require(FeedName("news"))
        live.whenAwaited("news") { store in _ = store.remove(name) { _ in } }
        let answer = try await live.get("/pull?feed=news@\(token)&feed=never&wait=60")
        #expect(answer.json["feeds"]?["news"]?["kind"] == "missing")
        // And one that is gone already is no reason to wait.
        let again = try await live.get("/pull?feed=news@\(token)&wait=60")
        #expect(again.json["feeds"]?["news"]?["kind"] == "missing")
    }

    @Test(arguments: [
        "/pull", "/pull?feed=a&as=all", "/events?feed=a&as=", "/pull?feed=a&feed=a",
        "/pull?feed=a@nonsense", "/pull?feed=a@x&feed=b",
        "/pull?feed=a&limit=x", "/pull?feed=a&wait=x", "/events", "/events?feed=a&feed=a",
        "/events?feed=a@nonsense",
        "/pull?" + (0...100).map { "feed=f\($0)" }.joined(separator: "&"),
    ])
    func whatCannotBeAskedIsRefused(_ target: String) async throws {
        let answer = try await LiveAPI().get(target)
        #expect(answer.status == 400)
        #expect(answer.problem == "malformed")
    }

    @Test func aDamagedTokenIsNamedWithItsFeed() async throws {
        let answer = try await LiveAPI().get("/pull?feed=a&feed=b@nonsense")
        #expect(answer.detail.contains("\"nonsense\" for \"b\""), "\(answer.text)")
    }

    @Test func whatAKeyMayNotReadIsMissing() async throws {
        let live = try LiveAPI { configuration in
            configuration.openFeeds = [FeedPattern("open-*")].compactMap(\.self)
        }
        try live.put("open-a", Self.one)
        try live.put("closed", Self.one)
        let target = "/pull?feed=open-a&feed=closed"
        let answer = try await live.get(target)
        #expect(answer.json["feeds"]?["open-a"]?["kind"] == "snapshot")
        #expect(answer.json["feeds"]?["closed"]?["kind"] == "missing")
        let all = try await live.get(target, ["Authorization": "Bearer " + API.key])
        #expect(all.json["feeds"]?["closed"]?["kind"] == "snapshot")
        #expect(try await live.get(target, ["Authorization": "Bearer no"]).status == 401)
    }

    @Test func aKeyThatIsKnownNoMoreEndsTheWait() async throws {
        let live = try LiveAPI()
        let token = try live.put("news", Self.one)
        let (api, next) = (live.api, Successor())
        live.whenAwaited("news") { _ in
            next.api.withLock { $0 = api.reconfigured(APIConfiguration()) }
        }
        let answer = try await live.get(
            "/pull?feed=news@\(token)&wait=60",
            ["Authorization": "Bearer " + API.key]
        )
        #expect(answer.status == 401)
        withExtendedLifetime(next) {}
    }

    @Test func withoutAKeyWhereNothingIsOpenItIsRefused() async throws {
        let live = try LiveAPI { $0.openFeeds = [] }
        for target in ["/pull?feed=a", "/events?feed=a"] {
            #expect(try await live.get(target).status == 401)
        }
    }
}
