/// Connections that go on with input that takes long to read for what is in it, as chunks of a byte
/// each do: by turns to each client, and for a part of a loop's time.
///
/// The rest is left to others, and to the threads that stand back for loops.
final class TediousQueue {
    private var waiting = RoundRobin()
    /// When they are served next.
    private(set) var due: LoopTime?
    /// When that began, in nanoseconds.
    private var start = 0

    /// For how long they are served, in nanoseconds, and how long they wait then: a fifth of the
    /// time.
    private static let limit = 1_000_000
    private static let pause = Duration.milliseconds(4)

    /// Adds one, which waits for its turn.
    func add(_ id: ConnectionID, from peer: PeerAddress?, at now: LoopTime) {
        waiting.add(id, from: peer)
        due = due ?? now + TediousQueue.pause
    }

    /// Begins to serve them, if it is time.
    func begins(at now: LoopTime, nanoseconds: Int) -> Bool {
        guard let due, due <= now else { return false }
        self.due = nil
        start = nanoseconds
        return true
    }

    /// The connection whose turn it is, which may have closed meanwhile; `nil`: there is none, or
    /// no more time.
    func next(at now: LoopTime, nanoseconds: Int) -> ConnectionID? {
        if nanoseconds - start < TediousQueue.limit, let next = waiting.next() { return next }
        due = waiting.isEmpty ? nil : now + TediousQueue.pause
        return nil
    }
}
