import FeedModel
import FeedStore
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedAPI

/// Limits on how many requests one client may send.
@Suite(.bothWays) struct RateLimiting {
    private let clock = TestClock()

    private func api(_ configure: (inout [RateLimit.Name: RateLimit]) -> Void) -> API {
        let clock = clock
        return API {
            $0.clock = { clock.now }
            $0.keys.append(AccessKey("reader", read: [.all]))
            configure(&$0.rateLimits)
        }
    }

    private func limit(_ quota: Int, _ seconds: Int) throws -> RateLimit {
        try #require(RateLimit(quota: quota, window: .seconds(seconds)))
    }

    @Test func whoSendsTooManyIsRefusedUntilTheBucketFills() async throws {
        let reads = try limit(3, 60)
        let api = api { $0[.readsByKey] = reads }
        let headers = ["Authorization": "Bearer reader"]
        for _ in 0..<3 {
            let answer = try await api.get("/feeds", headers)
            #expect(answer.status == 200)
            // It may be shared with others, to whom it would say something wrong.
            #expect(answer["RateLimit"] == nil)
            #expect(answer["RateLimit-Policy"] == nil)
        }
        let refused = try await api.get("/feeds", headers)
        #expect(refused.status == 429)
        #expect(refused.problem == "quota-exceeded")
        #expect(refused.json["violated-policies"] == ["reads-by-key"])
        #expect(refused["RateLimit-Policy"] == #""reads-by-key";q=3;w=60"#)
        #expect(refused["RateLimit"] == #""reads-by-key";r=0;t=60"#)
        #expect(refused["Cache-Control"] == "no-store")
        #expect((20...25) ~= (refused["Retry-After"].flatMap { Int($0) } ?? 0))
        clock.advance(by: .seconds(19))
        #expect(try await api.get("/feeds", headers).status == 429)
        clock.advance(by: .seconds(1))
        #expect(try await api.get("/feeds", headers).status == 200)
        #expect(try await api.get("/feeds", headers).status == 429)
    }

    @Test func eachKeyHasItsOwnQuota() async throws {
        let one = try limit(1, 60)
        let api = api { $0[.readsByKey] = one }
        #expect(try await api.get("/feeds", ["Authorization": "Bearer reader"]).status == 200)
        #expect(try await api.get("/feeds", ["Authorization": "Bearer reader"]).status == 429)
        let other = ["Authorization": "Bearer " + API.key]
        #expect(try await api.get("/feeds", other).status == 200)
        // Without a key the address counts, which is not limited here.
        for _ in 0..<3 { #expect(try await api.get("/feeds").status == 200) }
    }

    @Test(arguments: ["/feeds/news?bogus=1", "/feeds/NO!"])
    func publishesThatAreRefusedSayWhatIsLeft(_ target: String) async throws {
        let publishes = try limit(2, 10)
        let api = api { $0[.publishesByKey] = publishes }
        let answer = try await api.send("PUT", target, sampleFeed)
        #expect(answer.status == 400)
        #expect(answer["RateLimit"] == #""publishes-by-key";r=1;t=5"#)
    }

    @Test func publishesSayWhatIsLeft() async throws {
        let publishes = try limit(2, 10)
        let api = api { $0[.publishesByKey] = publishes }
        for left in [1, 0] {
            let answer = try await api.send("PUT", "/feeds/news", sampleFeed)
            #expect(answer.status == (left == 1 ? 201 : 200))
            #expect(answer["RateLimit-Policy"] == #""publishes-by-key";q=2;w=10"#)
            #expect(answer["RateLimit"] == "\"publishes-by-key\";r=\(left);t=\(left == 1 ? 5 : 10)")
        }
        let refused = try await api.send("PUT", "/feeds/other", sampleFeed)
        #expect(refused.status == 429)
        #expect(try await api.get("/feeds/other").status == 404)
        #expect(try await api.get("/feeds/news").status == 200)
    }

    /// Also those whose body cannot be read.
    @Test func publishesThatDoNotBeginSayWhatIsLeft() async throws {
        let publishes = try limit(100, 10)
        let api = API {
            $0.rateLimits[.publishesByKey] = publishes
            $0.bodyByteLimit = 1000
        }
        let long = #"{"items":[{"text":"\#(String(repeating: "x", count: 1000))"}]}"#
        for (body, coding, status) in [(long, nil, 413), ("{}", "br", 415), ("{}", "gzip", 400)] {
            let headers = coding.map { ["Content-Encoding": $0] } ?? [:]
            let answer = try await api.send("PUT", "/feeds/news", body, headers)
            #expect(answer.status == status)
            #expect(answer["RateLimit"]?.hasPrefix(#""publishes-by-key";r=9"#) == true)
        }
    }

    @Test(arguments: [
        ("/feeds/none", 404), ("/feeds/none/outline", 404), ("/feeds/none?wait=9", 404),
        ("/feeds/none.atom", 404), ("/feeds/none/events", 404), ("/feeds/news?limit=x", 400),
        ("/feeds/news/items/x", 404), ("/feeds/news/versions", 403), ("/feeds/news/none", 404),
    ])
    func readsThatFailSayWhatIsLeft(_ target: String, _ status: Int) async throws {
        let reads = try limit(2, 10)
        let api = API {
            $0.keys.append(AccessKey("reader", read: [.all]))
            $0.rateLimits[.readsByKey] = reads
        }
        try await api.put("news", sampleFeed)
        let answer = try await api.get(target, ["Authorization": "Bearer reader"])
        #expect(answer.status == status)
        #expect(answer["RateLimit-Policy"] == #""reads-by-key";q=2;w=10"#)
        #expect(answer["RateLimit"]?.hasPrefix(#""reads-by-key";r=1;t="#) == true)
    }

    /// The request counted when it came, and the bucket has filled since.
    @Test(arguments: [(4, 1, 1), (9, 2, 0)])
    func anErrorThatEndsAWaitSaysWhatIsLeftThen(
        _ waited: Int,
        _ left: Int,
        _ reset: Int
    ) async throws {
        let reads = try limit(2, 10)
        let live = try LiveAPI { [clock] in
            $0.clock = { clock.now }
            $0.rateLimits[.readsByKey] = reads
        }
        let token = try live.put("news", #"{"items":[]}"#)
        let name = try #require(FeedName("news"))
        live.whenAwaited("news") { [clock] store in
            clock.advance(by: .seconds(waited))
            _ = store.remove(name) { _ in }
        }
        let answer = try await live.get(
            "/feeds/news?since=\(token)&wait=60",
            ["Authorization": "Bearer " + API.key]
        )
        #expect(answer.status == 404)
        #expect(answer["RateLimit"] == "\"reads-by-key\";r=\(left);t=\(reset)")
    }

    @Test(arguments: ["/healthz", "/readyz", "/problems/key"])
    func whatWatchesTheServerIsNotLimited(_ target: String) async throws {
        let one = try limit(1, 60)
        let api = api {
            $0[.readsByKey] = one
            $0[.readsByAddress] = one
        }
        for _ in 0..<3 {
            #expect(try await api.get(target).status == 200)
            #expect(try await api.send("OPTIONS", "/feeds/news").status == 204)
        }
    }

    @Test func withoutLimitsNothingIsSaid() async throws {
        let answer = try await API().send("PUT", "/feeds/news", sampleFeed)
        #expect(answer.status == 201)
        #expect(answer["RateLimit"] == nil)
    }
}

/// Over a socket, where clients have an address.
@Suite struct AddressLimiting {
    @Test(arguments: [nil, "Bearer guessed"])
    func anAddressIsLimitedWhateverItGuesses(_ key: String?) async throws {
        let two = try #require(RateLimit(quota: 2, window: .seconds(3600)))
        try await Way.$current.withValue(.socket) {
            let api = API { $0.rateLimits[.readsByAddress] = two }
            let headers = key.map { ["Authorization": $0] } ?? [:]
            let status = key == nil ? 200 : 401
            for left in [1, 0] {
                let answer = try await api.get("/feeds", headers)
                #expect(answer.status == status)
                let stated = answer["RateLimit"]?.hasPrefix("\"reads-by-address\";r=\(left)")
                #expect(stated == (key == nil ? nil : true))
            }
            let refused = try await api.get("/feeds", headers)
            #expect(refused.status == 429)
            #expect(refused.json["violated-policies"] == ["reads-by-address"])
            // Who has a key does not count for the address.
            let known = ["Authorization": "Bearer " + API.key]
            #expect(try await api.get("/feeds", known).status == 200)
        }
    }

    /// Where a right key is told from a wrong one, all guesses count together.
    @Test func whoGuessesKeysIsLimitedAtEachPath() async throws {
        let targets = ["/metrics"] + OperatorReading.targets
        let quota = try #require(RateLimit(quota: targets.count, window: .seconds(3600)))
        try await Way.$current.withValue(.socket) {
            let api = API {
                $0.metrics = SomeMetrics()
                $0.rateLimits[.readsByAddress] = quota
            }
            let guess = ["Authorization": "Bearer guessed"]
            for target in targets { #expect(try await api.get(target, guess).status == 401) }
            for target in targets { #expect(try await api.get(target, guess).status == 429) }
            let known = ["Authorization": "Bearer " + API.key]
            let answer = try await api.get("/metrics", known)
            #expect(answer.status == 200)
        }
    }

    /// The feeds of a `QUERY` are read from its body, after it was counted.
    @Test func whatIsAnsweredAfterALookUpSaysWhatIsLeft() async throws {
        let quota = try #require(RateLimit(quota: 10, window: .seconds(10)))
        try await Way.$current.withValue(.socket) {
            let api = API { $0.rateLimits[.readsByKey] = quota }
            let fields = ["Content-Type": "application/json", "If-Match": "\"a\""]
            let answer = try await api.send("QUERY", "/pull", #"{"feeds":{"a":null}}"#, fields)
            #expect(answer.status == 412)
            #expect(answer["RateLimit"]?.hasPrefix(#""reads-by-key";r=9"#) == true)
        }
    }
}

/// The buckets themselves.
@Suite struct RateTables {
    private func table(_ quota: Int, _ window: Duration, clients: Int = 100) throws
        -> RateLimiter.Policy
    {
        let limit = try #require(RateLimit(quota: quota, window: window))
        return RateLimiter.Policy("reads", limit, countLimit: clients)
    }

    @Test(arguments: [1, 2, 3, 7, 600, 999_983])
    func letsInTheQuotaAndNoMore(_ quota: Int) throws {
        let table = try table(quota, .seconds(60))
        for left in (0..<min(quota, 5000)).reversed() where quota <= 5000 {
            #expect(table.take(.key(1), at: .zero) == .zero)
            #expect(table.level(of: .key(1), at: .zero).remaining == left)
        }
        if quota <= 5000 {
            let wait = table.take(.key(1), at: .zero)
            #expect(wait > .zero)
            #expect(wait <= .seconds(60) / quota)
            #expect(table.take(.key(1), at: wait + .nanoseconds(1)) == .zero)
        }
        #expect(table.take(.key(2), at: .zero) == .zero)
        #expect(table.level(of: .key(2), at: .zero).remaining == quota - 1)
    }

    @Test(arguments: 0..<UInt64(20))
    func agreesWithABucketThatIsFilledDropByDrop(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (quota, window) = (Int.random(in: 1...8, using: &random), 8)
        let table = try table(quota, .seconds(window))
        // In parts of a request: one is `window` of them, and `quota` come each second.
        var (level, last) = (quota * window, 0)
        for now in (0..<400).map({ _ in Int.random(in: 0...200, using: &random) }).sorted() {
            level = min(quota * window, level + (now - last) * quota)
            last = now
            let isIn = level >= window
            if isIn { level -= window }
            #expect((table.take(.key(1), at: .seconds(now)) == .zero) == isIn)
        }
    }

    @Test func remembersABoundedNumberAndForgetsThoseWhoSentLeast() throws {
        let table = try table(10, .seconds(60), clients: 64)
        for _ in 0..<10 { _ = table.take(.key(0), at: .zero) }
        for client in 1..<5000 as Range<UInt64> {
            _ = table.take(.key(client), at: .zero)
            #expect(table.fullTimes.withLock(\.count) <= 64)
        }
        #expect(table.take(.key(0), at: .zero) > .zero)
    }

    @Test func forgetsBucketsThatAreFull() throws {
        let table = try table(10, .seconds(60), clients: 64)
        for client in 0..<64 as Range<UInt64> { _ = table.take(.key(client), at: .zero) }
        _ = table.take(.key(100), at: .seconds(61))
        #expect(table.fullTimes.withLock(\.count) == 1)
    }

    @Test(arguments: [(0, 60), (1, 0), (1, 86_401), (1_000_000_001, 60), (-1, 60)])
    func refusesLimitsThatCannotBe(_ quota: Int, _ seconds: Int) {
        #expect(RateLimit(quota: quota, window: .seconds(seconds)) == nil)
    }
}
