import FeedDiff
import FeedModel
import StoreModel
import TestSupport
import Testing

@testable import FeedStore

/// The store beside lists of all versions that there ever were, from which what is remembered is
/// worked out anew each time.
@Suite struct RandomPublishing {
    static let limits = {
        var limits = HistoryLimits()
        limits.alwaysVersions = 3
        limits.alwaysDuration = .seconds(10)
        limits.weight = 8000
        limits.versions = 9
        limits.totalWeight = 12_000
        return limits
    }()

    @Test(arguments: 0..<12 as Range<UInt64>)
    func remembersWhatTheRulesSay(seed: UInt64) throws {
        var draw = RandomEdits(random: SeededGenerator(seed: seed))
        let time = HandClock()
        let store = FeedStore(limits: Self.limits, clock: time.clock)
        var model = NaiveStore(limits: Self.limits)
        for _ in 0..<250 {
            let pace = draw.chance(10) ? 20_000 : 1500
            time.advance(by: .milliseconds(Int.random(in: 0..<pace, using: &draw.random)))
            let feed = feedName(["a", "b", "c"].randomElement(using: &draw.random) ?? "a")
            if draw.chance(2) {
                #expect(store.remove(feed) { _ in } == (model.feeds[feed] != nil))
                model.feeds[feed] = nil
            } else {
                try publish(feed, in: store, to: &model, drawing: &draw, at: time.now)
            }
            try compare(store, model, at: time.now, drawing: &draw)
        }
        #expect(model.forgottenByAge > 0)
        #expect(model.forgottenForAll > 0)
    }

    private func publish(
        _ feed: FeedName,
        in store: FeedStore,
        to model: inout NaiveStore,
        drawing draw: inout RandomEdits,
        at now: Duration
    ) throws {
        var content = model.feeds[feed]?.last?.content ?? PlainFeed()
        for _ in 0..<Int.random(in: 0...4, using: &draw.random) {
            _ = content.apply(try draw.edit(of: content))
        }
        let before = model.feeds[feed]?.last
        let publication = try store.put(content.json, to: feed)
        #expect(publication.previous === before?.version)
        #expect(publication.isChanged == (content != before?.content))
        #expect(PlainFeed(publication.current.snapshot) == content)
        if let before {
            var applied = before.content
            applied.apply(publication.changes)
            #expect(applied == content)
        }
        if publication.isChanged {
            model.append(publication, content, at: now)
        }
    }

    private func compare(
        _ store: FeedStore,
        _ model: NaiveStore,
        at now: Duration,
        drawing draw: inout RandomEdits
    ) throws {
        #expect(store.all().map(\.token) == model.current.map(\.version.token))
        #expect(store.cost.history == model.weight)
        for name in ["a", "b", "c", "d"] {
            #expect(store.current(named: name.utf8.span) === store.current(feedName(name)))
        }
        let kept = model.remembered(at: now)
        let found = model.everything.filter {
            store.version($0.version.token, of: $0.version.feed) === $0.version
        }
        #expect(Set(found.map(\.version.token)) == Set(kept.map(\.version.token)))
        guard let one = kept.randomElement(using: &draw.random) else { return }
        let others = kept.filter { $0.version.feed == one.version.feed }
        if let other = others.randomElement(using: &draw.random) {
            let changes = Changes(
                from: FeedView()(other.version.snapshot),
                to: FeedView()(one.version.snapshot)
            )
            var content = other.content
            content.apply(changes)
            #expect(content == one.content)
        }
    }
}

/// All versions that there ever were, with what the rules say of them.
private struct NaiveStore {
    struct Entry {
        let version: Version
        let content: PlainFeed
        var supersededAt: Duration?
        var weight = 0
        var isForgotten = false
    }

    let limits: HistoryLimits
    var feeds: [FeedName: [Entry]] = [:]
    var everything: [Entry] = []
    var forgottenByAge = 0
    var forgottenForAll = 0

    init(limits: HistoryLimits) {
        self.limits = limits
    }

    var current: [Entry] {
        feeds.keys.sorted().compactMap { feeds[$0]?.last }
    }

    var weight: Int {
        feeds.values.joined().filter { !$0.isForgotten }.reduce(0) { $0 + $1.weight }
    }

    mutating func append(_ publication: Publication, _ content: PlainFeed, at now: Duration) {
        let version = publication.current
        var list = feeds[version.feed] ?? []
        if let last = list.indices.last {
            list[last].supersededAt = now
            list[last].weight = list[last].version.snapshot.weight(
                before: version.snapshot,
                changes: publication.changes
            )
        }
        list.append(Entry(version: version, content: content))
        everything.append(Entry(version: version, content: content))
        for index in list.indices where !list[index].isForgotten {
            if !keeps(index, in: list, at: now) {
                list[index].isForgotten = true
                forgottenByAge += 1
            }
        }
        feeds[version.feed] = list
        while list.count > 1, weight > limits.totalWeight, forgetOldest() {}
    }

    func remembered(at now: Duration) -> [Entry] {
        feeds.keys.sorted().flatMap { feed in
            let list = feeds[feed] ?? []
            return list.indices.filter {
                !list[$0].isForgotten && keeps($0, in: list, at: now)
            }.map { list[$0] }
        }
    }

    private func keeps(_ index: Int, in list: [Entry], at now: Duration) -> Bool {
        guard let supersededAt = list[index].supersededAt else { return true }
        let newer = list.count - 1 - index
        if newer < limits.alwaysVersions || now - supersededAt <= limits.alwaysDuration {
            return true
        }
        return newer < limits.versions
            && list[index...].reduce(0) { $0 + $1.weight } <= limits.weight
    }

    /// Forgets the oldest version of all that is older than the last of its feed.
    private mutating func forgetOldest() -> Bool {
        var oldest: (since: Duration, feed: FeedName, index: Int)?
        for feed in feeds.keys.sorted() {
            let list = feeds[feed] ?? []
            for (index, entry) in list.dropLast(limits.alwaysVersions).enumerated() {
                guard !entry.isForgotten, let since = entry.supersededAt else { continue }
                if let found = oldest, found.since <= since { continue }
                oldest = (since, feed, index)
            }
        }
        guard let oldest else { return false }
        feeds[oldest.feed]?[oldest.index].isForgotten = true
        forgottenForAll += 1
        return true
    }
}
