import HTTPTypes
import HTTPWire

/// The properties of a request and its response that are needed for writing the response, for the
/// metrics and for the access log.
struct Exchange {
    /// The status that is counted if the connection ended before an answer was begun, as in nginx.
    static let endedBeforeAnswer = 499

    var isHead = false
    private(set) var isHTTP10 = false
    /// Whether the client waits for an interim answer before it sends the body (RFC 9110 §10.1.1).
    private(set) var expectsContinue = false

    /// The time at which the loop found that the head had arrived, in nanoseconds; 0 if the
    /// exchange is counted already.
    private var start = 0
    /// The time at which the head was read, in nanoseconds; 0 if the exchange need not be logged.
    private var logStart = 0
    /// The operation for which the exchange is counted.
    private var operation = LoopMetrics.unknownOperation
    /// The name of the owner of the request's key.
    private var user: String?
    /// Whether the answer was a stream or waited for a change.
    var isLongLived = false

    /// The answer's status, 0 before the answer; the number of its bytes of content; and the number
    /// of bytes passed to a socket that failed.
    private var status = 0
    var contentByteCount = 0
    var lostByteCount = 0

    /// Makes an exchange that is neither counted nor logged.
    init() {}

    /// Makes an exchange for a head that was read.
    ///
    /// - Parameters:
    ///   - head: The request's head.
    ///   - start: The time at which the loop found that it had arrived, in nanoseconds.
    ///   - isLogged: Whether there is an access log.
    init(_ head: borrowing RequestHead, at start: Int, isLogged: Bool) {
        self.init(at: start, isLogged: isLogged)
        isHead = head.method.isHead
        isHTTP10 = head.version == .http10
        expectsContinue = head.expectsContinue
    }

    /// Makes an exchange for input that is no valid head.
    init(at start: Int, isLogged: Bool) {
        self.start = start
        if isLogged { logStart = System.monotonicNanoseconds() }
    }

    /// Whether the exchange is still to be counted.
    var isOpen: Bool { start != 0 }

    /// Whether the exchange is still to be logged.
    var isLogged: Bool { isOpen && logStart != 0 }

    /// Records the handler's label for the request.
    mutating func label(_ operation: LoopMetrics.Operation, _ user: String?) {
        (self.operation, self.user) = (operation, user)
    }

    /// Records that an answer was begun; a stream has no bytes of content at this time.
    mutating func answerBegan(_ status: Int, byteCount: Int) {
        guard isOpen else { return }
        (self.status, contentByteCount) = (status, byteCount)
    }

    /// Ends the exchange, successful or not, and counts it.
    ///
    /// - Parameters:
    ///   - unsentByteCount: The number of the answer's bytes that have not been sent.
    ///   - isComplete: Whether the whole answer was given.
    ///   - peer: The sender of the request.
    ///   - end: The time, in nanoseconds.
    ///   - metrics: The metrics that count it.
    /// - Returns: The entry for the access log; `nil` if there is no log or the exchange had ended
    ///   before.
    mutating func end(
        unsentByteCount: Int,
        isComplete: Bool,
        peer: PeerAddress?,
        at end: Int,
        in metrics: inout LoopMetrics
    ) -> AccessBatch.Entry? {
        guard isOpen else { return nil }
        let status = status == 0 ? Exchange.endedBeforeAnswer : status
        let unsent = isComplete ? 0 : unsentByteCount + lostByteCount
        let byteCount = max(0, contentByteCount - unsent)
        metrics.count(operation, status: status, contentByteCount: byteCount)
        if !isLongLived { metrics.time(operation, nanoseconds: end - start) }
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

/// Counting and logging of exchanges.
extension Connection {
    /// Counts and logs the exchange, unless this was done before.
    ///
    /// The bytes of the head stay with the connection until then; they are copied here, and only if
    /// there is a log.
    func closeExchange(isComplete: Bool) {
        guard exchange.isOpen else { return }
        let entry = exchange.end(
            unsentByteCount: isComplete ? 0 : output.byteCount,
            isComplete: isComplete,
            peer: client,
            at: System.monotonicNanoseconds(),
            in: &loop.metrics
        )
        if let entry { loop.access?.record(head, entry) }
    }
}

extension RequestHead {
    /// Whether bytes of content follow the head.
    var hasBody: Bool { framing != .none && framing != .length(0) }
}
