import FeedDiff
import FeedModel
package import FeedStore
import Synchronization
import TestSupport

/// Operations made up from a seed on a store and on plain arrays, one after the other, until they
/// differ or there have been enough: the long form of the random tests, for `scripts/soak`.
struct Soak {
    /// What is known of a version that may still be remembered.
    private struct Past {
        let version: Version
        let content: PlainFeed
    }

    /// Why the store is wrong.
    struct Difference: Error {
        let what: String
    }

    private let store: FeedStore
    private let time: Time
    private var draw: RandomEdits
    private var feeds: [FeedName: [Past]] = [:]
    private(set) var publishes = 0
    private(set) var refusals = 0
    private(set) var deltas = 0

    private static let names = ["a", "b", "c"].compactMap { FeedName($0) }
    /// How many versions of a feed are held against what the store remembers.
    private static let pastLimit = 40

    init(seed: UInt64) {
        let random = SeededGenerator(seed: seed)
        // From feeds of a few items to some of thousands, so that trees are deep.
        draw = RandomEdits(
            random: random,
            rowCount: [25, 300, 4000][Int(seed % 3)],
            partCount: [6, 40, 3][Int(seed % 3)]
        )
        let time = Time()
        self.time = time
        var limits = HistoryLimits()
        limits.alwaysVersions = 3
        limits.alwaysDuration = .seconds(5)
        limits.weight = 200_000
        limits.versions = 30
        limits.totalWeight = 400_000
        store = FeedStore(
            limits: limits,
            clock: FeedStore.Clock(now: { time.now }, wall: { 0 })
        )
        // Of every second one about half of what the feeds would take.
        store.memoryByteLimit = seed % 2 == 0 ? .max : [6000, 50_000, 100_000][Int(seed % 3)]
    }

    /// Time that goes on with every operation.
    private final class Time: Sendable {
        private let milliseconds = Atomic(0)

        var now: Duration { .milliseconds(milliseconds.load(ordering: .relaxed)) }

        func advance() { milliseconds.add(100, ordering: .relaxed) }
    }
}

extension Soak {
    /// Makes up some edits of a feed, publishes them in one of several ways, and compares.
    ///
    /// - Returns: How many operations there were.
    /// - Throws: ``Difference``.
    mutating func step() throws -> Int {
        time.advance()
        let feed = Soak.names.randomElement(using: &draw.random) ?? Soak.names[0]
        if Int.random(in: 0..<2000, using: &draw.random) == 0 {
            let existed = store.remove(feed) { _ in }
            try check(existed == (feeds.removeValue(forKey: feed) != nil), "a delete")
            return 1
        }
        let before = feeds[feed]?.last?.content ?? PlainFeed()
        var after = before
        var edits: [Edit] = []
        for _ in 0..<Int.random(in: 1...12, using: &draw.random) {
            let edit = try draw.edit(of: after)
            if after.apply(edit) { edits.append(edit) }
        }
        try publish(edits, after, to: feed, by: Int.random(in: 0..<8, using: &draw.random))
        try lookBack(feed)
        return max(1, edits.count)
    }

    private mutating func publish(
        _ edits: [Edit],
        _ content: PlainFeed,
        to feed: FeedName,
        by way: Int
    ) throws {
        let body = way == 0 ? Array(content.json.utf8) : nil
        let known = store.current(feed)?.snapshot
        let publication: Publication
        do {
            publication = try store.publishInMemory(feed, refusal: asItIs) { current in
                if let body { return try Snapshot(publishing: body, known: known) }
                return try (current?.snapshot ?? Snapshot()).applying(edits)
            }
        } catch is MemoryShortage {
            refusals += 1
            return try check(store.current(feed)?.snapshot === known, "a refused publish")
        }
        publishes += 1
        let current = publication.current
        try check(PlainFeed(current.snapshot) == content, "what was published")
        try check(current.snapshot.order == Snapshot(copying: current.snapshot).order, "the order")
        var applied = feeds[feed]?.last?.content ?? PlainFeed()
        try check(publication.isChanged == (applied != content) || feeds[feed] == nil, "a version")
        applied.apply(publication.changes)
        try check(applied == content, "the changes of a publish")
        if publication.isChanged {
            feeds[feed, default: []].append(Past(version: current, content: content))
            if let count = feeds[feed]?.count, count > Soak.pastLimit {
                feeds[feed]?.removeFirst(count - Soak.pastLimit)
            }
        }
    }

    /// Compares a remembered version with the current one, and what is counted with what is there.
    private mutating func lookBack(_ feed: FeedName) throws {
        var sum = FeedCost()
        for name in Soak.names {
            if let cost = store.cost(of: name) { sum += cost }
        }
        try check(sum == store.cost, "what the feeds cost")
        guard let list = feeds[feed], let now = list.last,
            let then = list.randomElement(using: &draw.random)
        else { return }
        try check(store.current(feed) === now.version, "the current version")
        guard let old = store.version(then.version.token, of: feed) else { return }
        try check(old === then.version, "a past version")
        deltas += 1
        let changes = Changes(from: FeedView()(old.snapshot), to: FeedView()(now.version.snapshot))
        var content = then.content
        content.apply(changes)
        try check(content == now.content, "the changes since \(old.token)")
        let applied = try old.snapshot.applying(changes)
        try check(PlainFeed(applied) == now.content, "changes applied to \(old.token)")
    }

    private func check(_ isRight: Bool, _ what: String) throws {
        if !isRight { throw Difference(what: what) }
    }
}

/// A shortage as an error that a publish throws.
package func asItIs(_ shortage: MemoryShortage) -> MemoryShortage { shortage }

extension Snapshot? {
    /// Whether both are none, or the same lists.
    fileprivate static func === (left: Snapshot?, right: Snapshot?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?):
            left.count == right.count && left.order == right.order
        default: false
        }
    }
}

extension Snapshot {
    /// The same, with nothing shared and everything worked out anew.
    fileprivate init(copying other: Snapshot) {
        let sections = other.sections.map {
            FeedSection(id: $0.id, members: $0.members, items: Array($0.items))
        }
        self.init(members: other.members, sections: sections)
    }
}

/// Runs soaks of ever new seeds; the arguments are the number of operations and the first seed.
///
/// - Returns: 0, or 1 after a difference.
@_cdecl("freshet_soak")
public func runSoak() -> Int32 {
    let words = CommandLine.arguments
    let goal = words.count > 1 ? Int(words[1]) ?? 0 : 1_000_000
    var seed = words.count > 2 ? UInt64(words[2]) ?? 0 : 0
    var operations = 0
    while operations < goal {
        var soak = Soak(seed: seed)
        let start = operations
        do {
            while operations < min(goal, start + 20_000) { operations += try soak.step() }
        } catch {
            print("seed \(seed), operation \(operations - start): \(error)")
            return 1
        }
        print(
            "seed \(seed): \(operations) operations, \(soak.publishes) publishes,",
            "\(soak.refusals) refused for memory, \(soak.deltas) deltas: no difference"
        )
        seed += 1
    }
    return 0
}
