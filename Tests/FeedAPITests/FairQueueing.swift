import FeedModel
import Foundation
import TestSupport
import Testing

@testable import FeedAPI

/// The queue beside one that looks at everything each time.
@Suite struct FairQueueing {
    /// The same with a walk over all that waits.
    private struct NaiveQueue {
        var waiting: [(flow: WorkFlow, time: Duration, number: Int)] = []
        var used: [UsageLedger.Account: [(nanoseconds: Double, time: Duration)]] = [:]

        func usage(of flow: WorkFlow, at now: Duration) -> Double {
            flow.accounts.map { account in
                let sum = used[account, default: []].reduce(0) { sum, use in
                    sum + use.nanoseconds * exp2((use.time - now) / UsageLedger.halfLife)
                }
                return sum < UsageLedger.least ? 0 : sum
            }.reduce(0, +)
        }

        func weight(of flow: WorkFlow, at now: Duration) -> Double {
            usage(of: flow, at: now) + 1e6 * Double(waiting.count { $0.flow == flow })
        }

        /// The first piece of each flow.
        var firsts: [(flow: WorkFlow, time: Duration, number: Int)] {
            var seen: Set<WorkFlow> = []
            return waiting.filter { seen.insert($0.flow).inserted }
        }
    }

    private var queue = FairQueue()
    private var naive = NaiveQueue()
    private var now = Duration.seconds(1000)
    private var number = 0
    private var random: SeededGenerator

    /// How much more than another one may have used who comes first.
    private static let grain = 1.05

    init() {
        random = SeededGenerator(seed: 0)
    }

    private mutating func flow() -> WorkFlow {
        let client = UInt64.random(in: 0..<9, using: &random)
        let feed = Int.random(in: 0..<6, using: &random)
        return WorkFlow(
            client: .key(client),
            feed: FeedName("f\(feed)").flatMap { feed == 0 ? nil : $0 }
        )
    }

    private mutating func append() {
        let flow = flow()
        number += 1
        naive.waiting.append((flow, now, number))
        // Bytes tell the pieces apart.
        queue.append(QueuedWork(flow: flow, time: now, byteCount: number, run: {}, refuse: {}))
    }

    private mutating func takeNext() throws {
        let firsts = naive.firsts
        guard let next = queue.popNext(at: now) else { return #expect(firsts.isEmpty) }
        let own = try #require(firsts.first { $0.flow == next.flow })
        #expect(own.number == next.byteCount, "the oldest of its flow")
        let usage = naive.usage(of: next.flow, at: now)
        for other in firsts where other.number != own.number {
            let least = naive.usage(of: other.flow, at: now)
            #expect(usage <= least * Self.grain)
            if usage == 0, least == 0 { #expect(own.time <= other.time) }
        }
        naive.waiting.removeAll { $0.number == own.number }
    }

    private mutating func makeRoom() throws {
        let flow = flow()
        let others = Set(naive.waiting.map(\.flow)).subtracting([flow])
        let weights = others.map { naive.weight(of: $0, at: now) }
        let (worst, own) = (weights.max() ?? 0, naive.weight(of: flow, at: now))
        #expect(queue.canMakeRoom(for: flow, at: now) == (queue.popping(for: flow, at: now) != nil))
        guard let last = queue.popLast(for: flow, at: now) else {
            // One of about as many pieces stands for others of at most twice as many.
            return #expect(worst <= 2 * Self.grain * max(own, 1))
        }
        let weight = naive.weight(of: last.flow, at: now)
        #expect(weight * Self.grain > own)
        #expect(weight * 2 * Self.grain >= worst)
        let newest = naive.waiting.last { $0.flow == last.flow }
        #expect(newest?.number == last.byteCount, "the newest of its flow")
        naive.waiting.removeAll { $0.number == last.byteCount }
    }

    private mutating func dropStale() {
        let time = now - .seconds(Int.random(in: 0..<9, using: &random))
        let stale = Set(queue.popStale(before: time).map(\.byteCount))
        #expect(stale == Set(naive.waiting.filter { $0.time < time }.map(\.number)))
        naive.waiting.removeAll { $0.time < time }
    }

    private mutating func charge() {
        let flow = flow()
        let nanoseconds = 1 << Int.random(in: 9..<32, using: &random)
        queue.charge(nanoseconds, to: flow, at: now)
        for account in flow.accounts {
            naive.used[account, default: []].append((Double(nanoseconds), now))
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    mutating func itIsAsFairAsALookAtAllThatWaits(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        for _ in 0..<600 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<8: append()
            case 8..<12: try takeNext()
            case 12..<14: try makeRoom()
            case 14..<15: dropStale()
            case 15..<18: charge()
            default:
                let wait = Int.random(in: 0..<3, using: &random) == 0 ? 60_000 : 700
                now += .milliseconds(Int.random(in: 0..<wait, using: &random))
            }
            #expect(queue.count == naive.waiting.count)
            #expect(queue.byteCount == naive.waiting.map(\.number).reduce(0, +))
        }
        while !queue.isEmpty { try takeNext() }
        #expect(naive.waiting.isEmpty)
    }

    @Test mutating func manySmallPiecesCountAsOneLargeOne() {
        let (busy, other) = (
            WorkFlow(client: .key(1), feed: nil), WorkFlow(client: .key(2), feed: nil)
        )
        for _ in 0..<1000 { queue.charge(50_000, to: busy, at: now) }
        queue.append(QueuedWork(flow: busy, time: now, run: {}, refuse: {}))
        queue.append(QueuedWork(flow: other, time: now + .seconds(1), run: {}, refuse: {}))
        #expect(queue.popNext(at: now + .seconds(1))?.flow == other)
    }

    /// A key that counts how often it is compared.
    private struct CountedKey: Comparable {
        final class Count { var value = 0 }
        let value: Int
        let count: Count

        static func < (left: CountedKey, right: CountedKey) -> Bool {
            left.count.value += 1
            return left.value < right.value
        }

        static func == (left: CountedKey, right: CountedKey) -> Bool { left.value == right.value }
    }

    @Test(arguments: [10, 100, 1000, 10_000])
    func aHeapComparesAsOftenAsTheLogarithmSays(size: Int) {
        var random = SeededGenerator(seed: UInt64(size))
        var heap = IndexedHeap<Int, CountedKey>()
        let count = CountedKey.Count()
        var keys: [Int: Int] = [:]
        for element in 0..<size {
            let key = Int.random(in: 0..<1000, using: &random)
            heap.set(element, CountedKey(value: key, count: count))
            keys[element] = key
        }
        let limit = 2 * Int(log2(Double(size))) + 4
        for _ in 0..<2000 {
            let element = Int.random(in: 0..<size, using: &random)
            let key = Int.random(in: 0..<1000, using: &random)
            count.value = 0
            if Int.random(in: 0..<3, using: &random) == 0 {
                heap.remove(element)
                keys[element] = nil
            } else {
                heap.set(element, CountedKey(value: key, count: count))
                keys[element] = key
            }
            #expect(count.value <= limit)
            #expect(heap.first?.key.value == keys.values.min())
        }
        while let first = heap.first {
            #expect(first.key.value == keys.values.min())
            heap.remove(first.element)
            keys[first.element] = nil
        }
        #expect(keys.isEmpty)
    }
}

extension FairQueue {
    /// What ``popLast(for:at:)`` would take, without taking it.
    fileprivate func popping(for flow: WorkFlow, at now: Duration) -> QueuedWork? {
        var copy = self
        return copy.popLast(for: flow, at: now)
    }
}
