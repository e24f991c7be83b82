import DequeModule
import Platform

/// The queues in which the connections of an event loop wait to be served.
final class LoopQueues {
    /// Connections that are ready or have more work.
    ///
    /// A round serves ready connections in the order of their events, as long as it has time. The
    /// rest is queued here, and between rounds the loop looks for new events. So a client with one
    /// request waits only briefly, however many requests another client has sent.
    let ready = RunQueue(nanosecondsPerRound: 4_000_000)

    /// New connections, which wait for their first request or their handshake to be served.
    ///
    /// A handshake costs as much as hundreds of requests, up to several milliseconds with RSA, and
    /// a first request may be costly too. Because of the queue, many new connections of one client
    /// delay neither established connections nor another client's new connection.
    let newConnections = RunQueue(nanosecondsPerRound: 1_000_000)

    /// Connections with costly input, which takes much work for few bytes of content, such as
    /// chunks of one byte each.
    ///
    /// The queue is served when it is due, for 1 ms in 5. The rest of the time is left to other
    /// connections, and to threads with a lower priority than loops.
    let costlyInput = RunQueue(nanosecondsPerRound: 1_000_000)
    /// The time at which ``costlyInput`` is served next; `nil` while it is empty.
    var costlyInputDue: LoopTime?
    /// The pause before ``costlyInput`` is served again.
    static let costlyInputPause = Duration.milliseconds(4)

    /// Whether no connection waits for this round or the next one.
    var isEmpty: Bool {
        guard ready.isEmpty else { return false }
        return newConnections.isEmpty
    }

    func beginRound(at start: Int) {
        ready.beginRound(at: start)
        newConnections.beginRound(at: start)
    }
}

/// A queue of connections that are served round robin by client, for a limited time in each round.
///
/// A client is an IPv4 address or an IPv6 network of 64 bits. The connections of one client keep
/// their order.
final class RunQueue {
    /// The waiting connections of each client.
    private var waiting: [IPAddress?: Deque<ConnectionID>] = [:]
    /// The clients in ``waiting``, in the order in which they are served.
    private var clients = Deque<IPAddress?>()
    /// The connections that were served and have more work; ``beginServing(at:)`` adds them to
    /// ``waiting``.
    private var again: [(id: ConnectionID, peer: IPAddress?)] = []

    // Every round reads the next two properties. Unlike a read of the collections, a read of these
    // is not checked for exclusivity at run time.

    private var hasWaiting = false
    /// Whether there are no connections in ``waiting`` and ``again``.
    private(set) var isEmpty = true

    /// The time for the queue in a round, in nanoseconds; a single connection may take longer.
    private let limit: Int
    /// The time at which the round began, in nanoseconds.
    private var start = 0
    /// The time that counts toward ``limit`` in this round, in nanoseconds, when the clock was last
    /// read.
    private var spent = 0
    /// The cost of the work since the clock was last read.
    private var cost = 0
    /// The cost, in units of ``ConnectionTurn/cost``, after which the clock is read.
    static let costPerClockReading = 16

    init(nanosecondsPerRound limit: Int) {
        self.limit = limit
    }

    func add(_ id: ConnectionID, from peer: IPAddress?) {
        let client = peer?.network
        if waiting[client] == nil { clients.append(client) }
        waiting[client, default: []].append(id)
        (hasWaiting, isEmpty) = (true, false)
    }

    /// Adds a connection that was served and has more work.
    func addAgain(_ id: ConnectionID, from peer: IPAddress?) {
        again.append((id, peer))
        isEmpty = false
    }

    /// Removes and returns the connection to serve next, which may have been closed; `nil` if no
    /// connection waits or the round's time is used up.
    func next() -> ConnectionID? {
        guard !isLate, let client = clients.popFirst() else { return nil }
        let id = waiting[client]?.popFirst()
        if waiting[client]?.isEmpty == false {
            clients.append(client)
        } else {
            waiting[client] = nil
            hasWaiting = !clients.isEmpty
            isEmpty = clients.isEmpty && again.isEmpty
        }
        return id
    }
}

/// Measures the time of a round.
extension RunQueue {
    /// Begins a round with the queue's whole time left.
    func beginRound(at start: Int) { (self.start, spent, cost) = (start, 0, 0) }

    /// Begins to serve the queue; connections that are added by ``addAgain(_:from:)`` from now on
    /// wait until the queue is served the next time.
    func beginServing(at start: Int) {
        beginRound(at: start)
        for (id, peer) in again { add(id, from: peer) }
        again.removeAll(keepingCapacity: true)
    }

    /// Whether the round's time is used up.
    var isLate: Bool { spent >= limit }

    /// Whether a connection may be served at once: no other waits, and the round has time left.
    var isFree: Bool { !hasWaiting && !isLate }

    /// Returns whether a ready connection may be served at once.
    ///
    /// If connections wait, its client must have none among them; if none wait, the round must have
    /// time left.
    func isFree(for peer: IPAddress?) -> Bool {
        hasWaiting ? waiting[peer?.network] == nil : !isLate
    }

    /// Counts the cost of serving a connection, for a queue whose time is measured from the start
    /// of the round, and returns ``isLate``.
    ///
    /// Everything that the loop does in the round uses up that time.
    @discardableResult func served(cost: Int) -> Bool {
        self.cost += max(1, cost)
        guard self.cost >= RunQueue.costPerClockReading else { return isLate }
        self.cost = 0
        spent = max(spent, System.monotonicNanoseconds() - start)
        return isLate
    }

    /// Counts the time since `start`, for a queue whose time only its own connections use up.
    func spend(since start: Int) {
        spent += System.monotonicNanoseconds() - start
    }
}

/// The measured cost of serving a connection since other connections had their turn, and the work
/// queued for its next turn.
struct ConnectionTurn {
    /// The cost at which a turn ends: 64 small requests, for example.
    static let costLimit = 64
    /// The time for which a connection is served before others are, in nanoseconds.
    private static let timeLimit = 1_000_000

    /// The cost of the work in this turn.
    ///
    /// The cost is 1 for a request, for every 16 KiB of content sent or received, for every KiB of
    /// decompressed content, and for every half KiB of compressed input or of the framing of
    /// chunks.
    private(set) var cost = 0
    /// The part of the cost that was spent on framing: input that takes much work for few bytes
    /// of content.
    private var framingCost = 0
    /// The time of the turn's second request in nanoseconds; 0 before it.
    private var start = 0

    /// Whether the connection waits in ``LoopQueues/newConnections`` for its first turn.
    var isQueuedAsNew = false
    /// The work queued for the next turn; `nil` while the connection is not queued.
    private(set) var queued: Queued?

    /// Whether other connections should be served now.
    var isOver: Bool { cost >= ConnectionTurn.costLimit }

    /// Whether more than three quarters of the cost were spent on framing.
    var isMostlyFraming: Bool { 4 * framingCost > 3 * cost }

    /// Starts a turn at cost 0.
    mutating func restart() { (cost, framingCost, start) = (0, 0, 0) }

    /// Adds the cost of some work, of which the part `framing` was spent on framing.
    mutating func spend(_ cost: Int, framing: Int = 0) {
        self.cost += cost
        framingCost += framing
    }

    /// Adds the cost of a request, and ends the turn if it has lasted too long; `now` is in
    /// nanoseconds, `nil` for the first request of a turn.
    mutating func spendOnRequest(at now: Int?) {
        guard let now else { return spend(1) }
        if start == 0 { start = now }
        spend(now - start > ConnectionTurn.timeLimit ? ConnectionTurn.costLimit : 1)
    }

    /// Marks the connection as queued for its next turn, and returns the work for that turn; the
    /// caller adds to it.
    mutating func queue() -> Queued {
        if let queued { return queued }
        let next = Queued()
        queued = next
        return next
    }

    /// Removes and returns the work queued for the next turn, which begins now.
    mutating func takeQueued() -> Queued? {
        defer { queued = nil }
        return queued
    }
}

extension ConnectionTurn {
    /// The work queued for a connection's next turn.
    final class Queued {
        /// The socket events that have come meanwhile.
        var readiness: Poller.Readiness?
        /// A response from another thread, and the number of its exchange.
        var response: (Response, exchange: UInt32)?
        /// Whether input that has left the socket is still to be read.
        var continuesReading = false
        /// Whether the connection's stream is to be asked for more.
        var pumpsStream = false
    }
}
