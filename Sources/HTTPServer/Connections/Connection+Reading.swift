import HTTPWire

/// Input.
extension Connection {
    func readable() {
        switch transport.receive(into: UnsafeMutableRawBufferPointer(loop.inbox)) {
        case .bytes(0):
            state.inputEnded()
            _ = endRefusing()
        case .bytes(let count):
            let input = UnsafeBufferPointer(rebasing: loop.inbox[..<count])
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

    func takeStash() {
        guard !stash.isEmpty else { return }
        let (input, start) = (stash, stashStart)
        stash = []
        let (taken, _) = take(input.span.extracting(start...))
        keep(input, from: start + taken)
        if stash.isEmpty { recount() }
    }

    /// Reads as many requests from `input` as may be read now.
    ///
    /// - Returns: How many bytes were taken, and whether there is nothing more to do.
    private func take(_ input: Span<UInt8>) -> (byteCount: Int, isSettled: Bool) {
        var offset = 0
        if state.isAtRest, !isParserLent, !loop.context.isStopping {
            var lane = FastPath(
                seconds: loop.seconds,
                requestLimit: Connection.costPerTurn - turnCost,
                peer: peer,
                proxies: loop.fieldProxies,
                roundStart: loop.roundStart
            )
            let rest = loop.answerInPlace(input, in: &lane, on: transport)
            turnCost += lane.turn.wasOver ? Connection.costPerTurn : lane.requestCount
            turn = lane.turn
            if lane.requestCount > 0 { state.exchangeEnded(at: loop.now) }
            if case .last = rest {
                state.headEnded(hasBody: false, isPersistent: false, at: loop.now)
                state.answerGiven(isLast: true)
                return (lane.byteCount, false)
            }
            // The wheel looks at the connection no later than before this exchange.
            if lane.isSent { return (input.count, scheduledSecond != nil) }
            offset = lane.byteCount
            goOn(with: rest, of: input)
        }
        while offset < input.count, state.isReading, loop.has(self),
            turnCost < Connection.costPerTurn
        {
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
        loop.lend(&parser)
        isParserLent = true
        switch rest {
        case .nothing, .last: break
        case .begun:
            if parser.isMidway {
                state.headBegan(at: loop.now)
                recount()
            }
        case .whole(let disposition): headCompleted(disposition)
        case .broken(let error, let start): refuse(error, in: input.extracting(start...))
        }
        if state.step(hasInput: true) == .nextRequest { endExchange() }
    }

    /// How much is done for a connection before the others have their turn, such as so many
    /// requests of a pipeline answered.
    static let costPerTurn = 64

    /// Keeps what was not taken, without copying it for every request of a pipeline.
    private func keep(_ input: [UInt8], from start: Int) {
        guard start < input.count else { return }
        guard !state.hasLastRequest else {
            state.inputDropped()
            return
        }
        stash = input
        stashStart = start
        recount()
    }

    private func consume(_ input: Span<UInt8>) -> Int {
        state.input == .body ? consumeBody(input) : consumeHead(input)
    }

    private func consumeHead(_ input: Span<UInt8>) -> Int {
        if pendingRefusal != nil {
            goOnRefusing(input)
            return input.count
        }
        if !isParserLent {
            loop.lend(&parser)
            isParserLent = true
        }
        do {
            let (count, isComplete) = try parser.consume(input)
            if isComplete {
                headCompleted(nil)
            } else if parser.isMidway {
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
        exchange = Exchange(parser.head)
        client = loop.settings.limits.proxies.client(of: parser.head, from: peer)
        exchangeBegan()
        requestCount &+= 1
        turnCost += turnCost > 0 && turn.isOver() ? Connection.costPerTurn : 1
        state.headEnded(
            hasBody: parser.head.hasBody,
            isPersistent: parser.head.isPersistent,
            at: loop.now
        )
        if parser.head.hasUnknownExpectation {
            // Nobody knows what the client waits for before it sends a body.
            if state.input == .body { state.bodyAbandoned() }
            give(addressed(loop.settings.handler.unmetExpectation()))
            return
        }
        if state.isOverLimit, refusesAsExtra(Request(head: parser.head, peer: client)) { return }
        if let disposition {
            exchangeIsLabelled(loop.scratch.label)
            decided(disposition)
            return
        }
        var label = RequestLabel()
        var request = Request(head: parser.lendHead(), peer: client)
        let decision = loop.settings.handler.receive(&request, &label)
        parser.takeBack(&request.head)
        exchangeIsLabelled(label)
        decided(decision)
    }

    private func consumeBody(_ input: Span<UInt8>) -> Int {
        // What is compressed in little can be much: it is decoded in small parts, and others have
        // their turn in between.
        let input = body?.inflates == true ? input.extracting(first: BodyCollector.part) : input
        state.moved(input.count)
        defer { recount() }
        do {
            let before = body?.inflationCost ?? 0
            guard let (count, isComplete) = try body?.take(input) else {
                preconditionFailure("a body that is read has its collector")
            }
            if let body, body.inflates { turnCost += body.inflationCost - before }
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
        guard loop.isOverSoftLimit else { return }
        loop.shedSoon()
        loop.context.shortagesOfMemory.note()
        refuseBody(.overloaded)
    }

    /// Ends the request in its body, if that was to be kept.
    func refuseBody(_ reason: BodyRefusal) {
        guard case .keep = body?.purpose else { return }
        bodyFailed(.refused(reason))
    }

    func bodyCompleted() {
        state.bodyEnded()
        guard let body else { return }
        self.body = nil
        switch body.purpose {
        case .keep(_, let then): then(body.received, responder())
        case .drop: giveHeldResponse()
        }
    }

    func bodyFailed(_ failure: BodyCollector.Failure) {
        guard let body else { return }
        self.body = nil
        switch (failure, body.purpose) {
        case (.broken(let error), _): refuse(loop.settings.handler.refusal(error))
        case (.refused(let reason), .keep(let refuse, _)): self.refuse(refuse(reason))
        case (.refused, .drop):
            state.bodyAbandoned()
            giveHeldResponse()
        }
    }
}
