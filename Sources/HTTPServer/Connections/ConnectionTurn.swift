/// The cost of a connection's work since other connections had their turn, and the work for its
/// next turn.
struct ConnectionTurn {
    /// The cost after which other connections have their turn, such as that number of pipelined
    /// requests.
    static let costLimit = 64

    /// The cost of the work in this turn.
    ///
    /// The cost is 1 for a request, for every 16 KiB of content sent or received, for every KiB of
    /// decompressed content, and for every half KiB of compressed input or of the framing of
    /// chunks.
    private(set) var cost = 0
    /// The part of the cost that was spent on tedious input: much work for few bytes of content.
    private var tediousCost = 0
    private var slice = TimeSlice()

    /// Whether a new connection waits for its first turn.
    var isQueuedAsNewcomer = false
    /// The work for the next turn, while the connection waits for it.
    private(set) var queued: Queued?

    var isOver: Bool { cost >= ConnectionTurn.costLimit }

    /// Whether more than three quarters of the cost were spent on tedious input.
    var isTedious: Bool { 4 * tediousCost > 3 * cost }

    /// Starts a new turn.
    mutating func restart() { (cost, tediousCost, slice) = (0, 0, TimeSlice()) }

    /// Adds the cost of some work.
    ///
    /// - Parameters:
    ///   - cost: The whole cost.
    ///   - tedious: The part of it that was spent on tedious input.
    mutating func spend(_ cost: Int, tedious: Int = 0) {
        self.cost += cost
        tediousCost += tedious
    }

    /// Counts a request; the turn is over if it has taken too long.
    ///
    /// - Parameter now: The time in nanoseconds; `nil` for the first request of a turn.
    mutating func spendOnRequest(at now: Int?) {
        let isLate = now.map { slice.isOver(at: $0) } ?? false
        spend(isLate ? ConnectionTurn.costLimit : 1)
    }

    /// Queues the connection until its next turn.
    ///
    /// - Returns: The work for that turn, which the caller adds to.
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
    /// The time for which a connection is served before others have their turn.
    struct TimeSlice {
        private static let limit = 1_000_000

        /// The time of the first check in nanoseconds; 0 before it.
        private var start = 0

        /// Returns whether the time is over, which begins with the first call.
        mutating func isOver(at now: Int) -> Bool {
            if start == 0 { start = now }
            return now - start > TimeSlice.limit
        }
    }

    /// The work of a connection for its next turn.
    final class Queued {
        /// The events of the connection's socket.
        var readiness: Poller.Readiness?
        /// A response that has arrived, and the number of its exchange.
        var response: (Response, exchange: UInt32)?
        /// Whether to continue with input that has already arrived.
        var continuesReading = false
        /// Whether to ask the connection's stream for more.
        var pumpsStream = false
    }
}
