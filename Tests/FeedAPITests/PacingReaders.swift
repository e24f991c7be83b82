import FeedDiff
import FeedModel
import FeedStore
import StoreModel
import TestSupport
import Testing

@testable import FeedAPI

/// docs/PROTOCOL.md, "When to ask again".
@Suite(.bothWays) struct PacingReaders {
    /// A server whose store's time goes when a test says so.
    private struct PacedAPI {
        let clock = TestClock()
        let api: API

        init() {
            let clock = clock
            let store = FeedStore(
                clock: FeedStore.Clock(now: { clock.now }, wall: { 1_000_000 })
            )
            api = API(store: store)
        }

        func publish(_ feed: String, _ number: Int) throws {
            let name = try #require(FeedName(feed))
            let document = #"{"n":\#(number),"items":[{"id":"a"}]}"#
            let snapshot = try Snapshot(publishing: Array(document.utf8))
            _ = api.store.publishInMemory(name) { _ in snapshot }
        }

        /// Publishes after each of these seconds.
        func publish(_ feed: String, after intervals: [Int]) throws {
            for (number, interval) in intervals.enumerated() {
                clock.advance(by: .seconds(interval))
                try publish(feed, number)
            }
        }
    }

    @Test func everyAnswerAboutAFeedSaysIt() async throws {
        let paced = PacedAPI()
        try paced.publish("news", after: [0, 80, 80])
        paced.clock.advance(by: .seconds(30))
        let tag = try #require(try await paced.api.get("/feeds/news")["ETag"])
        let token = tag.dropFirst().dropLast()
        for target in [
            "/feeds/news", "/feeds/news?since=\(token)", "/feeds/news?since=aaaaaaaa.1",
            "/feeds/news?limit=1", "/feeds/news?version=\(token)", "/feeds/news/outline",
            "/feeds/news/items", "/feeds/news/items/a", "/feeds/news/sections/main",
            "/feeds/news?format=json-patch&since=\(token)", "/pull?feed=news&feed=none",
        ] {
            for fields in [[:], ["If-None-Match": tag], ["Accept-Encoding": "gzip"]] {
                // The second time from memory.
                for _ in 0..<2 {
                    let answer = try await paced.api.get(target, fields)
                    #expect([200, 304].contains(answer.status))
                    #expect(answer["Refresh-After"] == "50", "\(target) \(fields)")
                    if target.hasPrefix("/feeds") { #expect(answer["ETag"] == tag) }
                }
            }
        }
        let put = try await paced.api.send("PUT", "/feeds/news", #"{"items":[]}"#)
        #expect(put["Refresh-After"] == "80")
        #expect(try await paced.api.get("/feeds/none")["Refresh-After"] == nil)
        #expect(try await paced.api.get("/pull?feed=none")["Refresh-After"] == nil)
        #expect(try await paced.api.get("/feeds")["Refresh-After"] == nil)
    }

    @Test func aPullSaysTheLeast() async throws {
        let paced = PacedAPI()
        try paced.publish("slow", after: [0, 600])
        try paced.publish("quick", after: [0, 20])
        for _ in 0..<2 {
            let answer = try await paced.api.get("/pull?feed=slow&feed=quick")
            #expect(answer["Refresh-After"] == "20")
        }
    }

    /// What is sent from memory keeps up with the time, and its content stays as it is.
    @Test func whatIsKeptIsToldAnew() async throws {
        let paced = PacedAPI()
        try paced.publish("news", after: [0, 640])
        let first = try await paced.api.get("/feeds/news")
        #expect(first["Refresh-After"] == "640")
        for silence in 1...100_000 where silence % 7 == 0 || silence < 1000 {
            if silence > 2000, silence % 701 != 0 { continue }
            let now = Duration.seconds(640 + silence)
            paced.clock.advance(by: now - paced.clock.now)
            let exact = silence < 640 ? 640 - silence : min(3600, silence / 10)
            for fields in [[:], ["If-None-Match": first["ETag"] ?? ""]] {
                let answer = try await paced.api.get("/feeds/news", fields)
                let hint = try #require(answer["Refresh-After"].flatMap(Int.init))
                // An eighth off, or the seconds until it is looked at.
                #expect(abs(hint - exact) <= max(exact, hint) / 7 + 1 || silence - 640 < 2)
                #expect(answer["ETag"] == first["ETag"])
                #expect(answer.body == (answer.status == 200 ? first.body : []))
            }
        }
    }

    /// Rhythms, as seconds between changes; the most polls for each of them, and how late a client
    /// that polls as it is told learns of one, at the median, as a part of the interval before it.
    static let rhythms: [(name: String, intervals: [Int], polls: Double, lateness: Double)] = [
        ("steady", Array(repeating: 300, count: 100), 1.1, 0.01),
        ("daily", Array(repeating: 86_400, count: 40), 25, 0.01),
        ("bursty", (0..<200).map { $0 % 10 == 9 ? 7200 : 20 }, 1.5, 0.1),
        (
            "like a person",
            (0..<200).map { [45, 160, 30, 600, 90, 20, 1200, 75][$0 * 5 % 8] + $0 % 13 }, 1.5, 1
        ),
        ("faster than a second hand", Array(repeating: 1, count: 100), 1.1, 1),
    ]

    @Test(arguments: rhythms)
    func aClientThatDoesAsItIsToldIsPromptAndRare(
        _ rhythm: (name: String, intervals: [Int], polls: Double, lateness: Double)
    ) async throws {
        let paced = PacedAPI()
        try paced.publish("news", after: [0])
        var (polls, times, next) = (0, [Double](), 0)
        var seen = try #require(try await paced.api.get("/feeds/news")["ETag"])
        for (number, interval) in rhythm.intervals.enumerated() {
            let change = Int(paced.clock.now.components.seconds) + interval
            // Polls until the change.
            while next < change {
                paced.clock.advance(by: .seconds(next) - paced.clock.now)
                let answer = try await paced.api.get("/feeds/news", ["If-None-Match": seen])
                seen = answer["ETag"] ?? seen
                if number >= rhythm.intervals.count / 2 { polls += 1 }
                next += try #require(answer["Refresh-After"].flatMap(Int.init))
            }
            paced.clock.advance(by: .seconds(change) - paced.clock.now)
            try paced.publish("news", number + 1)
            times.append(Double(next - change) / Double(interval))
        }
        let late = times.suffix(times.count / 2).sorted()
        #expect(Double(polls) / Double(late.count) <= rhythm.polls)
        #expect(late[late.count / 2] <= rhythm.lateness)
    }

    @Test func aSilentFeedIsAskedForLessAndLess() async throws {
        let paced = PacedAPI()
        try paced.publish("news", after: [0])
        var (polls, last) = (0, 0)
        while paced.clock.now < .seconds(30 * 86_400) {
            let answer = try await paced.api.get("/feeds/news")
            let hint = try #require(answer["Refresh-After"].flatMap(Int.init))
            #expect((1...3600).contains(hint))
            #expect(hint >= last)
            last = hint
            polls += 1
            paced.clock.advance(by: .seconds(hint))
        }
        #expect(last == 3600)
        #expect(polls < 30 * 24 + 120)
    }

    @Test func aFeedThatComesAgainHasARhythmOfItsOwn() async throws {
        let paced = PacedAPI()
        try paced.publish("news", after: [0, 640])
        _ = paced.api.store.remove(try #require(FeedName("news"))) { _ in }
        try paced.publish("news", 9)
        #expect(try await paced.api.get("/feeds/news")["Refresh-After"] == "1")
    }
}
