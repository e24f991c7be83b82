import DequeModule

/// The three queues in which a loop's connections wait for their turn.
///
/// The queues are objects, so that a round changes only numbers in them: Swift checks an access to
/// an object's property for exclusivity at run time if it may enclose a call.
struct LoopQueues {
    /// New connections, which wait for their first turn.
    let newcomers = NewConnectionQueue()
    /// Connections that are ready or have more work.
    let ready = ReadyQueue()
    /// Connections with costly input, which get a small part of the loop's time.
    let costlyInput = CostlyInputQueue()

    /// Whether no connection needs a turn in this round or the next.
    var isEmpty: Bool { ready.isEmpty && newcomers.isEmpty }

    func beginRound(at start: Int) {
        newcomers.beginRound()
        ready.beginRound(at: start)
    }
}

/// A loop's connections that are ready or have more work than fits into a round.
///
/// A round serves ready connections in the order of their events, for ``nanosecondsPerRound``. The
/// rest is queued here and served round robin by client, and between rounds the loop looks for new
/// events. So a client with one request waits only briefly, however many requests another client
/// has sent.
final class ReadyQueue {
    /// The time after which a round queues its remaining connections, and for which the queue is
    /// served before the loop looks for new events.
    static let nanosecondsPerRound = 4_000_000
    /// The cost, in units of ``ConnectionTurn/cost``, after which the clock is read.
    static let batch = 16

    private var waiting = RoundRobin()
    /// The connections that have had a turn and have more work; they join `waiting` when the queue
    /// is served the next time.
    private var again: [(id: ConnectionID, peer: PeerAddress?)] = []

    /// The time at which serving began in this round, in nanoseconds.
    private var start = 0
    /// Whether serving in this round has taken ``nanosecondsPerRound``.
    private(set) var isLate = false
    /// The cost of the work since the clock was last read.
    private var cost = 0

    var isEmpty: Bool { waiting.isEmpty && again.isEmpty }

    func beginRound(at start: Int) { (self.start, isLate, cost) = (start, false, 0) }

    /// Begins to serve the queue; connections that ask for another turn from now on wait until it
    /// is served the next time.
    func beginServing(at start: Int) {
        beginRound(at: start)
        for (id, peer) in again { add(id, from: peer) }
        again.removeAll(keepingCapacity: true)
    }

    /// Returns whether a ready connection may be served at once.
    ///
    /// If connections wait, its client must have none among them; if none wait, the round must have
    /// time left.
    func isFree(for peer: PeerAddress?) -> Bool {
        waiting.isEmpty ? !isLate : !waiting.has(peer)
    }

    /// Counts the cost of a turn that was served.
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

/// New connections, which wait for their first request or their handshake to be served.
///
/// A handshake costs as much as hundreds of requests, up to several milliseconds with RSA, and a
/// first request may be costly too. In each round, a loop spends limited time on new connections,
/// round robin by client. So many new connections of one client delay neither established
/// connections nor another client's new connection.
final class NewConnectionQueue {
    /// The time for new connections in a round; a single connection may take longer.
    private static let nanosecondsPerRound = 1_000_000

    private var waiting = RoundRobin()
    private var spentNanoseconds = 0

    var isEmpty: Bool { waiting.isEmpty }

    /// Whether a new connection may be served at once: no other waits, and the round has time left.
    var isFree: Bool { isEmpty && hasTime }

    private var hasTime: Bool { spentNanoseconds < NewConnectionQueue.nanosecondsPerRound }

    func beginRound() {
        spentNanoseconds = 0
    }

    func spend(since start: Int) {
        spentNanoseconds += System.monotonicNanoseconds() - start
    }

    func add(_ id: ConnectionID, from peer: PeerAddress?) {
        waiting.add(id, from: peer)
    }

    /// Takes the next connection of this round, which may have been closed; `nil` if there is none
    /// or the time is used up.
    func next() -> ConnectionID? {
        hasTime ? waiting.next() : nil
    }
}

/// Connections with costly input, which takes much work for few bytes of content, such as chunks
/// of one byte each.
///
/// Their clients take turns in at most a fifth of the loop's time. The rest is left to other
/// connections, and to threads with a lower priority than loops.
final class CostlyInputQueue {
    private var waiting = RoundRobin()
    /// The time at which the waiting connections are served next.
    private(set) var due: LoopTime?
    /// The time at which serving began, in nanoseconds.
    private var start = 0

    /// The nanoseconds for which the queue is served, and the pause before it is served again: 1 ms
    /// in 5.
    private static let limit = 1_000_000
    private static let pause = Duration.milliseconds(4)

    /// Adds a connection; the first one sets the time of the queue's turn.
    func add(_ id: ConnectionID, from peer: PeerAddress?, at now: LoopTime) {
        waiting.add(id, from: peer)
        due = due ?? now + CostlyInputQueue.pause
    }

    /// Begins to serve the queue if its pause is over; returns whether it is.
    func begins(at now: LoopTime, nanoseconds: Int) -> Bool {
        guard let due, due <= now else { return false }
        self.due = nil
        start = nanoseconds
        return true
    }

    /// Takes the next connection, which may have been closed; `nil` if there is none or the time is
    /// used up.
    func next(at now: LoopTime, nanoseconds: Int) -> ConnectionID? {
        if nanoseconds - start < CostlyInputQueue.limit, let next = waiting.next() { return next }
        due = waiting.isEmpty ? nil : now + CostlyInputQueue.pause
        return nil
    }
}

/// Waiting connections, served round robin by client.
///
/// A client is an IPv4 address or an IPv6 network of 64 bits. The connections of one client keep
/// their order.
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

    /// Takes the next client's first connection, which may have been closed.
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
