import HTTPTypes
import HTTPWire

/// A request and its response, as far as that matters for how the response is written, for the
/// figures, and for the access log.
struct Exchange {
    /// The status of a request whose connection ended before an answer was begun, as nginx has it.
    static let endedBeforeAnswer = 499

    var isHead = false
    private(set) var isHTTP10 = false
    /// Whether the client waits for an interim answer before it sends the body (RFC 9110 §10.1.1).
    private(set) var expectsContinue = false

    /// When the loop found that the head had arrived, in nanoseconds; 0 unless it is still to be
    /// counted.
    private var start = 0
    /// When the head was read, in nanoseconds; 0 unless it is still to be logged.
    private var logStart = 0
    /// What it is counted as.
    private var operation = LoopFigures.unknownOperation
    /// What its key's owner is called.
    private var user: String?
    /// Whether it waited for a change, or was answered by a stream.
    var isLongLived = false

    /// The answer's status, 0 before there is one; the bytes of its content, and those given to a
    /// socket that took none.
    private var status = 0
    var contentByteCount = 0
    var lostByteCount = 0

    /// None.
    init() {}

    /// A head was read.
    ///
    /// - Parameters:
    ///   - head: The request's.
    ///   - start: When the loop found that it had arrived, in nanoseconds.
    ///   - isLogged: Whether there is an access log.
    init(_ head: borrowing RequestHead, at start: Int, isLogged: Bool) {
        self.init(at: start, isLogged: isLogged)
        isHead = head.method.isHead
        isHTTP10 = head.version == .http10
        expectsContinue = head.expectsContinue
    }

    /// What arrived turned out to be no head.
    init(at start: Int, isLogged: Bool) {
        self.start = start
        if isLogged { logStart = System.monotonicNanoseconds() }
    }

    /// Whether it is still to be counted.
    var isOpen: Bool { start != 0 }

    /// Whether it is still to be logged.
    var isLogged: Bool { isOpen && logStart != 0 }

    /// The handler has seen the head.
    mutating func label(_ operation: LoopFigures.Operation, _ user: String?) {
        (self.operation, self.user) = (operation, user)
    }

    /// An answer of so many bytes of content, or so far none, was begun.
    mutating func answerBegan(_ status: Int, byteCount: Int) {
        guard isOpen else { return }
        (self.status, contentByteCount) = (status, byteCount)
    }

    /// It is over, for good or for bad: it is counted.
    ///
    /// - Parameters:
    ///   - unsentByteCount: Bytes of the answer that have not been sent.
    ///   - isComplete: Whether all of the answer was given.
    ///   - peer: Who sent the request.
    ///   - figures: Where it is counted.
    /// - Returns: What is to be logged, if there is a log; `nil` too when it was over before.
    mutating func end(
        unsentByteCount: Int,
        isComplete: Bool,
        peer: PeerAddress?,
        in figures: inout LoopFigures
    ) -> AccessBatch.Entry? {
        guard isOpen else { return nil }
        let end = System.monotonicNanoseconds()
        let status = status == 0 ? Exchange.endedBeforeAnswer : status
        let unsent = isComplete ? 0 : unsentByteCount + lostByteCount
        let byteCount = max(0, contentByteCount - unsent)
        figures.count(operation, status: status, contentByteCount: byteCount)
        if !isLongLived { figures.time(operation, nanoseconds: end - start) }
        start = 0
        guard logStart != 0 else { return nil }
        var entry = AccessBatch.Entry(
            peer: peer,
            status: status,
            byteCount: byteCount,
            start: logStart,
            end: end,
            isComplete: isComplete
        )
        entry.user = user
        return entry
    }
}

/// Counting and logging it.
extension Connection {
    /// The handler has seen the head.
    func labelExchange(_ label: RequestLabel) {
        let method = reader.parser.head.method
        exchange.label(loop.scratch.figures.operation(label, method), label.user)
    }

    /// The exchange is over: counts and logs it, unless that was done before.
    ///
    /// The bytes of a head stay with the connection until then; they are copied now, and only when
    /// there is a log.
    func closeExchange(isComplete: Bool) {
        guard exchange.isOpen else { return }
        // Of a copy, as it asks the clock: see `WriteBuffer`.
        var exchange = exchange
        let entry = exchange.end(
            unsentByteCount: isComplete ? 0 : output.byteCount,
            isComplete: isComplete,
            peer: client,
            in: &loop.scratch.figures
        )
        self.exchange = exchange
        if let entry { loop.access?.record(reader.parser.head, entry) }
    }
}

extension RequestHead {
    /// Whether bytes of content follow the head.
    var hasBody: Bool { framing != .none && framing != .length(0) }
}
