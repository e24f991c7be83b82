import HTTPWire
import Platform

/// A client's connection: carries out on the socket the steps that ``ConnectionState`` decides.
///
/// A connection belongs to an event loop and is used only on that loop's queue.
final class Connection {
    let id: ConnectionID
    /// The event loop, which has a reference to the connection until it is closed.
    let loop: EventLoop
    let transport: Transport

    /// The state that decides the next step.
    var state: ConnectionState
    /// The reader of the connection's requests.
    let reader: RequestReader
    /// The request that is being answered.
    var exchange = Exchange()
    /// The long poll or stream that answers the current request, if any.
    private(set) var openResponse = OpenResponse.none
    /// A response that waits for the end of its request's body.
    var heldResponse: Response?
    /// The output that the socket has not taken.
    var output = PendingWrites()
    /// The cost of the work in the current turn, after which other connections are served, and the
    /// work queued for the next turn.
    var turn = ConnectionTurn()
    /// The memory that the loop's account counts for the connection: the bytes that only this
    /// connection holds, and the shared payload in its pending output.
    var memory: (byteCount: Int, shared: Payload?) = (0, nil)

    /// The connection's subscriptions to topics, with its index among the subscribers of each.
    var subscriptions: [(subscribers: Subscribers, index: Int)] = []

    /// The number of the current exchange: a response with another number has come too late.
    var exchangeNumber: UInt32 = 0

    /// The address of the other end: of the socket, or as the PROXY header states it; `nil` if it
    /// is not an IP address.
    var peer: IPAddress?
    /// The address of the request's sender: `peer`, or the address that a trusted proxy states.
    var client: IPAddress?

    /// The part received so far of the header that a proxy must send first; `nil` once it is
    /// complete, and if none is expected.
    var proxyHeader: ProxyHeader?

    /// The flag by which the thread that makes a response learns whether the client still waits for
    /// it; `nil` if no response is being made.
    var interest: PeerInterest?

    /// The events that the loop's poller watches for on the socket; `nil` if the socket is not in
    /// its set.
    private var polledInterest: Poller.Interest?

    /// Whether the poller has reported the end of the client's input; input before it may still be
    /// unread.
    private var isInputEndReported = false

    /// The time of the connection's entry in the timer wheel, a whole second; `nil` if it has none.
    var scheduled: LoopTime?

    init(
        _ descriptor: consuming Descriptor,
        from peer: IPAddress?,
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

/// Handles events from the loop; nearly all of these functions end in ``advance()``.
extension Connection {
    /// Handles an event of the socket.
    func socketReady(_ readiness: Poller.Readiness) {
        turn.restart()
        if readiness.isGone {
            loop.remove(self)
        } else if readiness.isReady {
            serveSocket()
        } else if readiness.isInputEnded {
            peerEndedInput()
        }
    }

    /// Sends a response that another thread has made; a response to an earlier request is ignored.
    func responseArrived(_ response: Response, exchange number: UInt32) {
        turn.restart()
        guard number == exchangeNumber, state.answer == .awaited else { return }
        interest = nil
        respond(with: response)
        advance()
    }

    /// Does the work that was queued until the connection's turn.
    func serveTurn(_ queued: ConnectionTurn.Queued) {
        turn.restart()
        if let (response, number) = queued.response {
            responseArrived(response, exchange: number)
        }
        if queued.continuesReading, loop.has(self) { advance() }
        if queued.pumpsStream, loop.has(self), state.canStream {
            pumpStream()
            advance()
        }
        if let readiness = queued.readiness, loop.has(self) { socketReady(readiness) }
    }

    /// Ends the connection because the server stops; a request under way is still answered.
    func stop() {
        // A new connection is stopped after its first turn instead.
        guard !turn.isQueuedAsNew else { return }
        state.stopRequested(at: loop.now)
        if state.answer == .streaming {
            endStream()
            advance()
        } else if openResponse.longPoll != nil {
            attemptLongPoll(isLast: true)
            advance()
        } else if state.input == .idle, !state.isBlocked, !reader.hasInput {
            // A request that has arrived by now is still answered.
            receiveInput()
            if loop.has(self) { advance() }
        }
    }

    /// Handles the end of the client's input when no input was expected.
    private func peerEndedInput() {
        isInputEndReported = true
        // Half-closing during a long poll, a stream or a handshake counts as leaving.
        if !openResponse.isNone || isShakingHands {
            loop.remove(self)
        } else {
            interest?.peerEndedInput()
            advance()
        }
    }
}

/// Carries out the steps that the state decides.
extension Connection {
    /// Sends the output and carries out the state's steps, until the connection must wait for an
    /// event.
    func advance() {
        while true {
            flush()
            // The access log needs the result of sending, so the output must not be deferred any
            // longer.
            if state.isLast || state.isInputEnded || exchange.isLogged { loop.sendDeferredOutput() }
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
                waitForSocket(state.isInputEnded || isInputEndReported ? [] : .inputEnd)
            case .readKept:
                if !turn.isOver {
                    readKept()
                    continue
                }
                waitForSocket([])
                loop.requeue(self).continuesReading = true
            case .receive: waitForSocket(.input)
            }
            return
        }
    }

    /// Closes the connection: with pending output by a reset, otherwise in order, with the end of
    /// the TLS session.
    func close() {
        if state.isBlocked {
            transport.giveUpOutput()
        } else {
            transport.endSession()
        }
        loop.remove(self)
    }

    /// Begins or ends a long poll or stream, and updates the metrics' counts of them.
    func setOpenResponse(_ new: OpenResponse) {
        adjustCount(of: openResponse, by: -1)
        openResponse = new
        adjustCount(of: new, by: 1)
    }

    private func adjustCount(of open: OpenResponse, by change: Int) {
        switch open {
        case .none: break
        case .longPoll: loop.metrics.pointee.longPollCount += change
        case .stream: loop.metrics.pointee.streamCount += change
        }
    }

    /// Ends the exchange after its response, and gets ready for the next request.
    ///
    /// The function is not inlined: if it were, Swift's check for exclusive access would run before
    /// the loop in ``advance()``, at every event of a stream.
    @inline(never)
    func prepareForNextRequest() {
        closeExchange(isComplete: true)
        state.exchangeEnded(at: loop.now)
        if reader.body != nil { reader.body = nil }
        if heldResponse != nil { heldResponse = nil }
        if reader.hasStorage {
            reader.returnStorage(to: loop)
        } else {
            loop.parser.pointee.reset(keepingStorage: true)
        }
        if memory.byteCount != 0 { recountMemory() }
    }

    /// Has the poller watch for events on the socket, and the timer wheel check the deadline.
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
        // A copy is read, because each access to the property would be checked for exclusivity at
        // run time.
        let state = state
        if let deadline = state.deadline(loop.settings.limits) { schedule(deadline) }
    }

    /// Whether the socket is in the poller's set.
    var isPolled: Bool { polledInterest != nil }
}

/// The id of a connection of an event loop: its descriptor, and a number that distinguishes it from
/// earlier connections with that descriptor.
struct ConnectionID: Hashable, Sendable {
    let descriptor: Int32
    let generation: UInt32

    init(descriptor: Int32, generation: UInt32) {
        self.descriptor = descriptor
        self.generation = generation
    }

    /// Makes the id from the data of an epoll event.
    init(eventData: UInt64) {
        descriptor = Int32(truncatingIfNeeded: eventData)
        generation = UInt32(truncatingIfNeeded: eventData >> 32)
    }

    /// The id as the data of an epoll event.
    var eventData: UInt64 {
        UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
    }
}

/// Sets deadlines, and reacts when they pass.
extension Connection {
    /// Handles an entry of the timer wheel; an entry for a deadline that has been moved is ignored.
    func timerFired(_ deadline: LoopTime) {
        checkOpenResponseEnd(deadline)
        guard deadline == scheduled, loop.has(self) else { return }
        scheduled = nil
        checkDeadline()
    }

    /// Carries out the reaction that the state decides at this time.
    private func checkDeadline() {
        guard turn.queued == nil else {
            // The connection waits for its turn on the loop, so the client is not to blame.
            schedule(loop.now + .seconds(1))
            return
        }
        var state = state
        let timeOut = state.timerFired(at: loop.now, loop.settings.limits)
        self.state = state
        switch timeOut {
        case .notRunning: break
        case .send:
            sendPendingWrites()
            guard loop.has(self) else { return }
            if self.state.isBlocked { checkDeadline() } else { continueAfterOutput() }
        case .keepOpen: sendIdlePart()
        case .wait(let deadline): schedule(deadline)
        case .close where self.state.idleSince != nil || self.state.isDraining: closeUnlessReady()
        case .close: close()
        case .refuse:
            refuse(.late)
            advance()
        case .reject:
            if !joinIfRoom() { refuse(.overloaded) }
            advance()
        }
    }

    /// Has the timer wheel check the connection in the whole second of the deadline, or earlier.
    func schedule(_ deadline: LoopTime) {
        let second = deadline.wholeSecond
        if let scheduled, scheduled <= second { return }
        scheduled = second
        loop.schedule(id, at: second)
    }
}

/// Refuses requests that are not read to their end.
extension Connection {
    /// Sends the response to a request that is refused and not read on; the connection closes after
    /// it.
    func refuse(_ refusal: RequestRefusal) {
        refuse(with: response(to: refusal))
    }

    /// Sends a response to a request that is not read on; the connection closes after it.
    func refuse(with response: Response) {
        reader.body = nil
        heldResponse = nil
        if openResponse.longPoll != nil {
            // The body of a request that waits was dropped until now.
            loop.unsubscribe(self)
            setOpenResponse(.none)
        }
        if !exchange.isOpen {
            exchange.begin(at: loop.roundStart, isLogged: loop.access != nil)
        }
        exchange.isHead = reader.parser.isForHead
        state.inputFailed()
        recountMemory()
        writeResponse(response)
    }

    /// Returns the handler's response to a refused request.
    func response(to refusal: RequestRefusal) -> Response {
        loop.settings.handler.response(to: refusal, origin: head.origin)
    }
}
