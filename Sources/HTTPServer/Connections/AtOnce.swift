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
        case whole(ReadyAnswer?)
        case broken(RequestError)
    }

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

    init(seconds: Int, requestLimit: Int, peer: PeerAddress?) {
        self.seconds = seconds
        self.requestLimit = requestLimit
        self.peer = peer
    }

    /// Takes requests from the start of `input` and answers them.
    ///
    /// - Parameters:
    ///   - input: What has arrived, from the first byte of a request on.
    ///   - handler: Asked about what is not known.
    ///   - desk: Its parser is fresh, and is so again when nothing is left; its outbox has the
    ///     answers that are not sent yet.
    ///   - access: Told of them, if there is an access log.
    ///   - transport: Where they are sent.
    /// - Returns: What is left.
    mutating func answer(
        _ input: Span<UInt8>,
        handler: @autoclosure () -> any RequestHandler,
        _ desk: inout Desk,
        _ access: inout AccessRecorder?,
        on transport: borrowing Transport
    ) -> Rest {
        let mark = desk.repeats.mark(input)
        if let mark, let known = desk.repeats.find(input, mark) {
            let start = self.start(access)
            give(known.response, to: known.head, since: start, &desk.outbox, &access)
            byteCount = input.count
        } else {
            let handler = handler()
            while byteCount < input.count, requestCount < requestLimit,
                desk.outbox.byteCount < Connection.flushByteCount
            {
                let start = self.start(access)
                do {
                    let (count, isComplete) = try desk.parser.consume(
                        input.extracting(byteCount...)
                    )
                    byteCount += count
                    guard isComplete else { return .begun }
                } catch {
                    byteCount = input.count
                    return .broken(error)
                }
                let (ready, isMine) = AtOnce.answer(&desk.parser, handler)
                guard isMine, let ready else { return .whole(ready) }
                give(ready.response, to: desk.parser.head, since: start, &desk.outbox, &access)
                if let mark { desk.repeats.note(input, mark, ready, desk.parser.head) }
                desk.parser.reset()
            }
        }
        if byteCount == input.count { isSent = desk.outbox.send(on: transport) }
        return .nothing
    }

    /// What the handler has for the request that the parser has, and whether it is given here.
    private static func answer(
        _ parser: inout RequestParser,
        _ handler: any RequestHandler
    ) -> (ReadyAnswer?, isMine: Bool) {
        guard parser.head.framing == .none else { return (nil, false) }
        // Lent in full, it is not copied.
        let head = parser.lendHead()
        let ready = handler.baked(head)
        let isPlain = head.isPlain
        parser.takeBack(head)
        guard let ready else { return (nil, false) }
        return (ready, isPlain && ready.response.body.count < Outbox.copyByteLimit)
    }

    private mutating func give(
        _ baked: BakedResponse,
        to head: borrowing RequestHead,
        since start: Int,
        _ outbox: inout Outbox,
        _ access: inout AccessRecorder?
    ) {
        let isHead = head.method == .head
        outbox.append(baked, isHead: isHead, now: seconds)
        requestCount += 1
        access?.record(
            head,
            AccessBatch.Entry(
                peer: peer,
                status: baked.status,
                byteCount: isHead ? 0 : baked.body.count,
                start: start,
                end: System.monotonicNanoseconds()
            )
        )
    }

    private func start(_ access: borrowing AccessRecorder?) -> Int {
        access == nil ? 0 : System.monotonicNanoseconds()
    }
}

extension RequestHead {
    /// Whether nothing about it changes how the connection goes on.
    fileprivate var isPlain: Bool {
        version == .http11 && isPersistent && !expectsContinue && !hasUnknownExpectation
    }
}
