import HTTPWire

/// One client's connection: does with the socket what ``ConnectionState`` says.
///
/// It belongs to an event loop and is touched only on that loop's queue.
final class Connection {
    let id: ConnectionID
    /// Held until the loop removes the connection.
    let loop: EventLoop
    let transport: Transport

    var state: ConnectionState
    var parser: RequestParser
    /// Whether `parser` has the loop's storage, and may have begun to read.
    var isParserLent = false
    var body: BodyCollector?
    var exchange = Exchange()
    private(set) var stream: (any ResponseStream)?
    var output = PendingWrites()

    /// When its stream is ended, if it is to be.
    var streamEnd: LoopTime?

    /// An answer that is held until there is something to say.
    private(set) var waiting: OpenLongPoll?

    /// The topics that it hears of, as the loop's subscribers know it.
    var subscriptions: [Subscribers.Subscription] = []

    /// An answer that waits for the end of its request's body.
    var heldResponse: FinalResponse?

    /// A refusal that waits for the origin to send it to.
    var pendingRefusal: PendingRefusal?

    /// Input that came before it may be read: pipelined requests.
    var stash: [UInt8] = []
    /// Where in it those begin that have not been read.
    var stashStart = 0

    /// What was done for it since others last had their turn: 1 for a request, for every 16 KiB that
    /// were sent, for every KiB of content that was decompressed, and for every half KiB of what
    /// that was decompressed from.
    var turnCost = 0 {
        didSet { if turnCost == 0 { turn = TurnTime() } }
    }
    var turn = TurnTime()

    /// Tells a late answer to a request from one to the next.
    var requestCount: UInt32 = 0

    /// Bytes of it that the loop counts, and what of its output it shares with others.
    var heldByteCount = 0
    var heldAlong: CachedResponse?

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

    /// Whether it waits for its turn to begin.
    var waitsForTurn = false
    /// What it is to do, while it waits for its turn to be served.
    private(set) var queuedTurn: QueuedTurn?

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
        parser = RequestParser(limits: loop.settings.limits.head)
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
        turnCost = 0
        if readiness.isGone {
            loop.remove(self)
        } else if readiness.isWritable || readiness.isReadable {
            movable()
        } else if readiness.isInputEnded {
            inputEnded()
        }
    }

    func answered(_ answer: FinalResponse, request: UInt32) {
        turnCost = 0
        guard request == requestCount, state.answer == .awaited else { return }
        interest = nil
        offer(answer)
        settle()
    }

    /// Waits for its turn to be served.
    func beginQueuedTurn() -> QueuedTurn {
        let turn = QueuedTurn()
        queuedTurn = turn
        return turn
    }

    func takeQueuedTurn() -> QueuedTurn? {
        defer { queuedTurn = nil }
        return queuedTurn
    }

    /// Does what it waited for its turn with.
    func take(_ turn: QueuedTurn) {
        turnCost = 0
        if let (answer, request) = turn.answer { answered(answer, request: request) }
        if turn.goesOn, loop.has(self) { goOn() }
        if turn.asksStream, loop.has(self), state.answer == .streaming, !state.isBlocked {
            pump()
            settle()
        }
        if let readiness = turn.readiness, loop.has(self) { ready(readiness) }
    }

    /// Goes on with what it has read.
    private func goOn() {
        if stash.isEmpty, transport.hasBufferedInput, state.step(hasInput: false) == .read {
            readable()
        } else {
            settle()
        }
    }

    /// Whoever makes its stream has more of it.
    func streamIsReady(request: UInt32) {
        guard request == requestCount, state.answer == .streaming, !state.isBlocked else { return }
        loop.goOn(self, with: \.asksStream)
    }

    /// The server stops: what is under way is still answered.
    func stop() {
        // It is told when it has had its turn.
        guard !waitsForTurn else { return }
        state.stopRequested(at: loop.now)
        if state.answer == .streaming {
            endStream()
            settle()
        } else if waiting != nil {
            attempt(isLast: true)
            settle()
        } else if state.input == .idle, !state.isBlocked, stash.isEmpty {
            // What has arrived by now counts as begun.
            readable()
            if loop.has(self) { settle() }
        }
    }

    private func inputEnded() {
        isInputEndTold = true
        // Who waits, reads a stream or shakes hands, and has closed its side, has left.
        if state.answer == .streaming || waiting != nil || isShakingHands {
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
            switch state.step(hasInput: !stash.isEmpty) {
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
                if turnCost < Connection.costPerTurn {
                    takeStash()
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

    /// Begins or ends a stream; the open ones are counted.
    func setStream(_ new: (any ResponseStream)?) {
        let change = (new == nil ? 0 : 1) - (stream == nil ? 0 : 1)
        stream = new
        if change != 0 { loop.scratch.figures.streamCount += change }
    }

    /// Begins or ends a long poll; the open ones are counted.
    func setWaiting(_ new: OpenLongPoll?) {
        let change = (new == nil ? 0 : 1) - (waiting == nil ? 0 : 1)
        waiting = new
        if change != 0 { loop.scratch.figures.longPollCount += change }
    }

    /// Gets ready for the next request on the connection.
    func endExchange() {
        exchangeEnded(isComplete: true)
        state.exchangeEnded(at: loop.now)
        body = nil
        heldResponse = nil
        setStream(nil)
        streamEnd = nil
        setWaiting(nil)
        if isParserLent { loop.takeBack(&parser) }
        isParserLent = false
        if heldByteCount != 0 { recount() }
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
