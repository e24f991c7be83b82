import HTTPTypes
import HTTPWire

/// Answers requests directly from the input: requests that have arrived completely, have no
/// content, and get a small cached response.
///
/// Most requests are of this kind. All data is passed in as parameters, not read from an object's
/// properties: Swift checks those for exclusive access with every call that changes them.
struct FastPath {
    /// The state after the requests that were answered.
    enum Outcome {
        case nothing
        /// The last answered request was the connection's last one.
        case last
        /// The parser holds a part of a head.
        case begun
        /// The parser holds a head that the fast path cannot answer, with the handler's decision if
        /// the handler was asked.
        case whole(Reply?)
        /// The head is malformed.
        case broken(RequestError)
    }

    /// The time for the Date field, in seconds since 1970.
    let seconds: Int
    /// The most requests to answer: the rest of the turn's cost.
    let requestLimit: Int
    /// The address of the connection's other end.
    let peer: PeerAddress?
    /// Proxies whose fields about the client are trusted; `nil` if none are configured.
    let proxies: TrustedProxies?
    /// The time at which the loop found the input, in nanoseconds.
    let roundStart: Int

    /// The number of bytes of input that were taken.
    private(set) var byteCount = 0
    /// The time that the fast path may take.
    private(set) var slice = ConnectionTurn.TimeSlice()
    private(set) var requestCount = 0

    /// Takes requests from the start of `input` and answers them.
    ///
    /// - Parameters:
    ///   - input: The received bytes, from the first byte of a request on.
    ///   - settings: The settings with the handler to ask.
    ///   - scratch: The loop's scratch; its parser is fresh, and is so again when no request is
    ///     left.
    ///   - writeBuffer: The buffer that the answers are added to.
    ///   - access: The recorder of the answers, if there is an access log.
    /// - Returns: The state after the answered requests.
    mutating func answer(
        _ input: Span<UInt8>,
        by settings: ServerSettings,
        _ scratch: inout LoopScratch,
        to writeBuffer: WriteBuffer,
        _ access: AccessRecorder?
    ) -> Outcome {
        while byteCount < input.count, requestCount < requestLimit,
            writeBuffer.byteCount < Connection.flushByteCount
        {
            if requestCount > 0, slice.isOver() { break }
            let start = access == nil ? 0 : System.monotonicNanoseconds()
            do {
                let (count, isComplete) = try scratch.parser.consume(input.extracting(byteCount...))
                byteCount += count
                guard isComplete else { return .begun }
            } catch {
                defer { byteCount = input.count }
                return .broken(error)
            }
            guard scratch.parser.head.isPlain else { return .whole(nil) }
            let isLast = !scratch.parser.head.isPersistent
            let client = proxies?.client(of: scratch.parser.head, from: peer) ?? peer
            scratch.label = RequestLabel()
            let reply = settings.handler.receive(&scratch.parser.head, from: client, &scratch.label)
            guard case .response(let response) = reply, let payload = response.payload,
                !payload.hasSeparateBody
            else { return .whole(reply) }
            writeResponse(
                payload,
                response.own,
                isLast: isLast,
                to: client,
                since: start,
                &scratch,
                writeBuffer,
                access
            )
            scratch.parser.reset()
            if isLast { return .last }
        }
        return .nothing
    }

    private mutating func writeResponse(
        _ cached: Payload,
        _ own: Response.OwnFields,
        isLast: Bool,
        to client: PeerAddress?,
        since start: Int,
        _ scratch: inout LoopScratch,
        _ writeBuffer: WriteBuffer,
        _ access: AccessRecorder?
    ) {
        let isHead = scratch.parser.head.method.isHead
        writeBuffer.append(cached, own, isHead: isHead, isLast: isLast, now: seconds)
        requestCount += 1
        let byteCount = isHead ? 0 : cached.bodyByteCount
        let operation = scratch.figures.operation(scratch.label, scratch.parser.head.method)
        scratch.noteAnswered(operation, since: roundStart, isLeft: writeBuffer.takesLeftOutput)
        scratch.figures.count(operation, status: cached.status, contentByteCount: byteCount)
        if !isHead { scratch.figures.countSaved(cached.savedByteCount) }
        guard let access else { return }
        var entry = AccessBatch.Entry(
            peer: client,
            status: cached.status,
            byteCount: byteCount,
            start: start,
            end: System.monotonicNanoseconds()
        )
        entry.user = scratch.label.user
        access.record(scratch.parser.head, entry)
    }
}

extension EventLoop {
    /// Answers requests with the loop's own parser.
    ///
    /// A request that was not answered stays in that parser.
    func answerInPlace(_ input: Span<UInt8>, on path: inout FastPath) -> FastPath.Outcome {
        path.answer(input, by: settings, &scratch, to: writeBuffer, access)
    }
}
