import HTTPTypes
import HTTPWire
import Platform

/// A request and its response: the facts about them that the head of the response, the metrics and
/// the access log need.
struct Exchange {
    /// The status that is counted if the connection closed before a response was begun, as in
    /// nginx.
    static let endedBeforeAnswer = 499

    /// Whether the request is a HEAD, so that the response has no content.
    var isHead = false
    private(set) var isHTTP10 = false
    /// Whether the client sends its body only after `100 Continue` (RFC 9110 §10.1.1).
    private(set) var expectsContinue = false

    /// The time at which the loop found the request's bytes, in nanoseconds; 0 once the exchange
    /// has been counted.
    private var start = 0
    /// Whether the exchange is still to be logged.
    private(set) var isLogged = false
    /// The route and method under which the metrics count the exchange.
    var operation = LoopMetrics.unknownOperation
    /// The name of the owner of the request's key; `nil` without one.
    var user: String?
    /// Whether the response was a stream or a long poll, whose duration is not measured.
    var isLongLived = false

    /// The status of the response; 0 before the response was begun.
    private var status = 0
    /// The number of bytes of content in the response; for a stream, of those so far.
    var contentByteCount = 0
    /// The number of bytes that were lost because sending them failed.
    var lostByteCount = 0

    /// Begins the exchange of a request whose head was read.
    ///
    /// - Parameter start: The time at which the loop found that it had arrived, in nanoseconds.
    mutating func begin(_ head: borrowing RequestHead, at start: Int, isLogged: Bool) {
        begin(at: start, isLogged: isLogged)
        isHead = head.method.isHead
        isHTTP10 = head.version == .http10
        expectsContinue = head.expectsContinue
    }

    /// Begins the exchange of input that is not a valid head, which is refused.
    mutating func begin(at start: Int, isLogged: Bool) {
        (isHead, isHTTP10, expectsContinue, isLongLived) = (false, false, false, false)
        (self.start, self.isLogged) = (start, isLogged)
        (operation, user) = (LoopMetrics.unknownOperation, nil)
        (status, contentByteCount, lostByteCount) = (0, 0, 0)
    }

    /// Whether the exchange is still to be counted.
    var isOpen: Bool { start != 0 }

    /// Records the beginning of a response; the bytes of a stream are added later.
    mutating func answerBegan(_ status: Int, byteCount: Int) {
        guard isOpen else { return }
        (self.status, contentByteCount) = (status, byteCount)
    }

    /// Marks the exchange as counted and logged.
    mutating func close() { (start, isLogged) = (0, false) }

    /// Counts the exchange, which has ended, with its bytes of content that were sent; `end` is in
    /// nanoseconds.
    func count(byteCount: Int, at end: Int, in metrics: inout LoopMetrics) {
        metrics.count(operation, status: finalStatus, contentByteCount: byteCount)
        if !isLongLived { metrics.time(operation, nanoseconds: end - start) }
    }

    /// Returns the line of the access log.
    ///
    /// - Parameters:
    ///   - byteCount: The number of bytes of content that were sent.
    ///   - end: The time, in nanoseconds.
    ///   - isComplete: Whether the whole response was passed to the output.
    func line(peer: IPAddress?, byteCount: Int, at end: Int, isComplete: Bool) -> AccessLine {
        let duration = end - start
        return AccessLine(
            peer: peer,
            user: user,
            status: finalStatus,
            byteCount: byteCount,
            start: System.wallNanoseconds() - duration,
            duration: duration,
            isComplete: isComplete
        )
    }

    private var finalStatus: Int { status == 0 ? Exchange.endedBeforeAnswer : status }
}

/// Counts and logs exchanges.
extension Connection {
    /// Counts and logs the exchange, unless that has been done.
    ///
    /// The log's line is made here from the head, whose bytes have stayed in a parser if there is a
    /// log.
    func closeExchange(isComplete: Bool) {
        let ended = exchange
        guard ended.isOpen else { return }
        exchange.close()
        let end = System.monotonicNanoseconds()
        let unsent = isComplete ? 0 : output.byteCount + ended.lostByteCount
        let byteCount = max(0, ended.contentByteCount - unsent)
        ended.count(byteCount: byteCount, at: end, in: &loop.metrics.pointee)
        guard ended.isLogged else { return }
        loop.log(
            ended.line(peer: client, byteCount: byteCount, at: end, isComplete: isComplete),
            of: head
        )
    }
}

extension RequestHead {
    /// Whether bytes of content follow the head.
    var hasBody: Bool { framing != .none && framing != .length(0) }
}
