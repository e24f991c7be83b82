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

    /// Whether the connection waits in ``LoopQueues/newcomers`` for its first turn.
    var isQueuedAsNew = false
    /// The work queued for the next turn; `nil` while the connection is not queued.
    private(set) var queued: Queued?

    var isOver: Bool { cost >= ConnectionTurn.costLimit }

    /// Whether more than three quarters of the cost were spent on framing.
    var isMostlyFraming: Bool { 4 * framingCost > 3 * cost }

    /// Starts a turn at cost 0.
    mutating func restart() { (cost, framingCost, start) = (0, 0, 0) }

    /// Adds the cost of some work.
    ///
    /// - Parameters:
    ///   - cost: The whole cost.
    ///   - framing: The part of it that was spent on framing.
    mutating func spend(_ cost: Int, framing: Int = 0) {
        self.cost += cost
        framingCost += framing
    }

    /// Adds the cost of a request, and ends the turn if it has lasted too long.
    ///
    /// - Parameter now: The time in nanoseconds; `nil` for the first request of a turn.
    mutating func spendOnRequest(at now: Int?) {
        guard let now else { return spend(1) }
        if start == 0 { start = now }
        spend(now - start > ConnectionTurn.timeLimit ? ConnectionTurn.costLimit : 1)
    }

    /// Marks the connection as queued for its next turn.
    ///
    /// - Returns: The work for that turn; the caller adds to it.
    mutating func queue() -> Queued {
        if let queued { return queued }
        let next = Queued()
        queued = next
        return next
    }

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
