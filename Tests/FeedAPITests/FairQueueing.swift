import FeedModel
import TestSupport
import Testing

@testable import FeedAPI

/// The queue beside one that looks at everything each time.
@Suite struct FairQueueing {
    private struct Piece {
        let client: ClientID
        let time: Duration
        let number: Int
    }

    /// Start-time fair queueing with a walk over all that waits.
    private struct NaiveQueue {
        var waiting: [Piece] = []
        var times: [ClientID: Int] = [:]
        var time = 0

        func virtualTime(of client: ClientID) -> Int {
            let isWaiting = waiting.contains { $0.client == client }
            return max(times[client] ?? 0, isWaiting ? 0 : time)
        }

        func weight(of client: ClientID) -> Int {
            virtualTime(of: client) + 1_000_000 * waiting.count { $0.client == client }
        }

        /// The first piece of each client.
        var firsts: [Piece] {
            var seen: Set<ClientID> = []
            return waiting.filter { seen.insert($0.client).inserted }
        }
    }

    private var queue = FairQueue()
    private var naive = NaiveQueue()
    private var now = Duration.seconds(1000)
    private var number = 0
    private var random: SeededGenerator

    init() {
        random = SeededGenerator(seed: 0)
    }

    private mutating func client() -> ClientID {
        .key(UInt64.random(in: 0..<9, using: &random))
    }

    private mutating func append() {
        let client = client()
        number += 1
        naive.times[client] = naive.virtualTime(of: client)
        naive.waiting.append(Piece(client: client, time: now, number: number))
        // Bytes tell the pieces apart.
        queue.append(QueuedWork(client: client, time: now, byteCount: number, run: {}, refuse: {}))
    }

    private mutating func takeNext() throws {
        let firsts = naive.firsts
        guard let next = queue.popNext() else { return #expect(firsts.isEmpty) }
        let own = try #require(firsts.first { $0.client == next.client })
        #expect(own.number == next.byteCount, "the oldest of its client")
        let time = naive.virtualTime(of: own.client)
        for other in firsts where other.number != own.number {
            #expect((time, own.time) <= (naive.virtualTime(of: other.client), other.time))
        }
        naive.time = max(naive.time, time)
        naive.waiting.removeAll { $0.number == own.number }
    }

    private mutating func makeRoom() throws {
        let client = client()
        let others = Set(naive.waiting.map(\.client)).subtracting([client])
        let worst = others.map { naive.weight(of: $0) }.max() ?? 0
        let hasRoom = worst > naive.weight(of: client)
        #expect(queue.canMakeRoom(for: client) == hasRoom)
        guard let last = queue.popLast(for: client) else { return #expect(!hasRoom) }
        #expect(hasRoom && naive.weight(of: last.client) == worst)
        let newest = naive.waiting.last { $0.client == last.client }
        #expect(newest?.number == last.byteCount, "the newest of its client")
        naive.waiting.removeAll { $0.number == last.byteCount }
    }

    private mutating func dropStale() {
        let time = now - .seconds(Int.random(in: 0..<9, using: &random))
        let stale = Set(queue.popStale(before: time).map(\.byteCount))
        #expect(stale == Set(naive.waiting.filter { $0.time < time }.map(\.number)))
        naive.waiting.removeAll { $0.time < time }
    }

    private mutating func charge() {
        let client = client()
        let nanoseconds = 1 << Int.random(in: 9..<32, using: &random)
        naive.times[client] = naive.virtualTime(of: client) + nanoseconds
        queue.charge(nanoseconds, to: client)
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
        let (busy, other) = (ClientID.key(1), ClientID.key(2))
        for _ in 0..<1000 { queue.charge(50_000, to: busy) }
        queue.append(QueuedWork(client: busy, time: now, run: {}, refuse: {}))
        queue.append(QueuedWork(client: other, time: now + .seconds(1), run: {}, refuse: {}))
        #expect(queue.popNext()?.client == other)
    }

    /// Two clients that always have work get the same time, however much a piece of each takes.
    @Test(arguments: [(1, 1), (1, 7), (40, 3)])
    mutating func clientsThatAlwaysWaitGetEqualShares(_ first: Int, _ second: Int) {
        let costs = [ClientID.key(1): first * 100_000, .key(2): second * 100_000]
        var used: [ClientID: Int] = [:]
        for client in costs.keys {
            queue.append(QueuedWork(client: client, time: now, run: {}, refuse: {}))
        }
        for _ in 0..<1000 {
            guard let next = queue.popNext(), let cost = costs[next.client] else { continue }
            queue.append(QueuedWork(client: next.client, time: now, run: {}, refuse: {}))
            queue.charge(cost, to: next.client)
            used[next.client, default: 0] += cost
        }
        let (least, most) = (used.values.min() ?? 0, used.values.max() ?? 0)
        #expect(used.count == 2 && most - least <= max(first, second) * 100_000)
    }

    /// A client that had no work for long has saved up nothing.
    @Test mutating func timeWithoutWorkIsNoCredit() {
        let (busy, idle) = (ClientID.key(1), ClientID.key(2))
        for _ in 0..<100 {
            queue.append(QueuedWork(client: busy, time: now, run: {}, refuse: {}))
            #expect(queue.popNext()?.client == busy)
            queue.charge(1_000_000, to: busy)
        }
        var taken: [ClientID] = []
        for _ in 0..<10 {
            for client in [busy, idle] {
                queue.append(QueuedWork(client: client, time: now, run: {}, refuse: {}))
            }
        }
        for _ in 0..<10 {
            guard let next = queue.popNext() else { continue }
            taken.append(next.client)
            queue.charge(1_000_000, to: next.client)
        }
        #expect(taken.count { $0 == busy } >= 4)
    }

    /// Clients that come once are not remembered for ever.
    @Test mutating func manyClientsAreForgotten() {
        for number in 0..<100_000 as Range<UInt64> { queue.charge(1000, to: .key(number)) }
        queue.append(QueuedWork(client: .key(0), time: now, run: {}, refuse: {}))
        #expect(queue.ahead.count <= 16_384)
        #expect(queue.popNext() != nil)
        queue.restart()
        #expect(queue.ahead.isEmpty)
    }
}
