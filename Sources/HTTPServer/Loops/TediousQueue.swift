import Dispatch

/// Connections that go on with input that takes long to read for what is in it, as chunks of a byte
/// each do: by turns to each client, and for a part of a loop's time.
///
/// The rest is left to others, and to the threads that stand back for loops.
struct TediousQueue {
    private var turns = ClientTurns()
    /// When they are served next.
    private(set) var due: LoopTime?
    /// When that began, in nanoseconds.
    private var start = 0

    /// For how long they are served, in nanoseconds, and how long they wait then: a fifth of the
    /// time.
    private static let limit = 1_000_000
    private static let pause = Duration.milliseconds(4)

    /// Adds one, which waits for its turn.
    mutating func add(_ id: ConnectionID, from peer: PeerAddress?, at now: LoopTime) {
        turns.add(id, from: peer)
        due = due ?? now + TediousQueue.pause
    }

    /// Begins to serve them, if it is time.
    mutating func begins(at now: LoopTime, nanoseconds: Int) -> Bool {
        guard let due, due <= now else { return false }
        self.due = nil
        start = nanoseconds
        return true
    }

    /// The connection whose turn it is, which may have closed meanwhile; `nil`: there is none, or
    /// no more time.
    mutating func next(at now: LoopTime, nanoseconds: Int) -> ConnectionID? {
        if nanoseconds - start < TediousQueue.limit, let next = turns.next() { return next }
        due = turns.isEmpty ? nil : now + TediousQueue.pause
        return nil
    }
}

extension EventLoop {
    /// Has a connection with such input go on with it.
    func goOnLater(_ connection: Connection) {
        tediousQueue.add(connection.id, from: connection.client, at: now)
        if let due = tediousQueue.due { setTimer(for: due, leeway: .milliseconds(1)) }
    }

    /// Serves those whose input is tedious, for a moment, if it is time.
    func serveTedious() {
        guard tediousQueue.begins(at: now, nanoseconds: System.monotonicNanoseconds()) else {
            return
        }
        while let id = tediousQueue.next(at: now, nanoseconds: System.monotonicNanoseconds()) {
            guard let connection = connection(id), let turn = connection.turn.takeQueued() else {
                continue
            }
            connection.take(turn)
        }
        if let due = tediousQueue.due { setTimer(for: due, leeway: .milliseconds(1)) }
    }
}
