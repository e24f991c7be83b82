/// Connections that wait for their turn to begin: to have their first request read, or to shake
/// hands.
///
/// A handshake costs as much as hundreds of requests, up to several milliseconds with RSA, and a
/// new connection's first request may be any. In each round a loop gives them a little time, by
/// turns to each client, so that neither what is served nor another client's new connection waits
/// for those of many.
final class NewcomerQueue {
    /// For how long they have their turn in a round; one has it however long it takes.
    private static let nanosecondsPerRound = 1_000_000

    private var waiting = RoundRobin()
    private var spentNanoseconds = 0

    private(set) var isEmpty = true

    /// Whether a connection may go on at once: nobody waits, and there is time.
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

    /// The connection whose turn it is in this round; it may have closed meanwhile.
    func next() -> ConnectionID? {
        guard hasTime, !isEmpty else { return nil }
        let next = waiting.next()
        isEmpty = waiting.isEmpty
        return next
    }
}
