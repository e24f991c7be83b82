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
