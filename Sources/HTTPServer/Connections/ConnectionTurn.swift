/// How much was done for a connection since others last had their turn, and what it is to do when
/// its next one has come.
struct ConnectionTurn {
    /// How much is done before the others have their turn, such as so many requests of a pipeline
    /// answered.
    static let costLimit = 64

    /// What was done: 1 for a request, for every 16 KiB that were sent or received of content, for
    /// every KiB of content that was decompressed, and for every half KiB of what that was
    /// decompressed from, or of what tells chunks apart.
    private(set) var cost = 0
    /// What of it was done for input in which there is little.
    private var tediousCost = 0
    private var slice = TimeSlice()

    /// Whether a connection that is new waits for its turn to begin.
    var isQueuedAsNewcomer = false
    /// What it is to do, while it waits for its turn to be served.
    private(set) var queued: Queued?

    var isOver: Bool { cost >= ConnectionTurn.costLimit }

    /// Whether nearly all was done for input in which there is little.
    var isTedious: Bool { 4 * tediousCost > 3 * cost }

    /// Others had their turn.
    mutating func restart() { (cost, tediousCost, slice) = (0, 0, TimeSlice()) }

    /// Counts what was done.
    ///
    /// - Parameters:
    ///   - cost: All of it.
    ///   - tedious: What of it was for input in which there is little.
    mutating func spend(_ cost: Int, tedious: Int = 0) {
        self.cost += cost
        tediousCost += tedious
    }

    /// Counts a request that is not answered in place; the turn is over when it took too long.
    mutating func spendOnRequest() {
        spend(cost > 0 && slice.isOver() ? ConnectionTurn.costLimit : 1)
    }

    /// Counts requests that were answered in place.
    mutating func spend(on path: FastPath) {
        spend(path.slice.wasOver ? ConnectionTurn.costLimit : path.requestCount)
        slice = path.slice
    }

    /// Has it wait for its turn to be served.
    ///
    /// - Returns: What it is to do then, to which more can be added.
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
    /// For how long a connection is served before others have their turn.
    struct TimeSlice {
        private static let limit = 1_000_000

        /// When it was first asked for; in nanoseconds, 0 before.
        private var start = 0
        private(set) var wasOver = false

        /// Whether it is over. Who has but one request is not asked, which saves the time of
        /// asking.
        mutating func isOver() -> Bool {
            let now = System.monotonicNanoseconds()
            if start == 0 { start = now }
            wasOver = now - start > TimeSlice.limit
            return wasOver
        }
    }

    /// What a connection is to do when its turn has come.
    final class Queued {
        /// What its socket is ready for.
        var readiness: Poller.Readiness?
        /// A response that has come, and the number of its exchange.
        var response: (FinalResponse, exchange: UInt32)?
        /// Whether it goes on with input that is here already.
        var continuesReading = false
        /// Whether its stream is asked for more.
        var pumpsStream = false
    }
}
