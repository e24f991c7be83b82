import Dispatch

/// Serving connections: at once, or when their client's turn has come.
extension EventLoop {
    /// Serves a connection whose socket is ready, or has it wait for its client's turn.
    ///
    /// - Parameter isAlone: Whether no other is ready.
    func serveOrQueue(_ event: Poller.Readiness, isAlone: Bool) {
        // An event for a connection that this round has closed finds nothing.
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

    /// Gives a connection the response to its request, or has that wait for its client's turn.
    func deliverOrQueue(_ response: FinalResponse, to id: ConnectionID, exchange number: UInt32) {
        guard let connection = connection(id) else { return }
        if mayServe(connection) {
            connection.responseArrived(response, exchange: number)
            queues.ready.served(cost: connection.turn.cost)
        } else {
            queue(connection).response = (response, number)
        }
    }

    /// Has what a connection has received wait for its client's turn.
    func keepForTurn(_ input: UnsafeBufferPointer<UInt8>, of connection: Connection) {
        connection.keep(Array(input), from: 0)
        connection.waitForSocket([])
        if has(connection) { queue(connection).continuesReading = true }
    }

    /// Whether a connection is served at once: it is not queued, nor must its client wait.
    func mayServe(_ connection: Connection) -> Bool {
        connection.turn.queued == nil && queues.ready.isFree(for: connection.client)
    }

    /// Has a connection wait for its client's turn, if it does not yet.
    ///
    /// - Returns: What it is to do then.
    private func queue(_ connection: Connection) -> ConnectionTurn.Queued {
        if connection.turn.queued == nil {
            queues.ready.add(connection.id, from: connection.client)
        }
        return connection.turn.queue()
    }

    /// Gives a connection a next turn, after the others had theirs.
    ///
    /// - Returns: What it is to do then.
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

    /// Serves those who wait for their turn, for a moment, and each once.
    func serveReadyQueue() {
        guard !queues.ready.isEmpty else { return }
        queues.ready.beginServing(at: System.monotonicNanoseconds())
        while !queues.ready.isLate, let id = queues.ready.next() {
            // It may have closed.
            guard let connection = connection(id), let queued = connection.turn.takeQueued() else {
                continue
            }
            connection.serveTurn(queued)
            queues.ready.served(cost: connection.turn.cost)
        }
    }
}

/// Connections that begin.
extension EventLoop {
    /// Lets those begin whose turn it is.
    func admitNewcomers() {
        while let id = queues.newcomers.next() {
            let start = System.monotonicNanoseconds()
            connection(id)?.newcomerTurnCame()
            queues.newcomers.spend(since: start)
        }
    }
}

/// Connections whose input is tedious.
extension EventLoop {
    /// Has a connection with such input wait among its like.
    func requeueAsTedious(_ connection: Connection) {
        queues.tedious.add(connection.id, from: connection.client, at: now)
        if let due = queues.tedious.due { setTimer(for: due, leeway: .milliseconds(1)) }
    }

    /// Serves those whose input is tedious, for a moment, if it is time.
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

/// The connections of a loop that wait for their turn.
///
/// They are objects of which a round changes numbers alone: an access to an object's property is
/// checked for exclusivity at run time if it may be within one that calls something.
struct LoopQueues {
    /// Those that wait for their turn to begin.
    let newcomers = NewcomerQueue()
    /// Those that wait for their turn to be served.
    let ready = ReadyQueue()
    /// Those whose input is tedious, which have a turn now and then.
    let tedious = TediousQueue()

    /// Whether nobody waits for this round or the next.
    var isEmpty: Bool { ready.isEmpty && newcomers.isEmpty }

    func beginRound(at start: Int) {
        newcomers.beginRound()
        ready.beginRound(at: start)
    }
}
