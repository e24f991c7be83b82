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

    private(set) var isEmpty = true

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
        isEmpty = false
    }

    /// Takes the connection whose turn it is in this round; it may have been closed.
    func next() -> ConnectionID? {
        guard hasTime, !isEmpty else { return nil }
        let next = waiting.next()
        isEmpty = waiting.isEmpty
        return next
    }
}
