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
        // As where one address is a guid, too: two entries of it may make the same item.
        if Int.random(in: 0..<4, using: &random) == 0 { entry.guid = some("https://a.example/", 3) }
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

    /// Whether an entry's article, which has the entry's guid as its id, is there as it was if the
    /// entry makes the same item of it.
    private static func keeps(
        _ entry: SourceEntry,
        _ old: [FeedItem],
        _ all: [FeedItem],
        _ now: FeedDate
    ) -> Bool {
        guard let guid = entry.guid, entry.published.map({ $0 <= now }) ?? true,
            let article = old.first(where: { $0.id.string == guid }),
            SourceItem.item(entry, id: guid, after: article, now: now) == article
        else { return true }
        return all.contains(article)
    }

    /// Beside the first seeds, those in which one of two entries of a guid, or of a title and a
    /// time, took the other's article.
    @Test(arguments: [UInt64](0..<24) + [64, 193, 541, 565, 848, 910, 2249, 3098, 3692, 3898])
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
            // Whatever equals its article keeps it.
            let old = current.map(items) ?? []
            #expect(shown.allSatisfy { Self.keeps($0, old, all, now) }, "step \(step)")
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

    private static func show(
        _ days: [Int],
        after current: Snapshot?,
        hasDates: Bool = true
    ) -> Snapshot {
        var feed = SourceFeed(.atom)
        feed.entries = days.map { day in
            var entry = SourceEntry()
            (entry.guid, entry.title) = ("g\(day)", "Day \(day)")
            if hasDates { entry.published = FeedDate(seconds: 1_600_000_000 + day * 86_400) }
            return entry
        }
        var options = SourceSnapshot.Options()
        options.keeping = .count(100)
        let now = FeedDate(seconds: 1_700_000_000)
        return SourceSnapshot.make(feed, current: current, options: options, now: now)
    }

    private static func days(_ snapshot: Snapshot) -> [Int] {
        items(snapshot).compactMap { Int($0.id.string.dropFirst()) }
    }

    /// Such as one that is pinned, or was edited where a source is in the order of its edits.
    @Test(arguments: [true, false])
    func anOldArticleAtTheTopTakesNoOthersAway(hasDates: Bool) {
        var current: Snapshot?
        func show(_ days: [Int]) -> [Int] {
            let next = Self.show(days, after: current, hasDates: hasDates)
            current = next
            return Self.days(next)
        }
        for day in 4..<30 { _ = show((day - 4...day).reversed()) }
        #expect(show([29, 28, 27, 26, 25]) == (0..<30).reversed())
        let old = [3, 29, 28, 27, 26]
        #expect(show(old) == old + (0..<26).filter { $0 != 3 }.reversed())
        let later = [3, 30, 29, 28, 27]
        #expect(show(later) == later + (0..<27).filter { $0 != 3 }.reversed())
        // One that was never seen, too.
        let unknown = [-7, 31, 30, 29, 28]
        let all = Set(0..<32).union([-7])
        // Without dates nothing says that the other one was old.
        #expect(Set(show(unknown)) == (hasDates ? all : all.subtracting([3])))
    }

    @Test func whatIsMissingAmongOthersIsTakenAway() {
        let before = Self.show([9, 8, 7, 6, 5], after: Self.show([5, 4, 3, 2, 1], after: nil))
        #expect(Self.days(before) == (1..<10).reversed())
        #expect(Self.days(Self.show([9, 7, 6, 5, 4], after: before)) == [9, 7, 6, 5, 4, 3, 2, 1])
        // An older one that was never seen fills its place.
        let short = Self.show([9, 8, 7, 6, 5], after: nil)
        #expect(Self.days(Self.show([9, 8, 7, 6, 4], after: short)) == [9, 8, 7, 6, 4])
    }
}
