import DequeModule
import FeedModel
import Glibc

/// Work that waits, and whose turn is next: of the client and the feed that have had least of late,
/// the oldest.
///
/// The first counts so that one client does not take all; the second, so that an attack on one
/// feed, from however many addresses, does not hold up the others. Whatever is done takes time that
/// grows with the logarithm of what waits, but for a charge that raises somebody's level: what
/// waits for that one is placed anew then (``UsageLedger``).
struct FairQueue {
    private struct Flow {
        var waiting: Deque<QueuedWork> = []
        /// The use of its client and its feed, as a level.
        var usage: Double
    }

    /// Orders flows by their turns: the least use is next, then the oldest work.
    private struct Turn: Comparable {
        let usage: Double
        let time: Duration

        static func < (left: Turn, right: Turn) -> Bool {
            (left.usage, left.time) < (right.usage, right.time)
        }
    }

    /// Orders flows for eviction: the most use is first, then the most waiting work.
    private struct Excess: Comparable {
        let usage: Double
        let count: Int

        static func < (left: Excess, right: Excess) -> Bool {
            (left.usage, left.count) > (right.usage, right.count)
        }
    }

    private var ledger = UsageLedger()
    private var flows: [WorkFlow: Flow] = [:]
    /// The flows of each client and feed.
    private var members: [UsageLedger.Account: Set<WorkFlow>] = [:]
    private var turns = IndexedHeap<WorkFlow, Turn>()
    private var ages = IndexedHeap<WorkFlow, Duration>()
    /// By the logarithm of how much of a flow waits.
    private var excesses: [Int: IndexedHeap<WorkFlow, Excess>] = [:]
    private(set) var count = 0
    private(set) var byteCount = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ work: QueuedWork) {
        let flow = work.flow
        if flows[flow] == nil {
            flows[flow] = Flow(usage: usage(of: flow))
            for account in flow.accounts { members[account, default: []].insert(flow) }
        }
        flows[flow]?.waiting.append(work)
        place(flow, before: (flows[flow]?.waiting.count ?? 1) - 1)
        count += 1
        byteCount += work.byteCount
    }

    /// Takes out what is next.
    mutating func popNext(at now: Duration) -> QueuedWork? {
        settle(at: now)
        return turns.first.flatMap { remove(from: $0.element) { $0.popFirst() } }
    }

    /// Takes out what is to make room for work of `flow`: the newest of those who have had most,
    /// if that is more than `flow` has had.
    mutating func popLast(for flow: WorkFlow, at now: Duration) -> QueuedWork? {
        worst(for: flow, at: now).flatMap { remove(from: $0) { $0.popLast() } }
    }

    /// Whether ``popLast(for:at:)`` would find something.
    mutating func canMakeRoom(for flow: WorkFlow, at now: Duration) -> Bool {
        worst(for: flow, at: now) != nil
    }

    /// Takes out what came before `time`.
    mutating func popStale(before time: Duration) -> [QueuedWork] {
        var stale: [QueuedWork] = []
        while let oldest = ages.first, oldest.key < time,
            let work = remove(from: oldest.element, { $0.popFirst() })
        {
            stale.append(work)
        }
        return stale
    }

    /// Notes what work for `flow` has used.
    mutating func charge(_ nanoseconds: Int, to flow: WorkFlow, at now: Duration) {
        settle(at: now)
        for account in flow.accounts where ledger.charge(nanoseconds, to: account, at: now) {
            place(account)
        }
    }
}

extension FairQueue {
    private func usage(of flow: WorkFlow) -> Double {
        UsageLedger.sum(flow.accounts.map(ledger.level))
    }

    /// Returns the use of a flow, plus a millisecond for each piece of work that waits.
    private func weight(of flow: WorkFlow, at now: Duration) -> Double {
        let usage = flows[flow]?.usage ?? usage(of: flow)
        let count = flows[flow]?.waiting.count ?? 0
        return UsageLedger.nanoseconds(usage, at: now) + Double(count) * 1_000_000
    }

    /// The flow that makes room for `flow`.
    ///
    /// Among flows with about the same amount of waiting work, the one that used most stands for
    /// the others.
    private mutating func worst(for flow: WorkFlow, at now: Duration) -> WorkFlow? {
        settle(at: now)
        let others = excesses.values.compactMap { $0.first(but: flow) }
            .map { (flow: $0, weight: weight(of: $0, at: now)) }
        guard let worst = others.max(by: { $0.weight < $1.weight }),
            worst.weight > weight(of: flow, at: now)
        else { return nil }
        return worst.flow
    }

    /// Places those anew whose use counts no longer.
    private mutating func settle(at now: Duration) {
        for account in ledger.settle(at: now) { place(account) }
    }

    /// Places the flows of an account whose level is another one.
    private mutating func place(_ account: UsageLedger.Account) {
        for flow in members[account] ?? [] {
            let usage = usage(of: flow)
            flows[flow]?.usage = usage
            place(flow, before: flows[flow]?.waiting.count ?? 0)
        }
    }

    private mutating func remove(
        from flow: WorkFlow,
        _ pop: (inout Deque<QueuedWork>) -> QueuedWork?
    ) -> QueuedWork? {
        guard let before = flows[flow]?.waiting.count, before > 0,
            let work = pop(&flows[flow, default: Flow(usage: -.infinity)].waiting)
        else { return nil }
        place(flow, before: before)
        count -= 1
        byteCount -= work.byteCount
        return work
    }

    /// Gives a flow its places, or none if nothing of it waits.
    ///
    /// - Parameter count: How much of it waited before.
    private mutating func place(_ flow: WorkFlow, before count: Int) {
        guard let entry = flows[flow] else { return }
        let (old, new) = (FairQueue.group(count), FairQueue.group(entry.waiting.count))
        if old != new {
            excesses[old]?.remove(flow)
            if excesses[old]?.count == 0 { excesses[old] = nil }
        }
        guard let first = entry.waiting.first else { return leave(flow) }
        turns.set(flow, Turn(usage: entry.usage, time: first.time))
        ages.set(flow, first.time)
        excesses[new, default: IndexedHeap()]
            .set(flow, Excess(usage: entry.usage, count: entry.waiting.count))
    }

    private mutating func leave(_ flow: WorkFlow) {
        flows[flow] = nil
        turns.remove(flow)
        ages.remove(flow)
        for account in flow.accounts {
            members[account]?.remove(flow)
            if members[account]?.isEmpty == true { members[account] = nil }
        }
    }

    /// Returns the group of flows with about as much waiting work: from a power of two to the next.
    private static func group(_ count: Int) -> Int {
        Int.bitWidth - count.leadingZeroBitCount
    }
}
