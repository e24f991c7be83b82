import FeedModel
import FeedStore
import HTTPWire
import Synchronization
import TestSupport
import Testing

/// docs/PROTOCOL.md, "One validator for everything": dates.
@Suite(.bothWays) struct Dates {
    /// A server at a time that tests set, which began at second 1000.
    private struct Dated {
        let time = Mutable(1000.0)
        let api: API

        init() {
            let time = time
            let clock = FeedStore.Clock(
                now: { .seconds(time.value.withLock(\.self)) },
                wall: { time.value.withLock(\.self) }
            )
            api = API(store: FeedStore(clock: clock))
        }

        func put(_ feed: String, _ number: Int, at second: Double) async throws {
            time.value.withLock { $0 = second }
            try await api.put(feed, #"{"n":\#(number),"items":[{"id":"a"}]}"#)
        }

        /// Returns the date that is sent two seconds later.
        func modified(_ target: String = "/feeds/news.atom") async throws -> String? {
            #expect(try await api.get(target)["Last-Modified"] == nil, "the second is not over")
            time.value.withLock { $0 += 2 }
            defer { time.value.withLock { $0 -= 2 } }
            return try await api.get(target)["Last-Modified"]
        }
    }

    final class Mutable: Sendable {
        let value: Mutex<Double>

        init(_ value: Double) { self.value = Mutex(value) }
    }

    private static func date(_ second: Int) -> String {
        String(decoding: HTTPDate.format(second), as: UTF8.self)
    }

    @Test func aDateIsSentWhenItTellsAVersionFromAllBefore() async throws {
        let dated = Dated()
        try await dated.put("news", 1, at: 1000.9)
        #expect(try await dated.modified() == nil, "a feed may have been there before the start")
        try await dated.put("news", 2, at: 1001.2)
        #expect(try await dated.modified() == Self.date(1001))
        try await dated.put("news", 3, at: 1001.9)
        #expect(try await dated.modified() == nil)
        try await dated.put("news", 4, at: 1001)
        #expect(try await dated.modified() == nil)
        try await dated.put("news", 5, at: 1002)
        #expect(try await dated.modified() == Self.date(1002))
        for target in [".atom", ".rss", ".json", ".atom?limit=1"] {
            #expect(try await dated.modified("/feeds/news" + target) == Self.date(1002))
        }
        // Documents of this protocol have tags alone.
        for target in [
            "", "/outline", "/items", "/items/a", "/sections/main", "?limit=1",
            "?format=json-patch",
        ] {
            #expect(try await dated.modified("/feeds/news" + target) == nil)
        }
        #expect(try await dated.modified("/feeds") == nil)
        #expect(try await dated.modified("/pull?feed=news") == nil)
    }

    @Test func theDatesOfDeletedFeedsCountForThoseThatComeAfter() async throws {
        let dated = Dated()
        try await dated.put("sports", 1, at: 1001)
        try await dated.put("gone", 1, at: 1005)
        #expect(try await dated.api.send("DELETE", "/feeds/gone").status == 204)
        // One that was there before goes on by its own.
        try await dated.put("sports", 2, at: 1004)
        #expect(try await dated.modified("/feeds/sports.atom") == Self.date(1004))
        try await dated.put("news", 1, at: 1005)
        #expect(try await dated.modified() == nil)
        try await dated.put("gone", 2, at: 1006)
        #expect(try await dated.modified("/feeds/gone.atom") == Self.date(1006))
    }

    @Test func aDateThatHasNotComeIsNotSent() async throws {
        let dated = Dated()
        try await dated.put("news", 1, at: 2000)
        for now in [1500.0, 2001.9] {
            dated.time.value.withLock { $0 = now }
            #expect(try await dated.api.get("/feeds/news.atom")["Last-Modified"] == nil)
        }
        let answer = try await dated.api.get(
            "/feeds/news.atom",
            ["If-Modified-Since": Self.date(2000)]
        )
        #expect(answer.status == 200)
    }

    @Test(arguments: [".atom", ".rss", ".json", ".rss?limit=1"])
    func onlyTheDateThatWasSentIsAMatch(_ path: String) async throws {
        let dated = Dated()
        let target = "/feeds/news" + path
        try await dated.put("news", 1, at: 1001)
        dated.time.value.withLock { $0 = 1003 }
        let tag = try #require(try await dated.api.get(target)["ETag"])
        for (date, status) in [
            (Self.date(1001), 304), (Self.date(1000), 200), (Self.date(1002), 200),
            (Self.date(1_000_000), 200), ("yesterday", 200), ("", 200),
            (Self.date(1001) + ", " + Self.date(1001), 200),
        ] {
            for _ in 0..<2 {
                let answer = try await dated.api.get(target, ["If-Modified-Since": date])
                #expect(answer.status == status, "\(date)")
                #expect(answer["ETag"] == tag)
            }
        }
        // A tag goes before it.
        let both = try await dated.api.get(
            target,
            ["If-Modified-Since": Self.date(1001), "If-None-Match": "\"aaaaaaaa.1\""]
        )
        #expect(both.status == 200)
        try await dated.put("news", 2, at: 1001)
        let same = try await dated.api.get(target, ["If-Modified-Since": Self.date(1001)])
        #expect(same.status == 200)
    }

    @Test(arguments: ["", "?wait=60", "/outline", "/items", "/items/a", "/sections/main"])
    func ofDocumentsWithoutADateNoneCounts(_ path: String) async throws {
        let dated = Dated()
        try await dated.put("news", 1, at: 1002)
        for fields in [
            ["If-Modified-Since": Self.date(1002)], ["If-Unmodified-Since": Self.date(1001)],
        ] {
            #expect(try await dated.api.get("/feeds/news" + path, fields).status == 200)
        }
    }

    @Test(arguments: [".atom", ".rss", ".json"])
    func aVersionThatIsLaterThanAnUnmodifiedSinceIsRefused(_ path: String) async throws {
        let dated = Dated()
        let target = "/feeds/news" + path
        try await dated.put("news", 1, at: 1001)
        try await dated.put("news", 2, at: 1001.5)
        let tag = try #require(try await dated.api.get(target)["ETag"])
        for (headers, status) in [
            (["If-Unmodified-Since": Self.date(1000)], 412),
            (["If-Unmodified-Since": Self.date(1001)], 200),
            (["If-Unmodified-Since": "never"], 200),
            (["If-Unmodified-Since": Self.date(1000), "If-Match": tag], 200),
            (["If-Unmodified-Since": Self.date(1000), "If-None-Match": tag], 412),
            (["If-Unmodified-Since": Self.date(1002), "If-None-Match": tag], 304),
        ] {
            let answer = try await dated.api.get(target, headers)
            #expect(answer.status == status, "\(headers)")
            if status == 412 { #expect(answer.problem == "precondition") }
        }
        let missing = try await dated.api.get(
            "/feeds/gone.atom",
            ["If-Unmodified-Since": Self.date(1000)]
        )
        #expect(missing.status == 404)
    }

    @Test(arguments: ConditionalPublishing.requests)
    func aPublishMayBeMadeConditionalOnADate(
        _ method: String,
        _ target: String,
        _ body: String,
        _ type: String
    ) async throws {
        func send(_ dated: Dated, _ headers: [String: String]) async throws -> TestResponse {
            var headers = headers
            headers["Content-Type"] = type.isEmpty ? nil : type
            return try await dated.api.send(method, target, body, headers)
        }
        let dated = Dated()
        dated.time.value.withLock { $0 = 1001 }
        let token = try await dated.api.put("news", Patching.sample)
        let early = try await send(dated, ["If-Unmodified-Since": Self.date(1000)])
        #expect(early.status == 412)
        #expect(early.json["token"]?.string == token)
        for date in ["never", ""] {
            let answer = try await send(dated, ["If-Unmodified-Since": date])
            #expect(answer.status == 400, "\(date)")
        }
        // Beside If-Match the date is ignored (RFC 9110 §13.1.4).
        for date in [Self.date(1000), "never", ""] {
            let token = try await dated.api.put("news", Patching.sample)
            let both = ["If-Unmodified-Since": date, "If-Match": "\"\(token)\""]
            let isTaken = try await send(dated, both)
            #expect(isTaken.status < 300, "\(date)")
        }
        // Of two versions in a second the date of that second names none.
        try await dated.api.put("news", Patching.sample)
        let late = try await send(dated, ["If-Unmodified-Since": Self.date(1001)])
        #expect(late.status == 412)
        for date in [1003, 1004, 2000] {
            dated.time.value.withLock { $0 = 1003 }
            try await dated.api.put("news", Patching.sample.replacing("One", with: "\(date)"))
            let only = try await send(dated, ["If-Unmodified-Since": Self.date(date)])
            #expect(only.status < 300 || date == 1003, "\(only.text)")
        }
    }

    @Test func withoutAFeedNoDateHolds() async throws {
        let dated = Dated()
        let answer = try await dated.api.send(
            "PUT",
            "/feeds/news",
            sampleFeed,
            ["If-Unmodified-Since": Self.date(1000)]
        )
        #expect(answer.status == 412)
        #expect(answer.json["token"] == nil)
    }
}
