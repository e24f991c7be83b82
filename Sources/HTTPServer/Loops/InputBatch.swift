/// The input that a round has received for idle connections, before any of it is parsed.
struct InputBatch {
    /// The input of one connection.
    struct Input {
        let connection: ConnectionID
        /// The range of the input in the loop's read buffer.
        let range: Range<Int>

        /// Whether the input may be a pipeline or a long request, so that no output should wait for
        /// it.
        var isLong: Bool { range.count > 4 << 10 }
    }

    private var inputs: [Input] = []

    /// The index in the loop's read buffer at which the next input is received.
    private(set) var byteCount = 0

    /// The most inputs in a batch: enough to keep code and data in the core's cache for the next
    /// one, and few enough to keep waits short.
    private static let countLimit = 16
    /// The cost, in units of ``ConnectionTurn/cost``, from which output does not wait any longer.
    static let longCost = 8
    /// The number of bytes from which no more input is received.
    private static let byteLimit = 32 << 10

    /// Adds the input that was received next.
    ///
    /// - Returns: Whether the batch is now full.
    mutating func add(_ count: Int, for connection: ConnectionID) -> Bool {
        inputs.append(Input(connection: connection, range: byteCount..<(byteCount + count)))
        byteCount += count
        return inputs.count >= InputBatch.countLimit || byteCount >= InputBatch.byteLimit
    }

    /// The time for which output waits for other connections to be answered, and the number of
    /// connections after which the clock is read.
    static let waitNanoseconds = 500_000
    static let countPerLook = 4

    /// Takes out all inputs in their order; ``putBack(_:)`` returns their storage for later use.
    ///
    /// - Returns: `nil` if the batch is empty.
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
