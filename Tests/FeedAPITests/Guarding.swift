import FeedModel
import FeedStore
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import FeedAPI

/// docs/PUBLISHING.md, "Against accidents".
@Suite(.bothWays) struct Guarding {
    /// A server that guards `news` and all feeds whose names begin with `sports-`.
    private func api(
        _ rule: RemovalGuard = .percent(50),
        _ configure: (inout APIConfiguration) -> Void = { _ in }
    ) throws -> API {
        var guards = FeedRules<RemovalGuard>()
        guards.add(rule, for: try #require(FeedPattern("news")))
        guards.add(.count(3), for: try #require(FeedPattern("sports-*")))
        return API {
            $0.guards = guards
            configure(&$0)
        }
    }

    private static func feed(_ numbers: some Sequence<Int>) -> String {
        let items = numbers.map { #"{"id":"i\#($0)"}"# }
        return "{\"items\":[\(items.joined(separator: ","))]}"
    }

    private static func edits(removing numbers: some Sequence<Int>) -> String {
        let edits = numbers.map { #"{"remove":"i\#($0)"}"# }
        return "{\"edits\":[\(edits.joined(separator: ","))]}"
    }

    /// Bad publishes of a feed with the items `i0` to `i19`: the method, the body, its media type,
    /// and how many items would go.
    private static let accidents: [(String, String, String, Int)] = [
        ("PUT", #"{"items":[]}"#, "application/json", 20),
        ("PUT", #"{"sections":[]}"#, "application/json", 20),
        ("PUT", feed(0..<10), "application/json", 10),
        ("PUT", feed(100..<120), "application/json", 20),
        ("PUT", #"{"sections":[{"id":"x","items":[{"id":"i3"}]}]}"#, "application/json", 19),
        ("PATCH", edits(removing: 5..<15), "application/json", 10),
        ("PATCH", #"{"edits":[{"removeSection":"main"}]}"#, "application/json", 20),
        (
            "PATCH", #"[{"op":"replace","path":"","value":{"items":[]}}]"#,
            "application/json-patch+json", 20
        ),
    ]

    @Test(arguments: accidents)
    func accidentsAreRefusedWithTheirNumbers(
        _ method: String,
        _ body: String,
        _ type: String,
        _ removed: Int
    ) async throws {
        let api = try api()
        let token = try await api.put("news", Guarding.feed(0..<20))
        for query in ["", "?dry-run=true"] {
            let answer = try await api.send(
                method,
                "/feeds/news" + query,
                body,
                ["Content-Type": type]
            )
            #expect(answer.status == 409, "\(answer.text)")
            #expect(answer.problem == "too-many-removed")
            #expect(answer.json["removed"]?.int == removed)
            #expect(answer.json["count"]?.int == 20)
            #expect(answer.json["limit"]?.int == 9)
            #expect(answer.detail.contains("\(removed) of 20 items"))
            #expect(try await api.document("/feeds/news")["token"]?.string == token)
        }
        let meant = try await api.send(
            method,
            "/feeds/news?removals=any",
            body,
            ["Content-Type": type]
        )
        #expect(meant.status == 200)
        #expect(meant.json["items"]?["removed"]?.int == removed)
    }

    /// Bodies that are no accident, though much of the feed changes.
    @Test(arguments: [
        feed(0..<11), feed(0..<200), feed((0..<20).reversed()), feed(9..<40),
        #"{"sections":[{"id":"other","items":["#
            + (0..<20).map { #"{"id":"i\#($0)","n":1}"# }.joined(separator: ",") + "]}]}",
    ])
    func soundPublishesPass(_ body: String) async throws {
        let api = try api()
        try await api.put("news", Guarding.feed(0..<20))
        #expect(try await api.send("PUT", "/feeds/news", body).status == 200)
    }

    @Test func aSmallFeedIsOnlyGuardedAgainstBeingEmptied() async throws {
        let api = try api()
        try await api.put("news", Guarding.feed(0..<9))
        try await api.put("news", Guarding.feed(20..<29))
        try await api.put("news", Guarding.feed(20..<21))
        let answer = try await api.send("DELETE", "/feeds/news/items/i20")
        #expect(answer.problem == "too-many-removed")
        #expect(answer.json["limit"]?.int == 0)
        let meant = try await api.send("DELETE", "/feeds/news/items/i20?removals=any")
        #expect(meant.status == 204)
        // There is nothing left to guard.
        try await api.put("news", #"{"items":[]}"#)
    }

    @Test func aNumberIsTheMostThatMayGo() async throws {
        let api = try api()
        for (kept, status) in [(16, 409), (17, 200)] {
            try await api.put("sports-a", Guarding.feed(0..<20))
            let body = Guarding.feed(0..<kept)
            #expect(try await api.send("PUT", "/feeds/sports-a", body).status == status)
        }
    }

    @Test func feedsWithoutAGuardTakeEverything() async throws {
        let api = try api()
        try await api.put("other", Guarding.feed(0..<20))
        try await api.put("other", #"{"items":[]}"#)
    }

    @Test func deletingAFeedIsNoAccident() async throws {
        let api = try api()
        try await api.put("news", Guarding.feed(0..<20))
        #expect(try await api.send("DELETE", "/feeds/news?dry-run=true").status == 200)
        // It is not known there: nothing is left to be allowed.
        #expect(try await api.send("DELETE", "/feeds/news?removals=any").status == 400)
        #expect(try await api.send("DELETE", "/feeds/news").status == 204)
    }

    @Test(arguments: ["", "all", "Any", "true", "any&removals=any"])
    func otherValuesAreRefused(_ value: String) async throws {
        let api = try api()
        let target = "/feeds/news?removals=\(value)"
        let answer = try await api.send("PUT", target, Guarding.feed(0..<1))
        #expect(answer.status == 400)
        #expect(answer.detail.contains("removals"))
    }

    @Test func conditionsAndEditsThatFailComeFirst() async throws {
        let api = try api()
        try await api.put("news", Guarding.feed(0..<20))
        let stale = ["If-Match": "\"aaaaaaaa.1\""]
        let empty = #"{"items":[]}"#
        #expect(try await api.send("PUT", "/feeds/news", empty, stale).status == 412)
        let edits = #"{"edits":[{"removeSection":"main"},{"remove":"gone"}]}"#
        let answer = try await api.send("PATCH", "/feeds/news", edits)
        #expect(answer.problem == "edit-failed")
    }

    @Test func aRefusalIsNotRemembered() async throws {
        let api = try api()
        try await api.put("news", Guarding.feed(0..<20))
        let key = ["Idempotency-Key": "one"]
        let empty = #"{"items":[]}"#
        #expect(try await api.send("PUT", "/feeds/news", empty, key).status == 409)
        #expect(try await api.send("PUT", "/feeds/news?removals=any", empty, key).status == 200)
        // The key was not used up.
        #expect(try await api.send("PUT", "/feeds/news", empty, key).status == 200)
    }

    @Test func refusalsAreToldAndCounted() async throws {
        final class Told: Sendable {
            let records = Mutex<[PublishRecord]>([])
        }
        let told = Told()
        let api = try api {
            $0.reportPublish = { record in told.records.withLock { $0.append(record) } }
        }
        try await api.put("news", Guarding.feed(0..<20))
        _ = try await api.send("PUT", "/feeds/news", #"{"items":[]}"#)
        _ = try await api.send("PUT", "/feeds/news?dry-run=true", #"{"items":[]}"#)
        let refusals = told.records.withLock(\.self).compactMap(\.refusal)
        #expect(refusals.map(\.removed) == [20])
        #expect(refusals.map(\.limit) == [9])
        #expect(api.publishes().refused == [.tooManyRemoved: 1])
    }

    /// The feed `wire` has a source whose content its guard refuses.
    private struct RefusedSource: SourceDirectory {
        let trip: RemovalGuard.Refusal
        var counts: (all: Int, failing: Int) { (1, 1) }

        func isSourced(_ feed: FeedName) -> Bool { feed.rawValue == "wire" }

        func refresh(
            _ feed: FeedName,
            mayRemoveAny: Bool,
            completion: @escaping @Sendable (Result<Publication?, SourceRefusal>) -> Void
        ) { completion(mayRemoveAny ? .success(nil) : .failure(.guarded(trip))) }

        func report(on feed: FeedName) -> SourceReport? { nil }

        func page(
            after name: [UInt8],
            prefix: [UInt8],
            limit: Int,
            onlyFailing: Bool
        ) -> [(feed: FeedName, report: SourceReport)] { [] }
    }

    /// Why a feed's guard refuses that its 20 items are removed.
    private func trip() throws -> RemovalGuard.Refusal? {
        let (store, feed) = (FeedStore(), try #require(FeedName("wire")))
        let full = try Snapshot(parsing: Array(Guarding.feed(0..<20).utf8))
        _ = store.publishInMemory(feed) { _ in full }
        let publication = store.publishInMemory(feed, dryRun: true) { _ in Snapshot() }
        do throws(RemovalGuard.Refusal) {
            try RemovalGuard.percent(50).check(publication, .guarded)
            return nil
        } catch {
            return error
        }
    }

    @Test func aRefreshSaysWhatTheGuardRefuses() async throws {
        let trip = try #require(try trip())
        let api = API { $0.sources = RefusedSource(trip: trip) }
        let refused = try await api.send("POST", "/feeds/wire/refresh")
        #expect(refused.status == 409)
        #expect(refused.problem == "too-many-removed")
        #expect(refused.json["removed"]?.int == 20)
        let meant = try await api.send("POST", "/feeds/wire/refresh?removals=any")
        #expect(meant.json["kind"] == "published")
        #expect(try await api.send("POST", "/feeds/wire/refresh?removals=all").status == 400)
    }

    @Test func aReloadTakesOtherGuards() async throws {
        let store = FeedStore()
        let api = API(store: store)
        try await api.put("news", Guarding.feed(0..<20))
        let guarded = API(store: store) {
            $0.guards.add(.count(0), for: .all)
        }
        let answer = try await guarded.send("PUT", "/feeds/news", Guarding.feed(1..<20))
        #expect(answer.json["limit"]?.int == 0)
    }
}

/// Which of several rules counts.
@Suite struct FeedRuleChoice {
    @Test(arguments: [
        ("news", 1), ("news-b", 3), ("news-uk-a", 4), ("sports", 2), ("a", 2),
    ])
    func theMostExactOneCounts(_ name: String, _ expected: Int) throws {
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]] {
            let patterns = ["news", "*", "news*", "news-uk-*"]
            var rules = FeedRules<Int>()
            for index in order {
                rules.add(index + 1, for: try #require(FeedPattern(patterns[index])))
            }
            #expect(rules[try #require(FeedName(name))] == expected)
        }
    }

    @Test func thereMayBeNone() throws {
        var rules = FeedRules<Int>()
        rules.add(1, for: try #require(FeedPattern("news")))
        #expect(rules[try #require(FeedName("newsx"))] == nil)
    }
}
