import DequeModule

/// The queues of connections that wait for their turn.
///
/// The queues are objects, so that a round changes only numbers in them: Swift checks an access to
/// an object's property for exclusivity at run time if it may enclose a call.
struct LoopQueues {
    /// New connections that wait for their first turn.
    let newcomers = NewcomerQueue()
    /// Connections that wait for their turn to be served.
    let ready = ReadyQueue()
    /// Connections with tedious input, which have a turn now and then.
    let tedious = TediousQueue()

    /// Whether no connection waits for this round or the next.
    var isEmpty: Bool { ready.isEmpty && newcomers.isEmpty }

    func beginRound(at start: Int) {
        newcomers.beginRound()
        ready.beginRound(at: start)
    }
}

/// The connections that are ready, or have more work, and exceed what the loop can serve in one
/// round.
///
/// A round serves ready connections in the order of their events, for ``nanosecondsPerRound``. The
/// rest waits here; the clients take turns, and between rounds the loop looks for connections that
/// have become ready. So a client with one request waits for a short time only, however many
/// requests another client has sent.
final class ReadyQueue {
    /// The time for which a round goes on before the remaining connections are queued, and for
    /// which the queue is served before the loop looks for new events.
    static let nanosecondsPerRound = 4_000_000
    /// The cost, in units of ``ConnectionTurn/cost``, after which the clock is read.
    static let batch = 16

    private var waiting = RoundRobin()
    /// The connections that had a turn and have more work; they are served after all that are ready
    /// when the queue is served next.
    private var again: [(id: ConnectionID, peer: PeerAddress?)] = []

    /// The time at which the current round of serving began.
    private var start = 0
    /// Whether the round has lasted long enough.
    private(set) var isLate = false
    /// The cost of the work since the clock was last read.
    private var cost = 0

    var isEmpty: Bool { waiting.isEmpty && again.isEmpty }

    func beginRound(at start: Int) { (self.start, isLate, cost) = (start, false, 0) }

    /// Begins to serve the waiting connections; connections that have more work after that are
    /// served the next time.
    func beginServing(at start: Int) {
        beginRound(at: start)
        for (id, peer) in again { add(id, from: peer) }
        again.removeAll(keepingCapacity: true)
    }

    /// Returns whether a ready connection is served at once: there is time, or no connection of its
    /// client waits.
    func isFree(for peer: PeerAddress?) -> Bool {
        waiting.isEmpty ? !isLate : !waiting.has(peer)
    }

    /// Counts a turn that was served.
    ///
    /// - Returns: The value of ``isLate``.
    @discardableResult func served(cost: Int) -> Bool {
        self.cost += max(1, cost)
        guard self.cost >= ReadyQueue.batch else { return isLate }
        self.cost = 0
        if System.monotonicNanoseconds() - start > ReadyQueue.nanosecondsPerRound { isLate = true }
        return isLate
    }

    func add(_ id: ConnectionID, from peer: PeerAddress?) {
        waiting.add(id, from: peer)
    }

    func addAgain(_ id: ConnectionID, from peer: PeerAddress?) {
        again.append((id, peer))
    }

    /// Takes the connection whose turn it is; it may have been closed.
    func next() -> ConnectionID? { waiting.next() }
}

/// New connections that wait for their first turn: for their first request or their handshake.
///
/// A handshake costs as much as hundreds of requests, up to several milliseconds with RSA, and a
/// new connection's first request may be costly too. In each round, a loop spends a little time on
/// new connections, and their clients take turns. So neither established connections nor another
/// client's new connection wait for many new connections of one client.
final class NewcomerQueue {
    /// The time for new connections in a round; a single one may take longer.
    private static let nanosecondsPerRound = 1_000_000

    private var waiting = RoundRobin()
    private var spentNanoseconds = 0

    var isEmpty: Bool { waiting.isEmpty }

    /// Whether a connection may go on at once: no other waits, and there is time.
    var isFree: Bool { isEmpty && hasTime }

    private var hasTime: Bool { spentNanoseconds < NewcomerQueue.nanosecondsPerRound }

    func beginRound() {
        spentNanoseconds = 0
    }

    func spend(since start: Int) {
        spentNanoseconds += System.monotonicNanoseconds() - start
    }

    func add(_ id: ConnectionID, from peer: PeerAddress?) {
        waiting.add(id, from: peer)
    }

    /// Takes the connection whose turn it is in this round; it may have been closed.
    func next() -> ConnectionID? {
        hasTime ? waiting.next() : nil
    }
}

/// Connections with tedious input, which takes much work for few bytes of content, such as chunks
/// of one byte each: their clients take turns, in a limited part of a loop's time.
///
/// The rest of the time is left to other connections, and to threads with a lower priority than
/// loops.
final class TediousQueue {
    private var waiting = RoundRobin()
    /// The time at which the waiting connections are served next.
    private(set) var due: LoopTime?
    /// The time at which serving began, in nanoseconds.
    private var start = 0

    /// The nanoseconds for which the connections are served, and the pause before the next turn:
    /// they get at most a fifth of the loop's time.
    private static let limit = 1_000_000
    private static let pause = Duration.milliseconds(4)

    /// Adds a connection, which waits for its turn.
    func add(_ id: ConnectionID, from peer: PeerAddress?, at now: LoopTime) {
        waiting.add(id, from: peer)
        due = due ?? now + TediousQueue.pause
    }

    /// Begins to serve the connections if their time has come; returns whether it has.
    func begins(at now: LoopTime, nanoseconds: Int) -> Bool {
        guard let due, due <= now else { return false }
        self.due = nil
        start = nanoseconds
        return true
    }

    /// Takes the connection whose turn it is, which may have been closed; `nil` if there is none,
    /// or no more time.
    func next(at now: LoopTime, nanoseconds: Int) -> ConnectionID? {
        if nanoseconds - start < TediousQueue.limit, let next = waiting.next() { return next }
        due = waiting.isEmpty ? nil : now + TediousQueue.pause
        return nil
    }
}

/// Waiting connections, served round robin by client: an IPv4 address, or an IPv6 network.
///
/// The connections of one client keep their order.
struct RoundRobin {
    private struct Client: Hashable {
        var high: UInt64 = 0
        var low: UInt64 = 0

        init(_ peer: PeerAddress?) {
            if let network = peer?.network { (high, low) = network }
        }
    }

    private var waiting: [Client: Deque<ConnectionID>] = [:]
    private var clients = Deque<Client>()

    var isEmpty: Bool { clients.isEmpty }

    /// Returns whether a connection of a client waits.
    func has(_ peer: PeerAddress?) -> Bool { waiting[Client(peer)] != nil }

    mutating func add(_ id: ConnectionID, from peer: PeerAddress?) {
        let client = Client(peer)
        if waiting[client] == nil { clients.append(client) }
        waiting[client, default: []].append(id)
    }

    /// Takes the connection whose turn it is; it may have been closed.
    mutating func next() -> ConnectionID? {
        guard let client = clients.popFirst() else { return nil }
        let id = waiting[client]?.popFirst()
        if waiting[client]?.isEmpty == false {
            clients.append(client)
        } else {
            waiting[client] = nil
        }
        return id
    }
}
