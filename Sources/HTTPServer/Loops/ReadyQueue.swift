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
    /// Whether `waiting` is not empty.
    private var hasWaiting = false
    /// The connections that had a turn and have more work; they are served after all that are ready
    /// when the queue is served next.
    private var again: [(id: ConnectionID, peer: PeerAddress?)] = []
    private var hasAgain = false

    /// The time at which the current round of serving began.
    private var start = 0
    /// Whether the round has lasted long enough.
    private(set) var isLate = false
    /// The cost of the work since the clock was last read.
    private var cost = 0

    var isEmpty: Bool { !hasWaiting && !hasAgain }

    func beginRound(at start: Int) { (self.start, isLate, cost) = (start, false, 0) }

    /// Begins to serve the waiting connections; connections that have more work after that are
    /// served the next time.
    func beginServing(at start: Int) {
        beginRound(at: start)
        guard hasAgain else { return }
        for (id, peer) in again { add(id, from: peer) }
        again.removeAll(keepingCapacity: true)
        hasAgain = false
    }

    /// Returns whether a ready connection is served at once: there is time, or no connection of its
    /// client waits.
    func isFree(for peer: PeerAddress?) -> Bool {
        hasWaiting ? !waiting.has(peer) : !isLate
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
        hasWaiting = true
    }

    func addAgain(_ id: ConnectionID, from peer: PeerAddress?) {
        again.append((id, peer))
        hasAgain = true
    }

    func next() -> ConnectionID? {
        guard hasWaiting else { return nil }
        let next = waiting.next()
        hasWaiting = !waiting.isEmpty
        return next
    }
}
