import DequeModule

/// A queue that shares processor time fairly among clients, by start-time fair queueing (Goyal,
/// Vin, Cheng, 1996): each client has a virtual time, which grows with the processor time that its
/// work takes.
///
/// The next work is the oldest one of the client with the least virtual time. A client that has no
/// work saves up no time: with its next work it begins at the virtual time of the work that began
/// last. Finding work looks at every client that waits, of which there are no more than pieces
/// that wait.
struct FairQueue {
    private struct Client {
        var waiting: Deque<QueuedWork> = []
        /// The virtual time, in nanoseconds.
        var time: Int
        /// The time at which the oldest work was added.
        var arrival: Duration
    }

    /// The clients with work.
    private var clients: [ClientID: Client] = [:]
    /// The virtual times, ahead of ``time``, of clients without work.
    private(set) var ahead: [ClientID: Int] = [:]
    /// The virtual time at which the last work began, in nanoseconds.
    private var time = 0
    /// The number of pieces of work that wait.
    private(set) var count = 0
    /// The number of bytes of memory of the waiting work.
    private(set) var byteCount = 0

    /// The most clients in ``ahead``.
    private static let aheadLimit = 16_384
    /// The virtual time, in nanoseconds, that each piece of waiting work adds to its client's
    /// weight.
    private static let pieceTime = 1_000_000

    var isEmpty: Bool { count == 0 }

    mutating func append(_ work: QueuedWork) {
        // A client without work is no further back than the work that began last.
        let start = max(time, ahead.removeValue(forKey: work.client) ?? 0)
        clients[work.client, default: Client(time: start, arrival: work.time)].waiting.append(work)
        count += 1
        byteCount += work.byteCount
    }

    /// Removes and returns the work that is next.
    mutating func popNext() -> QueuedWork? {
        var next: (id: ClientID, rank: (Int, Duration))?
        for (id, client) in clients {
            let rank = (client.time, client.arrival)
            if next.map({ rank < $0.rank }) ?? true { next = (id, rank) }
        }
        guard let (id, rank) = next else { return nil }
        time = max(time, rank.0)
        return remove(from: id) { $0.popFirst() }
    }

    /// Removes and returns the work that makes room for work of `client`: the newest work of the
    /// client with the greatest weight, if that weight is greater than the weight of `client`.
    mutating func popLast(for client: ClientID) -> QueuedWork? {
        heaviest(for: client).flatMap { remove(from: $0) { $0.popLast() } }
    }

    /// Returns whether ``popLast(for:)`` would find work.
    func canMakeRoom(for client: ClientID) -> Bool { heaviest(for: client) != nil }

    /// Removes and returns the work that was added before a time.
    mutating func popStale(before time: Duration) -> [QueuedWork] {
        var stale: [QueuedWork] = []
        for id in clients.keys {
            while let first = clients[id]?.waiting.first, first.time < time,
                let work = remove(from: id, { $0.popFirst() })
            {
                stale.append(work)
            }
        }
        return stale
    }

    /// Adds the processor time that work of a client has taken, in nanoseconds.
    mutating func charge(_ nanoseconds: Int, to id: ClientID) {
        if clients[id] != nil {
            clients[id]?.time += max(0, nanoseconds)
        } else {
            setAside(id, max(time, ahead[id] ?? 0) + max(0, nanoseconds))
        }
    }

    /// Forgets the virtual times; called when no work waits or runs.
    mutating func restart() {
        guard isEmpty else { return }
        ahead = [:]
        time = 0
    }
}

extension FairQueue {
    /// Returns the client whose newest work makes room for work of `client`; the weight of a client
    /// is its virtual time, with ``pieceTime`` for each piece of its waiting work.
    private func heaviest(for client: ClientID) -> ClientID? {
        func weight(_ clientTime: Int, _ count: Int) -> Int {
            max(clientTime, time) + count * FairQueue.pieceTime
        }
        let own = clients[client]
        var heaviest: ClientID?
        var most = weight(own?.time ?? ahead[client] ?? 0, own?.waiting.count ?? 0)
        for (id, other) in clients where id != client {
            let weight = weight(other.time, other.waiting.count)
            if weight > most { (heaviest, most) = (id, weight) }
        }
        return heaviest
    }

    private mutating func remove(
        from id: ClientID,
        _ pop: (inout Deque<QueuedWork>) -> QueuedWork?
    ) -> QueuedWork? {
        guard var client = clients.removeValue(forKey: id) else { return nil }
        let work = pop(&client.waiting)
        if let first = client.waiting.first {
            client.arrival = first.time
            clients[id] = client
        } else {
            setAside(id, client.time)
        }
        guard let work else { return nil }
        count -= 1
        byteCount -= work.byteCount
        return work
    }

    /// Remembers the virtual time of a client without work, if it is ahead.
    private mutating func setAside(_ id: ClientID, _ clientTime: Int) {
        guard clientTime > time else { return }
        ahead[id] = clientTime
        guard ahead.count > FairQueue.aheadLimit else { return }
        ahead = ahead.filter { $0.value > time }
        if ahead.count > FairQueue.aheadLimit / 2 { ahead = [:] }
    }
}
