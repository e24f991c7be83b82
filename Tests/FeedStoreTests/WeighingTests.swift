import FeedDiff
import FeedModel
import StoreModel
import TestSupport
import Testing

@testable import FeedStore

@Suite struct Weighing {
    /// Two sections, of 10 and of 1,000 rows with 36 to 39 bytes each.
    static func feed() -> PlainFeed {
        var feed = PlainFeed()
        for (id, count) in [("small", 10), ("large", 1000)] {
            let rows = (0..<count).map { (row: Int) in
                PlainFeed.Row(id: "\(id)-row-with-a-long-id-\(row)", value: 1)
            }
            feed.parts.append(PlainFeed.Part(id: id, rows: rows))
        }
        return feed
    }

    @Test(arguments: [
        // What the next version has, too, weighs nothing, down to parts of a long list.
        (#"{"set": {"v": 2}, "item": "small-row-with-a-long-id-3"}"#, 0..<1200),
        (#"{"set": {"v": 2}, "item": "large-row-with-a-long-id-3"}"#, 1200..<4000),
        (#"{"remove": "large-row-with-a-long-id-3"}"#, 1200..<6000),
        (#"{"move": "large-row-with-a-long-id-3"}"#, 1200..<6000),
        (#"{"move": "small-row-with-a-long-id-3", "section": "large"}"#, 1200..<6000),
        (#"{"setSection": {"title": "L"}, "section": "large"}"#, 0..<1200),
        (#"{"setFeed": {"title": "L"}}"#, 0..<1200),
        (#"{"moveSection": "small"}"#, 0..<1200),
        // What goes weighs its bytes, too.
        (#"{"removeSection": "small"}"#, 300..<6000),
        (#"{"removeSection": "large"}"#, 100_000..<220_000),
    ])
    func countsWhatTheNextVersionDoesNotShare(_ json: String, _ weight: Range<Int>) throws {
        let store = FeedStore()
        try store.put(Self.feed().json)
        let list = try edits(json)
        _ = try store.publishInMemory(news) { version in
            try #require(version).snapshot.applying(list)
        }
        #expect(weight.contains(store.cost.history), "\(store.cost.history)")
        try store.put(#"{"items": []}"#)
        #expect(store.remove(news) { _ in })
        #expect(store.cost.history == 0)
    }

    @Test func aWholeFeedSentAgainSharesWhatDidNotChange() throws {
        let store = FeedStore()
        var feed = Self.feed()
        try store.put(feed.json)
        feed.parts[0].rows[0].value = 2
        try store.put(feed.json)
        #expect(store.cost.history < 1200)
    }

    @Test func manyLivesLeaveNothingBehind() throws {
        var limits = HistoryLimits()
        limits.alwaysVersions = 2
        limits.totalWeight = 12_000
        let store = FeedStore(limits: limits)
        for epoch in 0..<400 {
            for version in 0..<5 { try store.put(#"{"items": [], "v": \#(version)}"#) }
            if epoch < 399 { #expect(store.remove(news) { _ in }) }
        }
        // Of two feeds the oldest versions go, whichever feed they are of.
        let other = feedName("other")
        var tokens: [(FeedName, Token)] = []
        for version in 0..<30 {
            for feed in [news, other] {
                let json = #"{"items": [], "v": \#(100 + version)}"#
                tokens.append((feed, try store.put(json, to: feed).current.token))
            }
        }
        #expect(store.cost.history <= limits.totalWeight)
        let kept = tokens.map { store.version($0.1, of: $0.0) != nil }
        let first = try #require(kept.firstIndex(of: true))
        #expect(first > 30)
        #expect(!kept[first...].contains(false))
    }
}
