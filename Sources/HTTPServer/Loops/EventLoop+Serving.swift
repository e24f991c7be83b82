import Dispatch

/// Serving of connections: at once, or when their client's turn has come.
extension EventLoop {
    /// Serves a connection whose socket is ready, or queues it until its client's turn.
    ///
    /// - Parameter isAlone: Whether no other connection is ready.
    func serveOrQueue(_ event: Poller.Readiness, isAlone: Bool) {
        // The connection of an event may have been closed in this round.
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

    /// Gives a connection the response to its request, or queues it until its client's turn.
    func deliverOrQueue(_ response: Response, to id: ConnectionID, exchange number: UInt32) {
        guard let connection = connection(id) else { return }
        if mayServe(connection) {
            connection.responseArrived(response, exchange: number)
            queues.ready.served(cost: connection.turn.cost)
        } else {
            queue(connection).response = (response, number)
        }
    }

    /// Keeps received input of a connection until its client's turn.
    func keepForTurn(_ input: UnsafeBufferPointer<UInt8>, of connection: Connection) {
        connection.keep(Array(input), from: 0)
        connection.waitForSocket([])
        if has(connection) { queue(connection).continuesReading = true }
    }

    /// Returns whether a connection is served at once: it is not queued, and its client need not
    /// wait.
    func mayServe(_ connection: Connection) -> Bool {
        connection.turn.queued == nil && queues.ready.isFree(for: connection.client)
    }

    /// Queues a connection until its client's turn, if it is not queued.
    ///
    /// - Returns: The work for that turn, which the caller adds to.
    private func queue(_ connection: Connection) -> ConnectionTurn.Queued {
        if connection.turn.queued == nil {
            queues.ready.add(connection.id, from: connection.client)
        }
        return connection.turn.queue()
    }

    /// Gives a connection another turn, after the other connections had theirs.
    ///
    /// - Returns: The work for that turn, which the caller adds to.
    func requeue(_ connection: Connection) -> ConnectionTurn.Queued {
        if connection.turn.queued == nil {
            if connection.turn.isTedious, !context.isStopping {
                requeueAsTedious(connection)
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
        while !queues.ready.isLate, let id = queues.ready.next() {
            // The connection may have been closed.
            guard let connection = connection(id), let queued = connection.turn.takeQueued() else {
                continue
            }
            connection.serveTurn(queued)
            queues.ready.served(cost: connection.turn.cost)
        }
    }
}

/// New connections.
extension EventLoop {
    /// Serves the new connections whose turn has come.
    func admitNewcomers() {
        while let id = queues.newcomers.next() {
            let start = System.monotonicNanoseconds()
            connection(id)?.newcomerTurnCame()
            queues.newcomers.spend(since: start)
        }
    }
}

/// Connections whose input is tedious: it takes much work for few bytes of content.
extension EventLoop {
    /// Queues a connection among those with tedious input.
    func requeueAsTedious(_ connection: Connection) {
        queues.tedious.add(connection.id, from: connection.client, at: now)
        if let due = queues.tedious.due { setTimer(for: due, leeway: .milliseconds(1)) }
    }

    /// Serves connections with tedious input for a limited time, if their time has come.
    func serveTediousQueue() {
        guard queues.tedious.begins(at: now, nanoseconds: System.monotonicNanoseconds()) else {
            return
        }
        while let id = queues.tedious.next(at: now, nanoseconds: System.monotonicNanoseconds()) {
            guard let connection = connection(id), let queued = connection.turn.takeQueued() else {
                continue
            }
            connection.serveTurn(queued)
        }
        if let due = queues.tedious.due { setTimer(for: due, leeway: .milliseconds(1)) }
    }
}

/// Serving of several connections step by step: first their input is received, then all requests
/// are answered, then all responses are sent.
///
/// The server's code for a request is larger than the cache next to a core, and so is the kernel's
/// code for a call. If they alternated, each would evict the other for every request.
extension EventLoop {
    /// Returns whether a connection whose socket is ready is served together with others.
    func mayJoinBatch(_ connection: Connection, _ event: Poller.Readiness) -> Bool {
        event.isReadable && !event.isGone && connection.isBetweenRequests && !account.isOverHalf
    }

    /// Receives a connection's input, which ``answerBatch()`` answers later.
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
        gatherOutput {
            var isLate = false
            var lastSent = roundStart
            for (number, input) in inputs.enumerated() {
                if number & (InputBatch.countPerLook - 1) == 0 {
                    lastSent = sendOutput(leftSince: lastSent)
                }
                guard let connection = connection(input.connection) else { continue }
                if input.isLong { sendLeftOutput() }
                let bytes = UnsafeBufferPointer(rebasing: wholeReadBuffer[input.range])
                if isLate, !mayServe(connection) {
                    keepForTurn(bytes, of: connection)
                } else {
                    connection.inputReceived(.bytes(bytes.count), in: bytes)
                    let cost = connection.turn.cost
                    if cost >= InputBatch.longCost { sendLeftOutput() }
                    isLate = queues.ready.served(cost: cost)
                }
            }
        }
        batch.putBack(inputs)
    }

    /// Has connections defer their output while `serve` runs, and then sends it.
    func gatherOutput(of serve: () -> Void) {
        writeBuffer.takesLeftOutput = true
        serve()
        writeBuffer.takesLeftOutput = false
        sendLeftOutput()
    }

    /// Sends the deferred output if it may have waited for too long.
    ///
    /// - Parameter start: The earliest time at which the output can have been deferred, in
    ///   nanoseconds.
    /// - Returns: That time for the output deferred after this call.
    private func sendOutput(leftSince start: Int) -> Int {
        let time = System.monotonicNanoseconds()
        guard time - start > InputBatch.waitNanoseconds else { return start }
        sendLeftOutput()
        return time
    }

    /// Sends the output that connections have deferred.
    func sendLeftOutput() {
        guard let left = writeBuffer.takeLeft() else { return }
        for part in left.parts {
            connection(part.connection)?.sendLeftOutput(left.bytes, part.range)
        }
        writeBuffer.putBack(left)
    }
}

/// The input that a round has received for idle connections, before any of it is parsed.
struct InputBatch {
    /// The input of one connection.
    struct Input {
        let connection: ConnectionID
        /// The range of the input in the loop's read buffer.
        let range: Range<Int>

        /// Whether the input may be a pipeline or a long request, so that no output should wait for
        /// it.
        var isLong: Bool { range.count > 4 << 10 }
    }

    private var inputs: [Input] = []

    /// The index in the loop's read buffer at which the next input is received.
    private(set) var byteCount = 0

    /// The most inputs in a batch: enough to keep code and data in the core's cache for the next
    /// one, and few enough to keep waits short.
    private static let countLimit = 16
    /// The cost, in units of ``ConnectionTurn/cost``, from which output does not wait any longer.
    static let longCost = 8
    /// The number of bytes from which no more input is received.
    private static let byteLimit = 32 << 10

    /// Adds the input that was received next.
    ///
    /// - Returns: Whether the batch is now full.
    mutating func add(_ count: Int, for connection: ConnectionID) -> Bool {
        inputs.append(Input(connection: connection, range: byteCount..<(byteCount + count)))
        byteCount += count
        return inputs.count >= InputBatch.countLimit || byteCount >= InputBatch.byteLimit
    }

    /// The time for which output waits for other connections to be answered, and the number of
    /// connections after which the clock is read.
    static let waitNanoseconds = 500_000
    static let countPerLook = 4

    /// Takes out all inputs in their order; ``putBack(_:)`` returns their storage for later use.
    ///
    /// - Returns: `nil` if the batch is empty.
    mutating func take() -> [Input]? {
        guard !inputs.isEmpty else { return nil }
        defer { (inputs, byteCount) = ([], 0) }
        return inputs
    }

    mutating func putBack(_ taken: consuming [Input]) {
        taken.removeAll(keepingCapacity: true)
        inputs = taken
    }
}
