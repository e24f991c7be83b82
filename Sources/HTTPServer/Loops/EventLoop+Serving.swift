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
