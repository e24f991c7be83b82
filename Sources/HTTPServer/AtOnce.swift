import HTTPTypes
import HTTPWire

/// Answers requests where they are read: those that are whole in what has arrived, have no content,
/// and whose answer is baked and small.
///
/// Most requests are of this kind. What is needed is passed in, so that nothing here is an object's
/// property: those cost a check for exclusive access with every call that changes them.
struct AtOnce {
    /// What is left of what was taken.
    enum Rest {
        case nothing
        /// The parser has a part of a head.
        case begun
        /// The parser has a head that is answered otherwise, perhaps with what the handler has.
        case whole(BakedResponse?)
        case broken(RequestError)
    }

    private let handler: any RequestHandler
    /// The time for Date, since 1970.
    private let seconds: Int
    private let requestLimit: Int
    /// Who is asking, for the access log.
    private let peer: PeerAddress?

    /// What was taken of the input.
    private(set) var byteCount = 0
    private(set) var requestCount = 0
    /// Whether all input was taken, nothing of it is left, and all answers are sent.
    private(set) var isSent = false

    init(handler: any RequestHandler, seconds: Int, requestLimit: Int, peer: PeerAddress?) {
        self.handler = handler
        self.seconds = seconds
        self.requestLimit = requestLimit
        self.peer = peer
    }

    /// Takes requests from the start of `input` and answers them.
    ///
    /// - Parameters:
    ///   - input: What has arrived, from the first byte of a request on.
    ///   - parser: A fresh one; it is fresh again when nothing is left.
    ///   - outbox: Has the answers that are not sent yet.
    ///   - access: Told of them, if there is an access log.
    ///   - transport: Where they are sent.
    /// - Returns: What is left.
    mutating func answer(
        _ input: Span<UInt8>,
        _ parser: inout RequestParser,
        _ outbox: inout Outbox,
        _ access: inout AccessRecorder?,
        on transport: borrowing Transport
    ) -> Rest {
        while byteCount < input.count, requestCount < requestLimit,
            outbox.byteCount < Connection.flushByteCount
        {
            do {
                let (count, isComplete) = try parser.consume(input.extracting(byteCount...))
                byteCount += count
                guard isComplete else { return .begun }
            } catch {
                byteCount = input.count
                return .broken(error)
            }
            if let other = answer(&parser, &outbox, &access) { return other }
            requestCount += 1
        }
        if byteCount == input.count { isSent = outbox.send(on: transport) }
        return .nothing
    }

    /// Answers the request that the parser has.
    private func answer(
        _ parser: inout RequestParser,
        _ outbox: inout Outbox,
        _ access: inout AccessRecorder?
    ) -> Rest? {
        let start = access == nil ? 0 : System.monotonicNanoseconds()
        guard parser.head.framing == .none else { return .whole(nil) }
        // Lent in full, it is not copied.
        let head = parser.lendHead()
        let baked = handler.baked(head)
        let isPlain = head.isPlain
        let isHead = head.method == .head
        parser.takeBack(head)
        guard let baked, isPlain, baked.body.count < Outbox.copyByteLimit else {
            return .whole(baked)
        }
        outbox.append(baked, isHead: isHead, now: seconds)
        access?.record(
            parser.head,
            AccessBatch.Entry(
                peer: peer,
                status: baked.status,
                byteCount: isHead ? 0 : baked.body.count,
                start: start,
                end: System.monotonicNanoseconds()
            )
        )
        parser.reset()
        return nil
    }
}

extension RequestHead {
    /// Whether nothing about it changes how the connection goes on.
    fileprivate var isPlain: Bool {
        version == .http11 && isPersistent && !expectsContinue && !hasUnknownExpectation
    }
}
