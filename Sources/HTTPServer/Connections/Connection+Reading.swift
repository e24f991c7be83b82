import HTTPTypes
import HTTPWire

/// Reading of input.
extension Connection {
    /// Continues with the event that the connection waits for, because its socket is ready.
    ///
    /// With TLS, either direction may need the socket to be ready for the other.
    func serveSocket() {
        if state.input == .handshake {
            shakeHands()
        } else if state.isBlocked {
            resumeOutput()
        } else if state.step(hasInput: reader.hasInput) == .receive {
            receiveInput()
        } else {
            // The state may have changed since the socket was found ready.
            settle()
        }
    }

    /// Receives the input that has arrived, with one call, and reads requests from it.
    func receiveInput() {
        let buffer = loop.readBuffer
        let result = transport.receive(into: UnsafeMutableRawBufferPointer(buffer))
        inputReceived(result, in: UnsafeBufferPointer(buffer))
    }

    /// Whether the next byte begins a request that may be answered at once.
    var isBetweenRequests: Bool {
        state.isBetweenRequests && !reader.hasStorage && !loop.context.isStopping
    }

    /// Reads requests from received input.
    ///
    /// - Parameters:
    ///   - result: The number of bytes received, or the failure to receive.
    ///   - buffer: The buffer that begins with the input.
    func inputReceived(_ result: Transfer, in buffer: UnsafeBufferPointer<UInt8>) {
        switch result {
        case .bytes(0):
            state.inputEnded()
        case .bytes(let count):
            let input = UnsafeBufferPointer(rebasing: buffer[..<count])
            let (taken, isSettled) = readRequests(in: input.span)
            if isSettled { return }
            if taken < count {
                if state.hasLastRequest {
                    state.inputDropped()
                } else {
                    keep(Array(input[taken...]), from: 0)
                }
            }
        case .blocked: break  // What it waits for, it does not wait for ever.
        case .failed:
            loop.remove(self)
            return
        }
        endIfOverHardLimit()
        settle()
    }

    /// Reads requests from the input that was kept.
    func readKept() {
        let (input, start) = reader.takeKept()
        let (taken, _) = readRequests(in: input.span.extracting(start...))
        keep(input, from: start + taken)
        if !reader.hasInput { recountMemory() }
    }

    /// Reads as many requests from `input` as may be read now: first through the fast path, then
    /// one by one.
    ///
    /// - Returns: The number of bytes taken, and whether ``settle()`` would have nothing to do.
    private func readRequests(in input: Span<UInt8>) -> (byteCount: Int, isSettled: Bool) {
        var offset = 0
        if isBetweenRequests {
            var path = FastPath(
                seconds: loop.seconds,
                requestLimit: ConnectionTurn.costLimit - turn.cost,
                peer: peer,
                proxies: loop.fieldProxies,
                roundStart: loop.roundStart
            )
            let outcome = loop.answerInPlace(input, on: &path)
            turn.spend(on: path)
            if path.requestCount > 0 { state.exchangeEnded(at: loop.now) }
            offset = path.byteCount
            if case .last = outcome {
                state.headEnded(hasBody: false, isPersistent: false, at: loop.now)
                state.answerGiven(isLast: true)
                return (offset, false)
            }
            if case .nothing = outcome, offset == input.count {
                let isSent = leaveOrSendOutput()
                // The timer wheel checks the connection no later than it would have done before
                // this exchange.
                return (offset, isSent && scheduledSecond != nil && !transport.hasBufferedInput)
            }
            // The responses of other connections do not wait for a slower request.
            loop.sendLeftOutput()
            takeOver(outcome)
        }
        while offset < input.count, state.isReading, loop.has(self), !turn.isOver {
            offset += consume(input.extracting(offset...))
            if loop.writeBuffer.byteCount >= Connection.flushByteCount { flush() }
            if state.step(hasInput: true) == .nextRequest { prepareForNextRequest() }
        }
        return (offset, false)
    }

    /// Takes over from the fast path a request that it could not answer.
    private func takeOver(_ outcome: FastPath.Outcome) {
        switch outcome {
        case .nothing, .last: return
        case .begun, .whole, .broken: break
        }
        // The parser's state must leave the loop's parser in any case.
        reader.borrowStorage(of: loop)
        guard loop.has(self) else { return }
        switch outcome {
        case .nothing, .last: break
        case .begun:
            if reader.parser.isMidway {
                state.headBegan(at: loop.now)
                recountMemory()
            }
        case .whole(let reply): headCompleted(reply)
        case .broken(let error): refuse(.malformed(error))
        }
        if state.step(hasInput: true) == .nextRequest { prepareForNextRequest() }
    }

    /// Keeps the input that was not taken.
    func keep(_ input: [UInt8], from start: Int) {
        guard start < input.count else { return }
        guard !state.hasLastRequest else {
            state.inputDropped()
            return
        }
        reader.keep(input, from: start)
        recountMemory()
    }

    private func consume(_ input: Span<UInt8>) -> Int {
        state.input == .body ? consumeBody(input) : consumeHead(input)
    }

    private func consumeHead(_ input: Span<UInt8>) -> Int {
        reader.borrowStorage(of: loop)
        do {
            let (count, isComplete) = try reader.parser.consume(input)
            if isComplete {
                headCompleted(nil)
            } else if reader.parser.isMidway {
                state.headBegan(at: loop.now)
                recountMemory()
            }
            return count
        } catch {
            refuse(.malformed(error))
            return input.count
        }
    }

    /// Asks the handler how to answer a request whose head is complete, and carries out the
    /// decision.
    ///
    /// - Parameter reply: The handler's decision, if the handler was already asked.
    private func headCompleted(_ reply: Reply?) {
        // The head is taken out for a moment, because each access to it in its place would copy it.
        var head = RequestHead()
        swap(&head, &reader.parser.head)
        exchange = Exchange(head, at: loop.roundStart, isLogged: loop.logsAccess)
        client = loop.fieldProxies?.client(of: head, from: peer) ?? peer
        let hasUnknownExpectation = head.hasUnknownExpectation
        state.headEnded(hasBody: head.hasBody, isPersistent: head.isPersistent, at: loop.now)
        swap(&head, &reader.parser.head)
        exchangeNumber &+= 1
        // The turn is changed in a copy, because the change reads the clock: see `WriteBuffer`.
        var turn = turn
        turn.spendOnRequest()
        self.turn = turn
        if hasUnknownExpectation {
            // The server does not know which answer the client waits for before it sends a body.
            if state.input == .body { state.bodyAbandoned() }
            writeResponse(response(to: .unmetExpectation))
            return
        }
        var label = reply == nil ? RequestLabel() : loop.scratch.label
        let decision =
            reply
            ?? loop.settings.handler.receive(&reader.parser.head, from: client, &label)
        labelExchange(label)
        if state.isOverLimit, !joinIfRoom() {
            guard label.isEssential else {
                decision.drop()
                refuse(.overloaded)
                return
            }
            state.becameLast()
        }
        carryOut(decision)
    }

    private func consumeBody(_ input: Span<UInt8>) -> Int {
        // A costly body is taken in small parts, and other connections have their turn in between.
        let input = input.extracting(first: reader.body?.part ?? .max)
        state.moved(input.count)
        defer { recountMemory() }
        do {
            let before = (cost: reader.body?.cost ?? 0, tedious: reader.body?.tediousCost ?? 0)
            guard let (count, isComplete) = try reader.body?.take(input) else {
                preconditionFailure("a body that is read has its collector")
            }
            if let body = reader.body {
                turn.spend(body.cost - before.cost, tedious: body.tediousCost - before.tedious)
            }
            if isComplete {
                bodyCompleted()
            } else {
                recountMemory()
                if lacksMemoryForBody() { refuseBody(.overloaded) }
            }
            return count
        } catch {
            bodyFailed(error)
            return input.count
        }
    }

    /// Refuses the body that is being read, if it is read for the handler.
    func refuseBody(_ reason: BodyRefusal) {
        guard case .keep = reader.body?.purpose else { return }
        bodyFailed(.refused(reason))
    }

    /// Ends a complete body: the handler gets it, or the response that waited for its end is sent.
    func bodyCompleted() {
        state.bodyEnded()
        guard let body = reader.body else { return }
        reader.body = nil
        switch body.purpose {
        case .keep(_, let then): carryOut(then(body.received))
        case .drop: respondAfterBody()
        }
    }

    /// Ends a body that cannot be read on: the request is refused, or the rest of a dropped body is
    /// not read.
    func bodyFailed(_ failure: BodyCollector.Failure) {
        guard let body = reader.body else { return }
        reader.body = nil
        switch (failure, body.purpose) {
        case (.broken(let error), _): refuse(.malformed(error))
        case (.refused(let reason), .keep(let refuse, _)): self.refuse(with: refuse(reason))
        case (.refused, .drop):
            state.bodyAbandoned()
            respondAfterBody()
        }
    }
}

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
        let operation = scratch.metrics.operation(scratch.label, scratch.parser.head.method)
        scratch.noteAnswered(operation, since: roundStart, isLeft: writeBuffer.takesLeftOutput)
        scratch.metrics.count(operation, status: cached.status, contentByteCount: byteCount)
        if !isHead { scratch.metrics.countSaved(cached.savedByteCount) }
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
