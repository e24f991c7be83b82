import DequeModule
import FeedModel
import Glibc

/// Waiting work, in a fair order: next is the work of the client and feed that have used least
/// processor time lately, and among these the oldest.
///
/// Counting by client keeps one client from taking all of the time. Counting by feed keeps an
/// attack on one feed, from any number of addresses, from delaying the others. Every operation
/// takes time logarithmic in the amount of waiting work, except for a charge that raises a level:
/// that reorders all flows of the account (``UsageLedger``).
struct FairQueue {
    private struct Flow {
        var waiting: Deque<QueuedWork> = []
        /// The sum of the use of the flow's client and feed, as a level.
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
    /// The flows for eviction, grouped by the logarithm of their number of waiting pieces.
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
        reorder(flow, before: (flows[flow]?.waiting.count ?? 1) - 1)
        count += 1
        byteCount += work.byteCount
    }

    /// Removes and returns the next work.
    mutating func popNext(at now: Duration) -> QueuedWork? {
        expire(at: now)
        return turns.first.flatMap { remove(from: $0.element) { $0.popFirst() } }
    }

    /// Removes and returns the newest work of the flow that has had most, to make room for `flow`;
    /// `nil` if `flow` has had as much itself.
    mutating func popLast(for flow: WorkFlow, at now: Duration) -> QueuedWork? {
        worst(for: flow, at: now).flatMap { remove(from: $0) { $0.popLast() } }
    }

    /// Returns whether ``popLast(for:at:)`` would return work.
    mutating func canMakeRoom(for flow: WorkFlow, at now: Duration) -> Bool {
        worst(for: flow, at: now) != nil
    }

    /// Removes and returns all work that came before `time`.
    mutating func popStale(before time: Duration) -> [QueuedWork] {
        var stale: [QueuedWork] = []
        while let oldest = ages.first, oldest.key < time,
            let work = remove(from: oldest.element, { $0.popFirst() })
        {
            stale.append(work)
        }
        return stale
    }

    /// Records the processor time that work of `flow` has used.
    mutating func charge(_ nanoseconds: Int, to flow: WorkFlow, at now: Duration) {
        expire(at: now)
        for account in flow.accounts where ledger.charge(nanoseconds, to: account, at: now) {
            reorder(account)
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

    /// Returns the flow that must make room for `flow`.
    ///
    /// Flows are grouped by their amount of waiting work, and only the flow with the most use of
    /// each group is compared.
    private mutating func worst(for flow: WorkFlow, at now: Duration) -> WorkFlow? {
        expire(at: now)
        let others = excesses.values.compactMap { $0.first(but: flow) }
            .map { (flow: $0, weight: weight(of: $0, at: now)) }
        guard let worst = others.max(by: { $0.weight < $1.weight }),
            worst.weight > weight(of: flow, at: now)
        else { return nil }
        return worst.flow
    }

    /// Reorders the flows whose use has decayed to nothing.
    private mutating func expire(at now: Duration) {
        for account in ledger.expire(at: now) { reorder(account) }
    }

    /// Reorders the flows of an account whose level has changed.
    private mutating func reorder(_ account: UsageLedger.Account) {
        for flow in members[account] ?? [] {
            let usage = usage(of: flow)
            flows[flow]?.usage = usage
            reorder(flow, before: flows[flow]?.waiting.count ?? 0)
        }
    }

    private mutating func remove(
        from flow: WorkFlow,
        _ pop: (inout Deque<QueuedWork>) -> QueuedWork?
    ) -> QueuedWork? {
        guard let before = flows[flow]?.waiting.count, before > 0,
            let work = pop(&flows[flow, default: Flow(usage: -.infinity)].waiting)
        else { return nil }
        reorder(flow, before: before)
        count -= 1
        byteCount -= work.byteCount
        return work
    }

    /// Moves a flow to its positions in all orders, or removes it if no work of it waits.
    ///
    /// - Parameter count: The number of its waiting pieces before the change.
    private mutating func reorder(_ flow: WorkFlow, before count: Int) {
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

    /// Returns the group of a number of waiting pieces: the numbers of one binary length.
    private static func group(_ count: Int) -> Int {
        Int.bitWidth - count.leadingZeroBitCount
    }
}

/// A heap of elements with keys, the least key first; changing a key and removing an element take
/// logarithmic time.
struct IndexedHeap<Element: Hashable, Key: Comparable> {
    private var nodes: [(element: Element, key: Key)] = []
    private var indices: [Element: Int] = [:]

    var count: Int { nodes.count }

    /// The element with the least key.
    var first: (element: Element, key: Key)? { nodes.first }

    /// Returns the element with the least key among all others than `element`.
    func first(but element: Element) -> Element? {
        guard let first, first.element == element else { return first?.element }
        let second = nodes.dropFirst().prefix(2).min { $0.key < $1.key }
        return second?.element
    }

    /// Sets the key of an element, which may be new.
    mutating func set(_ element: Element, _ key: Key) {
        guard let index = indices[element] else {
            indices[element] = nodes.count
            nodes.append((element, key))
            rise(from: nodes.count - 1)
            return
        }
        let old = nodes[index].key
        nodes[index].key = key
        if key < old { rise(from: index) } else { sink(from: index) }
    }

    /// Removes an element, if it is present.
    mutating func remove(_ element: Element) {
        guard let index = indices.removeValue(forKey: element) else { return }
        let last = nodes.removeLast()
        guard index < nodes.count else { return }
        let old = nodes[index].key
        put(last, at: index)
        if last.key < old { rise(from: index) } else { sink(from: index) }
    }

    private mutating func put(_ node: (element: Element, key: Key), at index: Int) {
        nodes[index] = node
        indices[node.element] = index
    }

    private mutating func rise(from start: Int) {
        let node = nodes[start]
        var index = start
        while index > 0, node.key < nodes[(index - 1) / 2].key {
            put(nodes[(index - 1) / 2], at: index)
            index = (index - 1) / 2
        }
        if index != start { put(node, at: index) }
    }

    private mutating func sink(from start: Int) {
        let node = nodes[start]
        var index = start
        while 2 * index + 1 < nodes.count {
            var child = 2 * index + 1
            if child + 1 < nodes.count, nodes[child + 1].key < nodes[child].key { child += 1 }
            guard nodes[child].key < node.key else { break }
            put(nodes[child], at: index)
            index = child
        }
        if index != start { put(node, at: index) }
    }
}

/// The processor time that clients and feeds have used lately.
///
/// A use counts half after ``halfLife``, so an account that has used nothing for a while starts
/// afresh. All uses decay alike, so the order of two accounts changes only by new use. Each use is
/// therefore stored as a level that does not decay, and that changes only when the use has grown by
/// some per cent.
struct UsageLedger {
    /// An account of processor time.
    enum Account: Hashable, Sendable {
        case client(ClientID)
        case feed(FeedName)
    }

    private struct Usage {
        var nanoseconds: Double
        var time: Duration
        /// The level; `nil` if the use is negligible.
        var level: Int?
    }

    private var usages: [Account: Usage] = [:]
    /// The time at which each account's use becomes negligible.
    private var ends = IndexedHeap<Account, Duration>()
    /// The time at which each account is forgotten.
    private var last = IndexedHeap<Account, Duration>()

    /// The time after which a use counts half.
    static let halfLife = Duration.seconds(4)
    /// The most accounts; beyond it, those with the least use are forgotten.
    private static let countLimit = 8192
    /// The use below which a level is `nil`, in nanoseconds; smaller uses still add up.
    static let least = 100_000.0
    /// The use below which an account is forgotten, in nanoseconds.
    private static let nothing = 1_000.0
    /// The number of levels by which a doubled use is higher.
    private static let steps = 16.0

    /// Returns the level of an account's use; `nil` if the use is negligible.
    func level(of account: Account) -> Int? { usages[account]?.level }

    /// Adds to an account's use.
    ///
    /// - Returns: Whether the level has changed.
    mutating func charge(_ nanoseconds: Int, to account: Account, at now: Duration) -> Bool {
        let old = usages[account]
        let before = old.map { $0.nanoseconds * exp2(-max(0, (now - $0.time) / Self.halfLife)) }
        let value = (before ?? 0) + Double(max(0, nanoseconds))
        guard value >= Self.nothing else { return false }
        let level = value < Self.least ? nil : Self.level(value, at: now)
        usages[account] = Usage(nanoseconds: value, time: now, level: level)
        last.set(account, now + Self.halfLife * log2(value / Self.nothing))
        if level == nil {
            ends.remove(account)
        } else {
            ends.set(account, now + Self.halfLife * log2(value / Self.least))
        }
        return level != old?.level
    }

    /// Removes the levels of accounts whose use has become negligible, and forgets accounts.
    ///
    /// - Returns: The accounts that lost their level.
    mutating func expire(at now: Duration) -> [Account] {
        var expired: [Account] = []
        while let end = ends.first, end.key <= now {
            ends.remove(end.element)
            usages[end.element]?.level = nil
            expired.append(end.element)
        }
        while let end = last.first, end.key <= now || usages.count > Self.countLimit {
            last.remove(end.element)
            ends.remove(end.element)
            if usages.removeValue(forKey: end.element)?.level != nil { expired.append(end.element) }
        }
        return expired
    }

    private static func level(_ nanoseconds: Double, at time: Duration) -> Int {
        Int(((log2(nanoseconds) + time / halfLife) * steps).rounded(.up))
    }

    /// Returns the sum of several uses, as a level that need not be whole.
    static func sum(_ levels: [Int?]) -> Double {
        levels.compactMap(\.self).map(Double.init).reduce(-.infinity) { sum, level in
            let (high, low) = (max(sum, level), min(sum, level))
            return high + steps * log2(1 + exp2((low - high) / steps))
        }
    }

    /// Returns the use that a level means at a time, in nanoseconds.
    static func nanoseconds(_ level: Double, at time: Duration) -> Double {
        exp2(level / steps - time / halfLife)
    }
}
