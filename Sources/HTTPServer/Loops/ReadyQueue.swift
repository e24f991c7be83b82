/// Connections that are ready, of which a loop has more than it can serve in a moment.
///
/// A round serves what is ready as it is told of it, for ``nanosecondsPerRound``. What is left waits
/// here, by turns to each client, and the loop looks for what has become ready meanwhile: a client with
/// one request waits for no more than a moment, however many others one client has sent.
struct ReadyQueue {
    /// For how long a round goes on before what is left is queued, and again before the loop looks who
    /// has come.
    static let nanosecondsPerRound = 4_000_000
    /// The clock is asked once for so many.
    static let batch = 16

    private var turns = ClientTurns()

    /// Whether this round has gone on long enough.
    private var isLate = false
    /// What was served since the clock was asked.
    private var count = 0

    var isEmpty: Bool { turns.isEmpty }

    mutating func beginRound() { (isLate, count) = (false, 0) }

    /// Whether one who is ready is served at once: there is time, or nobody of its client waits.
    mutating func isFree(for peer: PeerAddress?, since start: Int) -> Bool {
        if !isLate { isLate = isOver(since: start) }
        return !isLate && turns.isEmpty || !turns.isEmpty && !turns.has(peer)
    }

    /// Whether a time that began at `start` is over.
    mutating func isOver(since start: Int) -> Bool {
        count += 1
        guard count % ReadyQueue.batch == 0 else { return false }
        return System.monotonicNanoseconds() - start > ReadyQueue.nanosecondsPerRound
    }

    mutating func add(_ id: ConnectionID, from peer: PeerAddress?) { turns.add(id, from: peer) }

    mutating func next() -> ConnectionID? { turns.next() }
}

extension EventLoop {
    /// Serves a connection, or has it wait for its client's turn.
    func ready(_ event: Poller.Readiness) {
        // An event for a connection that this round has closed finds nothing.
        guard let connection = connection(ConnectionID(eventData: event.data)) else { return }
        if connection.queuedReadiness != nil {
            connection.queuedReadiness?.merge(event)
        } else if readyQueue.isFree(for: connection.client, since: roundStart) {
            connection.ready(event)
        } else {
            connection.queuedReadiness = event
            readyQueue.add(connection.id, from: connection.client)
        }
    }

    /// Serves those who wait for their turn, for a moment.
    func serveQueue() {
        guard !readyQueue.isEmpty else { return }
        let start = System.monotonicNanoseconds()
        while let id = readyQueue.next() {
            if let connection = connection(id), let event = connection.queuedReadiness {
                connection.queuedReadiness = nil
                connection.ready(event)
            }
            if readyQueue.isOver(since: start) { return }
        }
    }
}
