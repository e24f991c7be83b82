import DequeModule
import FeedModel

/// Work that waits, and whose turn is next: of the client and the feed that have had least of late,
/// the oldest.
struct FairQueue {
    private var flows: [WorkFlow: Deque<QueuedWork>] = [:]
    private(set) var count = 0
    private(set) var byteCount = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ work: QueuedWork) {
        flows[work.flow, default: Deque()].append(work)
        count += 1
        byteCount += work.byteCount
    }

    /// Takes out what is next.
    mutating func popNext(_ usage: UsageLedger, at now: Duration) -> QueuedWork? {
        var best: (flow: WorkFlow, score: Double, time: Duration)?
        for (flow, waiting) in flows {
            guard let first = waiting.first else { continue }
            let score = usage.score(of: flow, at: now)
            if let best, (best.score, best.time) <= (score, first.time) { continue }
            best = (flow, score, first.time)
        }
        return best.flatMap { remove(from: $0.flow) { $0.popFirst() } }
    }

    /// Takes out what is to make room for work of `flow`: the newest of those who have had most,
    /// if that is more than `flow` has had.
    mutating func popLast(
        for flow: WorkFlow,
        _ usage: UsageLedger,
        at now: Duration
    ) -> QueuedWork? {
        var worst: (flow: WorkFlow, weight: Double)?
        for (other, waiting) in flows {
            let weight = usage.score(of: other, at: now) + FairQueue.weight(waiting.count)
            if weight > worst?.weight ?? -1 { worst = (other, weight) }
        }
        let own = usage.score(of: flow, at: now) + FairQueue.weight(flows[flow]?.count ?? 0)
        guard let worst, worst.flow != flow, worst.weight > own else { return nil }
        return remove(from: worst.flow) { $0.popLast() }
    }

    /// What waiting counts, against what was used: a millisecond for each piece.
    private static func weight(_ count: Int) -> Double { Double(count) * 1_000_000 }

    /// Takes out what came before `time`.
    mutating func popStale(before time: Duration) -> [QueuedWork] {
        var stale: [QueuedWork] = []
        for flow in Array(flows.keys) {
            while let first = flows[flow]?.first, first.time < time,
                let work = remove(from: flow, { $0.popFirst() })
            {
                stale.append(work)
            }
        }
        return stale
    }

    private mutating func remove(
        from flow: WorkFlow,
        _ pop: (inout Deque<QueuedWork>) -> QueuedWork?
    ) -> QueuedWork? {
        guard var waiting = flows.removeValue(forKey: flow), let work = pop(&waiting) else {
            return nil
        }
        if !waiting.isEmpty { flows[flow] = waiting }
        count -= 1
        byteCount -= work.byteCount
        return work
    }
}

/// A piece of work, and what becomes of it.
struct QueuedWork: Sendable {
    let flow: WorkFlow
    /// When it came.
    let time: Duration
    /// Bytes that it holds while it waits and runs.
    var byteCount = 0
    /// Whether somebody still waits for it; the argument: whether it has waited for long enough
    /// that one who has closed its side of the connection counts as gone.
    var isWanted: @Sendable (Bool) -> Bool = { _ in true }
    let run: @Sendable () -> Void
    /// Called in the place of `run`.
    let refuse: @Sendable () -> Void
}

/// Work that counts as one's: of one client, about one feed.
struct WorkFlow: Hashable, Sendable {
    let client: ClientID
    /// `nil` for what is about several feeds.
    let feed: FeedName?
}
