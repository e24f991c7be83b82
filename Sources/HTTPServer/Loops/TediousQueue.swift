/// Connections with tedious input, which takes much work for few bytes of content, such as chunks
/// of one byte each: their clients take turns, in a limited part of a loop's time.
///
/// The rest of the time is left to other connections, and to threads with a lower priority than
/// loops.
final class TediousQueue {
    private var waiting = RoundRobin()
    /// The time at which they are served next.
    private(set) var due: LoopTime?
    /// The time at which serving began, in nanoseconds.
    private var start = 0

    /// The nanoseconds for which they are served, and the pause after that: together they get a
    /// fifth of the time.
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
