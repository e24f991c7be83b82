import Dispatch

/// Serves connections whose socket is ready: at once, or from a queue in which clients take turns.
extension EventLoop {
    /// Serves a connection whose socket is ready, or queues it until its client's turn.
    ///
    /// - Parameter isAlone: Whether no other connection is ready.
    func serveOrQueue(_ event: Poller.Readiness, isAlone: Bool) {
        // An earlier event of this round may have closed the connection.
        guard let connection = connection(ConnectionID(eventData: event.data)) else { return }
        if mayServe(connection) {
            if !isAlone {
                if mayJoinBatch(connection, event) { return receiveInBatch(connection) }
                answerBatch()
            }
            connection.socketReady(event)
            queues.ready.served(cost: connection.turn.cost)
        } else {
            let queued = queue(connection)
            if queued.readiness == nil { queued.readiness = event }
            queued.readiness?.merge(event)
        }
    }

    /// Passes a response from another thread to its connection, or queues the connection until its
    /// client's turn.
    func deliverOrQueue(_ response: Response, to id: ConnectionID, exchange number: UInt32) {
        guard let connection = connection(id) else { return }
        if mayServe(connection) {
            connection.responseArrived(response, exchange: number)
            queues.ready.served(cost: connection.turn.cost)
        } else {
            queue(connection).response = (response, number)
        }
    }

    /// Stores input that was received for a connection, and queues the connection until its
    /// client's turn.
    func keepForTurn(_ input: UnsafeBufferPointer<UInt8>, of connection: Connection) {
        connection.keep(Array(input), from: 0)
        connection.waitForSocket([])
        if has(connection) { queue(connection).continuesReading = true }
    }

    /// Returns whether a connection may be served at once: it is not queued, and the ready queue is
    /// free for its client.
    func mayServe(_ connection: Connection) -> Bool {
        guard connection.turn.queued == nil else { return false }
        return queues.ready.isFree(for: connection.client)
    }

    /// Queues a connection until its client's turn, unless it is queued, and returns the work for
    /// that turn; the caller adds to it.
    private func queue(_ connection: Connection) -> ConnectionTurn.Queued {
        if connection.turn.queued == nil {
            queues.ready.add(connection.id, from: connection.client)
        }
        return connection.turn.queue()
    }

    /// Queues a connection that has more work until the others have had their turn, and returns the
    /// work for that turn; the caller adds to it.
    func requeue(_ connection: Connection) -> ConnectionTurn.Queued {
        if connection.turn.queued == nil {
            if connection.turn.isMostlyFraming, !isStopping {
                requeueForCostlyInput(connection)
            } else {
                queues.ready.addAgain(connection.id, from: connection.client)
            }
        }
        return connection.turn.queue()
    }

    /// Serves the queued connections, each once, for a limited time.
    func serveReadyQueue() {
        guard !queues.ready.isEmpty else { return }
        queues.ready.beginServing(at: System.monotonicNanoseconds())
        while let id = queues.ready.next() {
            // The connection may have been closed.
            guard let connection = connection(id), let queued = connection.turn.takeQueued() else {
                continue
            }
            connection.serveTurn(queued)
            queues.ready.served(cost: connection.turn.cost)
        }
    }
}

/// Serves new connections, whose first input or handshake may be costly.
extension EventLoop {
    /// Serves the new connections whose turn has come.
    func serveNewConnections() {
        while let id = queues.newConnections.next() {
            let start = System.monotonicNanoseconds()
            connection(id)?.takeFirstTurn()
            queues.newConnections.spend(since: start)
        }
    }
}

/// Serves connections with costly input: bytes that take much work for little content.
extension EventLoop {
    /// Adds a connection to ``LoopQueues/costlyInput``.
    func requeueForCostlyInput(_ connection: Connection) {
        queues.costlyInput.add(connection.id, from: connection.client)
        if queues.costlyInputDue == nil { serveCostlyInputLater() }
    }

    /// Sets the time at which ``LoopQueues/costlyInput`` is served next.
    private func serveCostlyInputLater() {
        let due = now + LoopQueues.costlyInputPause
        queues.costlyInputDue = due
        setTimer(for: due, leeway: .milliseconds(1))
    }

    /// Serves ``LoopQueues/costlyInput`` for a limited time, if its pause is over.
    func serveCostlyInput() {
        guard let due = queues.costlyInputDue else { return }
        guard due <= now else { return setTimer(for: due, leeway: .milliseconds(1)) }
        queues.costlyInput.beginRound(at: 0)
        while let id = queues.costlyInput.next() {
            guard let connection = connection(id), let queued = connection.turn.takeQueued() else {
                continue
            }
            let start = System.monotonicNanoseconds()
            connection.serveTurn(queued)
            queues.costlyInput.spend(since: start)
        }
        queues.costlyInputDue = nil
        if !queues.costlyInput.isEmpty { serveCostlyInputLater() }
    }
}

/// Serves several connections in a batch: receives the input of all, then answers all requests,
/// then sends all responses.
///
/// The server's code for a request is larger than a core's nearest cache, and so is the kernel's
/// code for a system call. If the two alternated, each would evict the other for every request.
extension EventLoop {
    /// Returns whether a connection whose socket is ready may be served in the batch.
    func mayJoinBatch(_ connection: Connection, _ event: Poller.Readiness) -> Bool {
        event.isReadable && !event.isGone && connection.isBetweenRequests && !account.isOverHalf
    }

    /// Receives a connection's input into the batch; ``answerBatch()`` answers it.
    func receiveInBatch(_ connection: Connection) {
        connection.turn.restart()
        let room = UnsafeMutableBufferPointer(rebasing: wholeReadBuffer[batch.byteCount...])
        let result = connection.transport.receive(into: UnsafeMutableRawBufferPointer(room))
        guard case .bytes(let count) = result, count > 0 else {
            connection.inputReceived(result, in: UnsafeBufferPointer(room))
            queues.ready.served(cost: connection.turn.cost)
            return
        }
        if batch.add(count, for: connection.id) { answerBatch() }
    }

    /// Answers the requests in the batch.
    func answerBatch() {
        guard let inputs = batch.take() else { return }
        batchOutput {
            var isLate = false
            var lastSent = roundStart
            for (number, input) in inputs.enumerated() {
                if number & (InputBatch.countPerClockReading - 1) == 0 {
                    lastSent = sendOutput(deferredSince: lastSent)
                }
                guard let connection = connection(input.connection) else { continue }
                if input.isLong { sendDeferredOutput() }
                let bytes = UnsafeBufferPointer(rebasing: wholeReadBuffer[input.range])
                if isLate, !mayServe(connection) {
                    keepForTurn(bytes, of: connection)
                } else {
                    connection.inputReceived(.bytes(bytes.count), in: bytes)
                    let cost = connection.turn.cost
                    if cost >= InputBatch.longCost { sendDeferredOutput() }
                    isLate = queues.ready.served(cost: cost)
                }
            }
        }
        batch.putBack(inputs)
    }

    /// Sends the deferred output if it may have waited for more than
    /// ``InputBatch/waitNanoseconds``.
    ///
    /// - Parameter start: The earliest time at which the output can have been deferred, in
    ///   nanoseconds.
    /// - Returns: The earliest time at which output can be deferred after this call.
    private func sendOutput(deferredSince start: Int) -> Int {
        let time = System.monotonicNanoseconds()
        guard time - start > InputBatch.waitNanoseconds else { return start }
        sendDeferredOutput()
        return time
    }
}

/// Input that was received in this round for several idle connections and is not parsed yet.
struct InputBatch {
    /// The input of one connection.
    struct Input {
        let connection: ConnectionID
        /// The range of the input in the loop's read buffer.
        let range: Range<Int>

        /// Whether the input is so long that its requests may take long, so that deferred output is
        /// sent before they are answered.
        var isLong: Bool { range.count > 4 << 10 }
    }

    private var inputs: [Input] = []

    /// The number of bytes in the loop's read buffer that the batch uses; the next input goes
    /// behind them.
    private(set) var byteCount = 0

    /// The most inputs in a batch: so many that the code stays in the core's cache from one request
    /// to the next, and so few that responses wait only briefly.
    private static let countLimit = 16
    /// The cost of a connection's requests, in units of ``ConnectionTurn/cost``, from which
    /// deferred output is sent after them.
    static let longCost = 8
    /// The number of bytes from which a batch is full.
    private static let byteLimit = 32 << 10

    /// Adds the input that was received next, and returns whether the batch is now full.
    mutating func add(_ count: Int, for connection: ConnectionID) -> Bool {
        inputs.append(Input(connection: connection, range: byteCount..<(byteCount + count)))
        byteCount += count
        return inputs.count >= InputBatch.countLimit || byteCount >= InputBatch.byteLimit
    }

    /// The longest time for which output is deferred, in nanoseconds.
    static let waitNanoseconds = 500_000
    /// The number of connections, a power of two, after which that time is checked.
    static let countPerClockReading = 4

    /// Takes out all inputs in their order; ``putBack(_:)`` returns their storage for later use.
    mutating func take() -> [Input]? {
        guard !inputs.isEmpty else { return nil }
        defer { (inputs, byteCount) = ([], 0) }
        return inputs
    }

    /// Takes back the storage of inputs that were answered.
    mutating func putBack(_ taken: consuming [Input]) {
        taken.removeAll(keepingCapacity: true)
        inputs = taken
    }
}
