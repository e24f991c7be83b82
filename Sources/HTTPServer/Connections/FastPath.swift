import HTTPTypes
import HTTPWire

/// Answers requests where they are read: those that are whole in what has arrived, have no content,
/// and get a cached response that is small.
///
/// Most requests are of this kind. What is needed is passed in, so that nothing here is an object's
/// property: those cost a check for exclusive access with every call that changes them.
struct FastPath {
    /// What is left of what was taken.
    enum Outcome {
        case nothing
        /// What was answered was the connection's last request.
        case last
        /// The parser has a part of a head.
        case begun
        /// The parser has a head that is answered otherwise; with what the handler has said, if it
        /// was asked.
        case whole(Disposition?)
        /// With where in the input the request begins.
        case broken(RequestError, at: Int)
    }

    /// The time for Date, since 1970.
    let seconds: Int
    /// The most requests to answer: what is left of the turn's cost.
    let requestLimit: Int
    /// The connection's other end.
    let peer: PeerAddress?
    /// Those whose fields are believed, if there are any.
    let proxies: TrustedProxies?
    /// When the loop found that there is input, in nanoseconds.
    let roundStart: Int

    /// What was taken of the input.
    private(set) var byteCount = 0
    /// For how long it has gone on.
    private(set) var slice = ConnectionTurn.TimeSlice()
    private(set) var requestCount = 0

    /// Takes requests from the start of `input` and answers them.
    ///
    /// - Parameters:
    ///   - input: What has arrived, from the first byte of a request on.
    ///   - settings: Whose handler is asked.
    ///   - scratch: Its parser is fresh, and is so again when nothing is left.
    ///   - writeBuffer: The answers are added to it.
    ///   - access: Told of them, if there is an access log.
    /// - Returns: What is left.
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
                return .broken(error, at: byteCount)
            }
            guard scratch.parser.head.isPlain else { return .whole(nil) }
            let isLast = !scratch.parser.head.isPersistent
            let client = proxies?.client(of: scratch.parser.head, from: peer) ?? peer
            scratch.label = RequestLabel()
            switch settings.handler.receive(&scratch.parser.head, from: client, &scratch.label) {
            case .now(.cached(let response, let perRequest)):
                if response.hasSeparateBody { return .whole(.cached(response, perRequest)) }
                writeResponse(
                    response,
                    perRequest,
                    isLast: isLast,
                    to: client,
                    since: start,
                    &scratch,
                    writeBuffer,
                    access
                )
            case let other: return .whole(other)
            }
            scratch.parser.reset()
            if isLast { return .last }
        }
        return .nothing
    }

    private mutating func writeResponse(
        _ cached: CachedResponse,
        _ perRequest: CachedResponse.PerRequestFields,
        isLast: Bool,
        to client: PeerAddress?,
        since start: Int,
        _ scratch: inout LoopScratch,
        _ writeBuffer: WriteBuffer,
        _ access: AccessRecorder?
    ) {
        let isHead = scratch.parser.head.method.isHead
        writeBuffer.append(cached, perRequest, isHead: isHead, isLast: isLast, now: seconds)
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
    /// Answers requests with the loop's own parser. A request that was not answered stays in that
    /// parser.
    func answerInPlace(_ input: Span<UInt8>, on path: inout FastPath) -> FastPath.Outcome {
        path.answer(input, by: settings, &scratch, to: writeBuffer, access)
    }
}
