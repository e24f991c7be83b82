/// Connections that are ready, or may go on, of which a loop has more than it can serve in a
/// moment.
///
/// A round serves what is ready as it is told of it, for ``nanosecondsPerRound``. What is left
/// waits here, by turns to each client, and the loop looks for what has become ready meanwhile: a
/// client with one request waits for no more than a moment, however many others one client has
/// sent.
final class ReadyQueue {
    /// For how long a round goes on before what is left is queued, and again before the loop looks
    /// who has come.
    static let nanosecondsPerRound = 4_000_000
    /// The clock is asked once for what costs so much, as ``ConnectionTurn/cost`` counts.
    static let batch = 16

    private var waiting = RoundRobin()
    /// Whether there are some in it.
    private var hasWaiting = false
    /// Those that had a turn and go on, behind all that are ready by the time that the queue is
    /// served.
    private var again: [(id: ConnectionID, peer: PeerAddress?)] = []
    private var hasAgain = false

    /// When what is served now began.
    private var start = 0
    /// Whether that has gone on long enough.
    private(set) var isLate = false
    /// The cost of what was served since the clock was asked.
    private var cost = 0

    var isEmpty: Bool { !hasWaiting && !hasAgain }

    func beginRound(at start: Int) { (self.start, isLate, cost) = (start, false, 0) }

    /// Begins to serve those that wait; those that go on after that have their turn the next time.
    func beginServing(at start: Int) {
        beginRound(at: start)
        guard hasAgain else { return }
        for (id, peer) in again { add(id, from: peer) }
        again.removeAll(keepingCapacity: true)
        hasAgain = false
    }

    /// Whether one who is ready is served at once: there is time, or nobody of its client waits.
    func isFree(for peer: PeerAddress?) -> Bool {
        hasWaiting ? !waiting.has(peer) : !isLate
    }

    /// Counts a turn that was served.
    ///
    /// - Returns: ``isLate``.
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
