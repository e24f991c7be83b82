import HTTPWire

/// What the figures and the access log are told.
///
/// The bytes of a head stay with the connection until its exchange ends; they are copied then, and
/// only when there is a log.
extension Connection {
    /// The status of a request whose connection ended before an answer was begun, as nginx has it.
    static let endedBeforeAnswer = 499

    /// A request's head was read, or turned out to be none.
    func exchangeBegan() {
        exchange.began = loop.roundStart
        exchange.operation = LoopFigures.unknownOperation
        exchange.user = nil
        exchange.isHeld = false
        exchange.status = 0
        exchange.contentByteCount = 0
        exchange.lostByteCount = 0
        guard loop.logsAccess else { return }
        exchange.start = System.monotonicNanoseconds()
    }

    /// The handler has seen the head.
    func exchangeIsLabelled(_ label: RequestLabel) {
        exchange.operation = loop.scratch.figures.operation(label, parser.head.method)
        exchange.user = label.user
    }

    /// An answer of so many bytes of content, or so far none, was begun.
    func logAnswer(_ status: Int, byteCount: Int) {
        guard exchange.began != 0 else { return }
        exchange.status = status
        exchange.contentByteCount = byteCount
    }

    /// The exchange is over, for good or for bad; does nothing when it was told before.
    func exchangeEnded(isComplete: Bool) {
        guard exchange.began != 0 else { return }
        let end = System.monotonicNanoseconds()
        let unsent = isComplete ? 0 : output.byteCount + exchange.lostByteCount
        let status = exchange.status == 0 ? Connection.endedBeforeAnswer : exchange.status
        let byteCount = max(0, exchange.contentByteCount - unsent)
        loop.scratch.figures.count(
            exchange.operation,
            status: status,
            contentByteCount: byteCount
        )
        if !exchange.isHeld {
            let time = end - exchange.began
            loop.scratch.figures.time(exchange.operation, nanoseconds: time)
        }
        exchange.began = 0
        guard exchange.start != 0 else { return }
        var entry = AccessBatch.Entry(
            peer: client,
            status: status,
            byteCount: byteCount,
            start: exchange.start,
            end: end,
            isComplete: isComplete
        )
        entry.user = exchange.user
        loop.access?.record(parser.head, entry)
        exchange.start = 0
    }
}
