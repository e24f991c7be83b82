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
    private var time = TurnTime()

    /// Whether a connection that is new waits for its turn to begin.
    var isQueuedAsNewcomer = false
    /// What it is to do, while it waits for its turn to be served.
    private(set) var queued: QueuedTurn?

    var isOver: Bool { cost >= ConnectionTurn.costLimit }

    /// Whether nearly all was done for input in which there is little.
    var isTedious: Bool { 4 * tediousCost > 3 * cost }

    /// Others had their turn.
    mutating func restart() { (cost, tediousCost, time) = (0, 0, TurnTime()) }

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
        spend(cost > 0 && time.isOver() ? ConnectionTurn.costLimit : 1)
    }

    /// Counts requests that were answered in place.
    mutating func spend(on path: FastPath) {
        spend(path.turn.wasOver ? ConnectionTurn.costLimit : path.requestCount)
        time = path.turn
    }

    /// Waits for its turn to be served.
    mutating func queue() -> QueuedTurn {
        let turn = QueuedTurn()
        queued = turn
        return turn
    }

    mutating func takeQueued() -> QueuedTurn? {
        defer { queued = nil }
        return queued
    }
}
