import HTTPWire

/// What the access log is told.
///
/// The bytes of a head stay with the connection until its exchange ends; they are copied then, and
/// only when there is a log.
extension Connection {
    /// The status of a request whose connection ended before an answer was begun, as nginx has it.
    static let endedBeforeAnswer = 499

    /// A request's head was read, or turned out to be none.
    func logExchangeBegan() {
        guard loop.logsAccess else { return }
        exchange.start = System.monotonicNanoseconds()
        exchange.status = 0
        exchange.contentByteCount = 0
        exchange.lostByteCount = 0
    }

    /// An answer of so many bytes of content, or so far none, was begun.
    func logAnswer(_ status: Int, byteCount: Int) {
        guard exchange.start != 0 else { return }
        exchange.status = status
        exchange.contentByteCount = byteCount
    }

    /// The exchange is over, for good or for bad; does nothing when it was told before.
    func logExchangeEnded(isComplete: Bool) {
        guard exchange.start != 0 else { return }
        let unsent = isComplete ? 0 : output.byteCount + exchange.lostByteCount
        let status = exchange.status == 0 ? Connection.endedBeforeAnswer : exchange.status
        let entry = AccessBatch.Entry(
            peer: client,
            status: status,
            byteCount: max(0, exchange.contentByteCount - unsent),
            start: exchange.start,
            end: System.monotonicNanoseconds(),
            isComplete: isComplete
        )
        loop.access?.record(parser.head, entry)
        exchange.start = 0
    }
}
