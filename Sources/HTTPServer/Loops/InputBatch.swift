/// What a round has received for connections that were at rest, before any of it is read.
struct InputBatch {
    /// What one of them has received.
    struct Input {
        let connection: ConnectionID
        /// Where in the loop's read buffer it is.
        let range: Range<Int>

        /// Whether it may be a pipeline, or more, that no output is to wait behind.
        var isLong: Bool { range.count > 4 << 10 }
    }

    private var inputs: [Input] = []

    /// Where in the loop's read buffer the next one is received.
    private(set) var byteCount = 0

    /// So many that code and data which one needs are still near for the next, and so few that
    /// nobody waits for long.
    private static let countLimit = 16
    /// What is so much, as ``ConnectionTurn/cost`` counts, that output waits no longer.
    static let longCost = 8
    /// From how many bytes on nothing more is received.
    private static let byteLimit = 32 << 10

    /// Adds what was received next.
    ///
    /// - Returns: Whether it is full by that.
    mutating func add(_ count: Int, for connection: ConnectionID) -> Bool {
        inputs.append(Input(connection: connection, range: byteCount..<(byteCount + count)))
        byteCount += count
        return inputs.count >= InputBatch.countLimit || byteCount >= InputBatch.byteLimit
    }

    /// For how long output waits for others to be answered, and after how many of them the clock
    /// is asked.
    static let waitNanoseconds = 500_000
    static let countPerLook = 4

    /// Takes all inputs out, in their order; ``putBack(_:)`` keeps their storage for the next ones.
    ///
    /// - Returns: `nil` if there are none.
    mutating func take() -> [Input]? {
        guard !inputs.isEmpty else { return nil }
        defer { (inputs, byteCount) = ([], 0) }
        return inputs
    }

    mutating func putBack(_ taken: consuming [Input]) {
        taken.removeAll(keepingCapacity: true)
        inputs = taken
    }
}
