import HTTPWire

/// Input.
extension Connection {
    /// Goes on with what it waits for, now that its socket is ready: with TLS, either direction may
    /// need the socket to be ready for the other.
    func serveSocket() {
        if state.input == .handshake {
            shakeHands()
        } else if state.isBlocked {
            writable()
        } else {
            readable()
        }
    }

    func readable() {
        let buffer = loop.readBuffer
        switch transport.receive(into: UnsafeMutableRawBufferPointer(buffer)) {
        case .bytes(0):
            state.inputEnded()
            _ = endRefusing()
        case .bytes(let count):
            let input = UnsafeBufferPointer(rebasing: buffer[..<count])
            let (taken, isSettled) = take(input.span)
            if isSettled, !transport.hasBufferedInput { return }
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

    /// Goes on with input that was kept.
    func takeKept() {
        let (input, start) = reader.takeKept()
        let (taken, _) = take(input.span.extracting(start...))
        keep(input, from: start + taken)
        if !reader.hasInput { recount() }
    }

    /// Reads as many requests from `input` as may be read now.
    ///
    /// - Returns: How many bytes were taken, and whether there is nothing more to do.
    private func take(_ input: Span<UInt8>) -> (byteCount: Int, isSettled: Bool) {
        var offset = 0
        if state.isAtRest, !reader.hasStorage, !loop.context.isStopping {
            var path = FastPath(
                seconds: loop.seconds,
                requestLimit: ConnectionTurn.costLimit - turn.cost,
                peer: peer,
                proxies: loop.fieldProxies,
                roundStart: loop.roundStart
            )
            let rest = loop.answerInPlace(input, on: &path, to: transport)
            turn.spend(on: path)
            if path.requestCount > 0 { state.exchangeEnded(at: loop.now) }
            if case .last = rest {
                state.headEnded(hasBody: false, isPersistent: false, at: loop.now)
                state.answerGiven(isLast: true)
                return (path.byteCount, false)
            }
            // The wheel looks at the connection no later than before this exchange.
            if path.isSent { return (input.count, scheduledSecond != nil) }
            offset = path.byteCount
            goOn(with: rest, of: input)
        }
        while offset < input.count, state.isReading, loop.has(self), !turn.isOver {
            offset += consume(input.extracting(offset...))
            if loop.scratch.writeBuffer.byteCount >= Connection.flushByteCount { flush() }
            if state.step(hasInput: true) == .nextRequest { endExchange() }
        }
        return (offset, false)
    }

    /// Goes on with a request that was not answered at once.
    private func goOn(with rest: FastPath.Rest, of input: Span<UInt8>) {
        switch rest {
        case .nothing, .last: return
        case .begun, .whole, .broken: break
        }
        reader.borrowStorage(of: loop)
        switch rest {
        case .nothing, .last: break
        case .begun:
            if reader.parser.isMidway {
                state.headBegan(at: loop.now)
                recount()
            }
        case .whole(let disposition): headCompleted(disposition)
        case .broken(let error, let start): refuse(error, in: input.extracting(start...))
        }
        if state.step(hasInput: true) == .nextRequest { endExchange() }
    }

    /// Keeps what was not taken.
    private func keep(_ input: [UInt8], from start: Int) {
        guard start < input.count else { return }
        guard !state.hasLastRequest else {
            state.inputDropped()
            return
        }
        reader.keep(input, from: start)
        recount()
    }

    private func consume(_ input: Span<UInt8>) -> Int {
        state.input == .body ? consumeBody(input) : consumeHead(input)
    }

    private func consumeHead(_ input: Span<UInt8>) -> Int {
        if reader.refusal != nil {
            goOnRefusing(input)
            return input.count
        }
        reader.borrowStorage(of: loop)
        do {
            let (count, isComplete) = try reader.parser.consume(input)
            if isComplete {
                headCompleted(nil)
            } else if reader.parser.isMidway {
                state.headBegan(at: loop.now)
                recount()
            }
            return count
        } catch {
            refuse(error, in: input)
            return input.count
        }
    }

    /// - Parameter disposition: What the handler has said already, if it was asked.
    private func headCompleted(_ disposition: Disposition?) {
        // Taken out for a moment: each look at it where it is would be at a copy.
        var head = RequestHead()
        swap(&head, &reader.parser.head)
        exchange = Exchange(head)
        client = loop.fieldProxies?.client(of: head, from: peer) ?? peer
        let hasUnknownExpectation = head.hasUnknownExpectation
        state.headEnded(
            hasBody: head.hasBody,
            isPersistent: head.isPersistent,
            at: loop.now
        )
        swap(&head, &reader.parser.head)
        exchangeBegan()
        requestCount &+= 1
        turn.spendOnRequest()
        if hasUnknownExpectation {
            // Nobody knows what the client waits for before it sends a body.
            if state.input == .body { state.bodyAbandoned() }
            give(addressed(loop.settings.handler.unmetExpectation()))
            return
        }
        if state.isOverLimit, refusesAsExtra(Request(head: reader.parser.head, peer: client)) {
            return
        }
        if let disposition {
            exchangeIsLabelled(loop.scratch.label)
            decided(disposition)
            return
        }
        var label = RequestLabel()
        let decision = loop.settings.handler.receive(&reader.parser.head, from: client, &label)
        exchangeIsLabelled(label)
        decided(decision)
    }

    private func consumeBody(_ input: Span<UInt8>) -> Int {
        // What takes long is taken in small parts, and others have their turn in between.
        let input = input.extracting(first: reader.body?.part ?? .max)
        state.moved(input.count)
        defer { recount() }
        do {
            let before = (cost: reader.body?.cost ?? 0, tedious: reader.body?.tediousCost ?? 0)
            guard let (count, isComplete) = try reader.body?.take(input) else {
                preconditionFailure("a body that is read has its collector")
            }
            if let body = reader.body {
                turn.spend(body.cost - before.cost, tedious: body.tediousCost - before.tedious)
            }
            if isComplete { bodyCompleted() } else { makeRoomForBody() }
            return count
        } catch {
            bodyFailed(error)
            return input.count
        }
    }

    /// Refuses the body if all that is held is too much; the slowest will make room for others.
    private func makeRoomForBody() {
        recount()
        guard loop.account.isOverSoftLimit else { return }
        loop.shedSoon()
        loop.context.shortagesOfMemory.note()
        refuseBody(.overloaded)
    }

    /// Ends the request in its body, if that was to be kept.
    func refuseBody(_ reason: BodyRefusal) {
        guard case .keep = reader.body?.purpose else { return }
        bodyFailed(.refused(reason))
    }

    func bodyCompleted() {
        state.bodyEnded()
        guard let body = reader.body else { return }
        reader.body = nil
        switch body.purpose {
        case .keep(_, let then): then(body.received, responder())
        case .drop: giveHeldResponse()
        }
    }

    func bodyFailed(_ failure: BodyCollector.Failure) {
        guard let body = reader.body else { return }
        reader.body = nil
        switch (failure, body.purpose) {
        case (.broken(let error), _): refuse(loop.settings.handler.refusal(error))
        case (.refused(let reason), .keep(let refuse, _)): self.refuse(refuse(reason))
        case (.refused, .drop):
            state.bodyAbandoned()
            giveHeldResponse()
        }
    }
}
