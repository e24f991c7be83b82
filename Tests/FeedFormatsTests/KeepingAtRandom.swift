import FeedModel
import TestSupport
import Testing

@testable import FeedFormats

/// What becomes of a feed whose source shows now these, now those entries, which err in all ways.
@Suite struct KeepingAtRandom {
    private static func entry(_ random: inout SeededGenerator) -> SourceEntry {
        func some(_ prefix: String, _ count: Int) -> String? {
            let number = Int.random(in: -2..<count, using: &random)
            return number < 0 ? nil : prefix + "\(number)"
        }
        var entry = SourceEntry()
        entry.guid = some("g", 12)
        entry.url = some("https://a.example/", 10)
        entry.title = some("T", 6)
        entry.content = some("text ", 4)
        let day = Int.random(in: -3..<30, using: &random)
        if day >= 0 { entry.published = FeedDate(seconds: 1_600_000_000 + day * 86_400) }
        return entry
    }

    private static func same(_ entry: SourceEntry) -> String {
        let parts = [entry.guid, entry.url, entry.title, entry.content, entry.published?.text]
        return parts.map { $0 ?? "-" }.joined(separator: "|")
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func allThatIsShownIsThereOnce(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let keepings: [SourceKeeping] = [.nothing, .count(15), .age(20 * 86_400)]
        var options = SourceSnapshot.Options()
        options.keeping = keepings[Int(seed % 3)]
        var shown = (0..<10).map { _ in Self.entry(&random) }
        var current: Snapshot?
        for step in 0..<25 {
            var feed = SourceFeed(.rss)
            feed.entries = shown
            let now = FeedDate(seconds: 1_602_000_000 + step * 3600)
            let next = SourceSnapshot.make(feed, current: current, options: options, now: now)
            let all = items(next)
            #expect(Set(all.map(\.id)).count == all.count, "step \(step)")
            // As many as differ, and in the order of the document.
            let distinct = Set(shown.map(Self.same)).count
            #expect(all.count >= distinct, "step \(step)")
            if options.keeping == .nothing { #expect(all.count == distinct, "step \(step)") }
            if case .count(let count) = options.keeping {
                #expect(all.count <= max(count, distinct), "step \(step)")
            }
            // The same document again and again changes nothing any more, however alike its
            // entries are.
            func again(_ snapshot: Snapshot) -> Snapshot {
                let later = FeedDate(seconds: 1_602_000_000 + step * 3600 + 60)
                return SourceSnapshot.make(feed, current: snapshot, options: options, now: later)
            }
            let settled = again(next)
            #expect(items(settled).count == all.count, "step \(step)")
            #expect(items(again(settled)) == items(settled), "step \(step)")
            current = next
            for index in shown.indices where Int.random(in: 0..<4, using: &random) == 0 {
                shown[index] = Self.entry(&random)
            }
            for _ in 0..<Int.random(in: 0..<3, using: &random) {
                shown.insert(Self.entry(&random), at: 0)
            }
            while shown.count > 12 { shown.removeLast() }
            if Int.random(in: 0..<5, using: &random) == 0 { shown.shuffle(using: &random) }
        }
    }
}
