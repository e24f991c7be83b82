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

/// Elements by key, the least first; a key can change, and an element leave, in logarithmic time.
struct IndexedHeap<Element: Hashable, Key: Comparable> {
    private var nodes: [(element: Element, key: Key)] = []
    private var indices: [Element: Int] = [:]

    var count: Int { nodes.count }

    /// The element with the least key.
    var first: (element: Element, key: Key)? { nodes.first }

    /// The element with the least key of all but one.
    func first(but element: Element) -> Element? {
        guard let first, first.element == element else { return first?.element }
        let second = nodes.dropFirst().prefix(2).min { $0.key < $1.key }
        return second?.element
    }

    /// Gives an element its key; it may be new.
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

    /// Takes an element out, if it is there.
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

/// Processor time that was used of late, by whom and for which feed.
///
/// Use counts half after ``halfLife``, so an account that has used nothing since starts afresh. All
/// use decays alike, so an account that has used more than another stays ahead. Use therefore is
/// kept as a level that does not decay, and changes only when the use has grown by some per cent.
struct UsageLedger {
    /// Who or what uses processor time.
    enum Account: Hashable, Sendable {
        case client(ClientID)
        case feed(FeedName)
    }

    private struct Usage {
        var nanoseconds: Double
        var time: Duration
        /// `nil`: as good as none.
        var level: Int?
    }

    private var usages: [Account: Usage] = [:]
    /// When each is as good as none.
    private var ends = IndexedHeap<Account, Duration>()
    /// When each is forgotten.
    private var last = IndexedHeap<Account, Duration>()

    /// After which use counts half.
    static let halfLife = Duration.seconds(4)
    /// How many are remembered before those that used least are forgotten.
    private static let countLimit = 8192
    /// Less is as good as none, in nanoseconds; it adds up all the same.
    static let least = 100_000.0
    /// Less is forgotten.
    private static let nothing = 1_000.0
    /// The levels between some use and its double.
    private static let steps = 16.0

    /// The level of what an account has used; `nil`: as good as none.
    func level(of account: Account) -> Int? { usages[account]?.level }

    /// Notes what was used.
    ///
    /// - Returns: Whether the level is another one.
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

    /// Forgets what is over.
    ///
    /// - Returns: The accounts whose use is as good as none from now on.
    mutating func settle(at now: Duration) -> [Account] {
        var settled: [Account] = []
        while let end = ends.first, end.key <= now {
            ends.remove(end.element)
            usages[end.element]?.level = nil
            settled.append(end.element)
        }
        while let end = last.first, end.key <= now || usages.count > Self.countLimit {
            last.remove(end.element)
            ends.remove(end.element)
            if usages.removeValue(forKey: end.element)?.level != nil { settled.append(end.element) }
        }
        return settled
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

    /// The use at some time that a level stands for, in nanoseconds.
    static func nanoseconds(_ level: Double, at time: Duration) -> Double {
        exp2(level / steps - time / halfLife)
    }
}
