import HTTPWire

/// One client's connection: does with the socket what ``ConnectionState`` says.
///
/// It belongs to an event loop and is touched only on that loop's queue.
final class Connection {
    let id: ConnectionID
    /// Held until the loop removes the connection.
    let loop: EventLoop
    let transport: Transport

    /// What to do next.
    var state: ConnectionState
    /// What it has read, or is to read.
    var reader: RequestReader
    /// The request that is being answered.
    var exchange = Exchange()
    /// Its response, while that goes on.
    private(set) var open = OpenResponse.none
    /// A response that waits for the end of its request's body.
    var heldResponse: FinalResponse?
    /// What the socket has not taken yet.
    var output = PendingWrites()
    /// How long its turn is, and what its next one is for.
    var turn = ConnectionTurn()
    /// What the loop counts of its memory.
    var held = HeldMemory()

    /// The topics that it hears of, as the loop's subscribers know it.
    var subscriptions: [Subscribers.Subscription] = []

    /// Tells a late answer to a request from one to the next.
    var requestCount: UInt32 = 0

    /// Who is at the other end; `nil` for none of IP.
    private(set) var peer: PeerAddress?
    /// Who sent the request, as far as that is known: `peer`, or who a trusted proxy says.
    var client: PeerAddress?

    /// What a proxy says first, while that is not read.
    var proxyHeader: ProxyHeader?

    /// Tells whoever makes the awaited answer whether it is still of use.
    var interest: PeerInterest?

    /// What the loop's poller waits for on the socket; `nil` before it knows of it.
    private var polledInterest: Poller.Interest?

    /// Whether the poller has told that the peer's input is at its end; some may be left to read.
    private var isInputEndTold = false

    /// When the loop's wheel will look at this connection.
    var scheduledSecond: Int?

    init(
        _ descriptor: consuming Descriptor,
        from peer: PeerAddress?,
        generation: UInt32,
        loop: EventLoop,
        isOverLimit: Bool
    ) {
        id = ConnectionID(descriptor: descriptor.rawValue, generation: generation)
        self.loop = loop
        self.peer = peer
        client = peer
        transport = Transport(descriptor, loop.context.tls)
        reader = RequestReader(limits: loop.settings.limits.head)
        if loop.settings.limits.proxies.speaksFirst(peer) { proxyHeader = ProxyHeader() }
        state = ConnectionState(
            now: loop.now,
            shakesHands: transport.isSecure || proxyHeader != nil,
            isOverLimit: isOverLimit
        )
    }
}

/// What happens to it.
extension Connection {
    /// A proxy has said who is at the other end of the connection that it passes on.
    func passedOn(from source: PeerAddress) {
        peer = source
        client = source
    }

    func ready(_ readiness: Poller.Readiness) {
        turn.restart()
        if readiness.isGone {
            loop.remove(self)
        } else if readiness.isWritable || readiness.isReadable {
            serveSocket()
        } else if readiness.isInputEnded {
            inputEnded()
        }
    }

    func answered(_ answer: FinalResponse, request: UInt32) {
        turn.restart()
        guard request == requestCount, state.answer == .awaited else { return }
        interest = nil
        offer(answer)
        settle()
    }

    /// Does what it waited for its turn with.
    func take(_ queued: QueuedTurn) {
        turn.restart()
        if let (answer, request) = queued.answer { answered(answer, request: request) }
        if queued.goesOn, loop.has(self) { goOn() }
        if queued.asksStream, loop.has(self), state.answer == .streaming, !state.isBlocked {
            pump()
            settle()
        }
        if let readiness = queued.readiness, loop.has(self) { ready(readiness) }
    }

    /// Goes on with what it has read.
    private func goOn() {
        if !reader.hasInput, transport.hasBufferedInput, state.step(hasInput: false) == .read {
            readable()
        } else {
            settle()
        }
    }

    /// The server stops: what is under way is still answered.
    func stop() {
        // It is told when it has had its turn.
        guard !turn.isAwaitedToBegin else { return }
        state.stopRequested(at: loop.now)
        if state.answer == .streaming {
            endStream()
            settle()
        } else if open.longPoll != nil {
            attempt(isLast: true)
            settle()
        } else if state.input == .idle, !state.isBlocked, !reader.hasInput {
            // What has arrived by now counts as begun.
            readable()
            if loop.has(self) { settle() }
        }
    }

    private func inputEnded() {
        isInputEndTold = true
        // Who waits, reads a stream or shakes hands, and has closed its side, has left.
        if !open.isNone || isShakingHands {
            loop.remove(self)
        } else {
            interest?.peerEndedInput()
            settle()
        }
    }
}

/// What follows from its state.
extension Connection {
    /// Sends what there is to send and does what the state asks for, until it must wait.
    func settle() {
        while true {
            flush()
            guard loop.has(self) else { return }
            switch state.step(hasInput: reader.hasInput) {
            case .nextRequest:
                endExchange()
                continue
            case .linger:
                exchangeEnded(isComplete: true)
                transport.endOutput()
                state.lingeringBegan(at: loop.now)
                continue
            case .close:
                exchangeEnded(isComplete: state.answer == .given)
                close()
            case .write: wait(for: .output)
            case .waitForHandler:
                wait(for: state.isInputEnded || isInputEndTold ? [] : .inputEnd)
            case .takeInput:
                if !turn.isOver {
                    takeKept()
                    continue
                }
                wait(for: [])
                loop.goOn(self, with: \.goesOn)
            case .read:
                guard transport.hasBufferedInput else {
                    wait(for: .input)
                    return
                }
                wait(for: [])
                loop.goOn(self, with: \.goesOn)
            }
            return
        }
    }

    /// Ends it; in order, if nothing was left unsaid.
    func close() {
        if state.isBlocked {
            transport.giveUpOutput()
        } else {
            transport.endSession()
        }
        loop.remove(self)
    }

    /// Begins or ends a stream or a long poll; the open ones are counted.
    func setOpen(_ new: OpenResponse) {
        if open.isNone, new.isNone { return }
        count(open, -1)
        open = new
        count(open, 1)
    }

    private func count(_ open: OpenResponse, _ change: Int) {
        switch open {
        case .none: break
        case .longPoll: loop.scratch.figures.longPollCount += change
        case .stream: loop.scratch.figures.streamCount += change
        }
    }

    /// Gets ready for the next request on the connection.
    func endExchange() {
        exchangeEnded(isComplete: true)
        state.exchangeEnded(at: loop.now)
        reader.body = nil
        heldResponse = nil
        setOpen(.none)
        reader.giveBackStorage(to: loop)
        if held.byteCount != 0 { recount() }
    }

    func wait(for interest: Poller.Interest) {
        let interest = transport.need(for: interest)
        if interest != polledInterest {
            let isNew = polledInterest == nil
            polledInterest = interest
            guard loop.wait(for: interest, on: id, isNew: isNew) else {
                loop.remove(self)
                return
            }
        }
        // Of a copy: such a call would cost every access to the property a check at run time.
        let state = state
        if let deadline = state.deadline(loop.settings.limits) { schedule(deadline) }
    }

    /// Whether the loop's poller knows of it.
    var isPolled: Bool { polledInterest != nil }
}
