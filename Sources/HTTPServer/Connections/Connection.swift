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
    let reader: RequestReader
    /// The request that is being answered.
    var exchange = Exchange()
    /// Its response, while that goes on.
    private(set) var openResponse = OpenResponse.none
    /// A response that waits for the end of its request's body.
    var heldResponse: FinalResponse?
    /// What the socket has not taken yet.
    var output = PendingWrites()
    /// How long its turn is, and what its next one is for.
    var turn = ConnectionTurn()
    /// What the loop counts of its memory.
    var memory = HeldMemory()

    /// The topics that it hears of, as the loop's subscribers know it.
    var subscriptions: [Subscribers.Subscription] = []

    /// The number of the exchange: a response with another number came too late.
    var exchangeNumber: UInt32 = 0

    /// Who is at the other end; `nil` for none of IP.
    var peer: PeerAddress?
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

/// What its loop tells it; nearly all of it ends in ``settle()``.
extension Connection {
    /// Its socket is ready for something, or its peer is gone.
    func socketReady(_ readiness: Poller.Readiness) {
        turn.restart()
        if readiness.isGone {
            loop.remove(self)
        } else if readiness.isWritable || readiness.isReadable {
            serveSocket()
        } else if readiness.isInputEnded {
            peerEndedInput()
        }
    }

    /// The response to a request has come from another thread; that to an earlier one is ignored.
    func responseArrived(_ response: FinalResponse, exchange number: UInt32) {
        turn.restart()
        guard number == exchangeNumber, state.answer == .awaited else { return }
        interest = nil
        respond(with: response)
        settle()
    }

    /// Does all that it waited for its turn with.
    func serveTurn(_ queued: ConnectionTurn.Queued) {
        turn.restart()
        if let (response, number) = queued.response {
            responseArrived(response, exchange: number)
        }
        if queued.continuesReading, loop.has(self) { continueReading() }
        if queued.pumpsStream, loop.has(self), state.canStream {
            pumpStream()
            settle()
        }
        if let readiness = queued.readiness, loop.has(self) { socketReady(readiness) }
    }

    /// Goes on with input that is here already: what it kept, or what TLS has decrypted.
    private func continueReading() {
        if !reader.hasInput, transport.hasBufferedInput, state.step(hasInput: false) == .receive {
            receiveInput()
        }
        if loop.has(self) { settle() }
    }

    /// The server stops: what is under way is still answered.
    func stop() {
        // It is told when it has had its turn.
        guard !turn.isQueuedAsNewcomer else { return }
        state.stopRequested(at: loop.now)
        if state.answer == .streaming {
            endStream()
            settle()
        } else if openResponse.longPoll != nil {
            attemptLongPoll(isLast: true)
            settle()
        } else if state.input == .idle, !state.isBlocked, !reader.hasInput {
            // What has arrived by now counts as begun.
            receiveInput()
            if loop.has(self) { settle() }
        }
    }

    /// The peer has closed its side while nothing was to be read.
    private func peerEndedInput() {
        isInputEndTold = true
        // Who waits, reads a stream or shakes hands, and has closed its side, has left.
        if !openResponse.isNone || isShakingHands {
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
            // What is logged is what was sent.
            if state.isLast || state.isInputEnded || exchange.isLogged { loop.sendLeftOutput() }
            guard loop.has(self) else { return }
            switch state.step(hasInput: reader.hasInput) {
            case .nextRequest:
                prepareForNextRequest()
                continue
            case .linger:
                closeExchange(isComplete: true)
                transport.endOutput()
                state.lingeringBegan(at: loop.now)
                continue
            case .close:
                closeExchange(isComplete: state.answer == .given)
                close()
            case .write: waitForSocket(.output)
            case .waitForHandler:
                waitForSocket(state.isInputEnded || isInputEndTold ? [] : .inputEnd)
            case .readKept:
                if !turn.isOver {
                    readKept()
                    continue
                }
                waitForSocket([])
                loop.requeue(self).continuesReading = true
            case .receive:
                guard transport.hasBufferedInput else {
                    waitForSocket(.input)
                    return
                }
                waitForSocket([])
                loop.requeue(self).continuesReading = true
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
    func setOpenResponse(_ new: OpenResponse) {
        if openResponse.isNone, new.isNone { return }
        adjustCount(of: openResponse, by: -1)
        openResponse = new
        adjustCount(of: new, by: 1)
    }

    private func adjustCount(of open: OpenResponse, by change: Int) {
        switch open {
        case .none: break
        case .longPoll: loop.scratch.figures.longPollCount += change
        case .stream: loop.scratch.figures.streamCount += change
        }
    }

    /// The response is given: closes the exchange and gets ready for the next request.
    ///
    /// Not in the place of its call: checks for exclusive access would be made before the loop of
    /// ``settle()``, and so with every event of a stream.
    @inline(never)
    func prepareForNextRequest() {
        closeExchange(isComplete: true)
        state.exchangeEnded(at: loop.now)
        reader.body = nil
        heldResponse = nil
        setOpenResponse(.none)
        reader.giveBackStorage(to: loop)
        if memory.byteCount != 0 { recountMemory() }
    }

    /// Has the loop's poller wait for something on the socket, and its wheel for the deadline.
    func waitForSocket(_ interest: Poller.Interest) {
        let interest = transport.need(for: interest)
        if interest != polledInterest {
            let isNew = polledInterest == nil
            polledInterest = interest
            guard loop.poll(for: interest, on: id, isNew: isNew) else {
                loop.remove(self)
                return
            }
        }
        // Of a copy: such a call would cost every access to the property a check at run time.
        let state = state
        if let deadline = state.deadline(loop.settings.times) { schedule(deadline) }
    }

    /// Whether the loop's poller knows of it.
    var isPolled: Bool { polledInterest != nil }
}
