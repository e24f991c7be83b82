import DequeModule

/// A queue that shares processor time fairly among clients, by start-time fair queueing (Goyal,
/// Vin, Cheng, 1996): each client has a virtual time, which grows with the processor time that its
/// work takes.
///
/// The next work is the oldest one of the client with the least virtual time. A client that has no
/// work saves up no time: with its next work it begins at the virtual time of the work that began
/// last. The time of each call grows with the logarithm of the number of clients that wait.
struct FairQueue {
    private struct Client {
        var waiting: Deque<QueuedWork> = []
        /// The virtual time, in nanoseconds.
        var time: Int
    }

    /// The key that orders the waiting clients: the least virtual time is first, then the oldest
    /// work.
    private struct Rank: Comparable {
        let time: Int
        let arrival: Duration

        static func < (left: Rank, right: Rank) -> Bool {
            (left.time, left.arrival) < (right.time, right.arrival)
        }
    }

    /// The clients with work, and those whose virtual time is ahead of ``time``.
    private var clients: [ClientID: Client] = [:]
    /// The virtual time at which the last work began, in nanoseconds.
    private var time = 0
    /// The waiting clients by their rank; the work of the first one is next.
    private var ranks = IndexedHeap<ClientID, Rank>()
    /// The waiting clients by their negative weights (``weight(of:)``); the first one has the
    /// greatest weight.
    private var weights = IndexedHeap<ClientID, Int>()
    /// The number of clients above which ``sweep()`` removes some of those without work.
    private var sweepCount = FairQueue.leastSweepCount
    /// The number of pieces of work that wait.
    private(set) var count = 0
    /// The number of bytes of memory of the waiting work.
    private(set) var byteCount = 0

    private static let leastSweepCount = 8192
    /// The virtual time, in nanoseconds, that each piece of waiting work adds to its client's
    /// weight.
    private static let pieceTime = 1_000_000

    var isEmpty: Bool { count == 0 }

    /// The number of clients that wait, or whose virtual time is ahead.
    var clientCount: Int { clients.count }

    mutating func append(_ work: QueuedWork) {
        var client = clients.removeValue(forKey: work.client) ?? Client(time: time)
        // A client without work is no further back than the work that began last.
        if client.waiting.isEmpty { client.time = max(client.time, time) }
        client.waiting.append(work)
        put(client, work.client)
        count += 1
        byteCount += work.byteCount
    }

    /// Removes and returns the work that is next.
    mutating func popNext() -> QueuedWork? {
        guard let next = ranks.first else { return nil }
        time = max(time, next.key.time)
        return remove(from: next.element) { $0.popFirst() }
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
        for (id, client) in clients where client.waiting.first.map({ $0.time < time }) == true {
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
        var client = clients.removeValue(forKey: id) ?? Client(time: time)
        client.time = max(client.time, client.waiting.isEmpty ? time : 0) + max(0, nanoseconds)
        put(client, id)
    }

    /// Forgets the virtual times; called when no work waits or runs.
    mutating func restart() {
        guard isEmpty else { return }
        clients = [:]
        time = 0
    }
}

extension FairQueue {
    /// Returns a client's virtual time, with ``pieceTime`` for each piece of its waiting work.
    private func weight(of id: ClientID) -> Int {
        clients[id].map(weight) ?? time
    }

    private func weight(_ client: Client) -> Int {
        max(client.time, time) + client.waiting.count * FairQueue.pieceTime
    }

    /// Returns the client whose newest work makes room for work of `client`.
    private func heaviest(for client: ClientID) -> ClientID? {
        weights.first(but: client).flatMap { weight(of: $0) > weight(of: client) ? $0 : nil }
    }

    private mutating func remove(
        from id: ClientID,
        _ pop: (inout Deque<QueuedWork>) -> QueuedWork?
    ) -> QueuedWork? {
        guard var client = clients.removeValue(forKey: id) else { return nil }
        let work = pop(&client.waiting)
        put(client, id)
        guard let work else { return nil }
        count -= 1
        byteCount -= work.byteCount
        return work
    }

    /// Stores a client and updates both heaps; a client that has no work and whose virtual time is
    /// not ahead is removed.
    private mutating func put(_ client: Client, _ id: ClientID) {
        guard let first = client.waiting.first else {
            ranks.remove(id)
            weights.remove(id)
            if client.time > time {
                clients[id] = client
                if clients.count > sweepCount { sweep() }
            }
            return
        }
        clients[id] = client
        ranks.set(id, Rank(time: client.time, arrival: first.time))
        weights.set(id, -weight(client))
    }

    /// Removes the clients that have no work and whose virtual time is not ahead; if too many
    /// clients are left, removes all that have no work.
    private mutating func sweep() {
        clients = clients.filter { !$0.value.waiting.isEmpty || $0.value.time > time }
        if clients.count > FairQueue.leastSweepCount {
            clients = clients.filter { !$0.value.waiting.isEmpty }
        }
        sweepCount = max(FairQueue.leastSweepCount, 2 * clients.count)
    }
}

/// A heap of elements with keys, the least key first; changing a key and removing an element take
/// logarithmic time.
struct IndexedHeap<Element: Hashable, Key: Comparable> {
    private var nodes: [(element: Element, key: Key)] = []
    private var indices: [Element: Int] = [:]

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
