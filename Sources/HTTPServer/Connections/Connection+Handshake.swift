/// Carries out the steps before the first request: reads the header of the PROXY protocol, and
/// makes the TLS handshake.
///
/// These steps may be costly, so the loop serves new connections only for a part of each round. The
/// others wait in ``LoopQueues/newConnections`` for their turn.
extension Connection {
    /// Serves a new connection's first input, at once or when its turn comes.
    func startInTurn() {
        guard loop.queues.newConnections.isFree else {
            queueAsNew()
            return
        }
        let start = System.monotonicNanoseconds()
        serveFirstInput()
        loop.queues.newConnections.spend(since: start)
    }

    /// Serves the connection's first input, or continues the TLS handshake, because its turn has
    /// come.
    func takeFirstTurn() {
        turn.isQueuedAsNew = false
        if isShakingHands, proxyHeader == nil {
            continueTLSHandshake()
        } else {
            serveFirstInput()
            // The connection may now wait for another event than before.
            if loop.has(self) { advance() }
        }
        if loop.isStopping, loop.has(self) { stop() }
    }

    /// Adds the connection to ``LoopQueues/newConnections``.
    ///
    /// Until the connection's turn, the poller does not report input. Before and during a TLS
    /// handshake it still reports the end of the input, by which the client gives up.
    private func queueAsNew() {
        waitForSocket(isShakingHands ? .inputEnd : [])
        guard loop.has(self) else { return }
        turn.isQueuedAsNew = true
        loop.queues.newConnections.add(id, from: peer)
    }

    /// Whether the TLS handshake is under way or still to come.
    var isShakingHands: Bool { state.input == .handshake && transport.isSecure }

    /// Reads the input that has arrived, and makes sure that the poller watches the socket and that
    /// a deadline is set.
    private func serveFirstInput() {
        serveSocket()
        if loop.has(self), !isPolled || scheduled == nil { advance() }
    }

    /// Reads the PROXY header if one is expected, then continues the TLS handshake, at once or when
    /// the connection's turn comes.
    func shakeHands() {
        guard readProxyHeader() else { return }
        guard !transport.isSecure || loop.queues.newConnections.isFree else {
            queueAsNew()
            return
        }
        let start = System.monotonicNanoseconds()
        continueTLSHandshake()
        loop.queues.newConnections.spend(since: start)
    }

    private func continueTLSHandshake() {
        switch transport.shakeHands() {
        case .done:
            state.handshakeEnded(at: loop.now)
            // The first request may have come with the last message of the handshake.
            receiveInput()
            if loop.has(self) { advance() }
        case .blocked: waitForSocket(.input)
        case .plain:
            state.handshakeEnded(at: loop.now)
            refuse(.unencrypted)
            advance()
        case .failed: loop.remove(self)
        }
    }

    /// Reads the PROXY header, if the connection must begin with one; returns whether it is
    /// complete, or none is expected.
    private func readProxyHeader() -> Bool {
        while var header = proxyHeader {
            switch transport.receive(proxyHeaderInto: &header) {
            case .bytes(1...): break
            case .blocked:
                proxyHeader = header
                waitForSocket(.input)
                return false
            case .bytes, .failed:
                loop.remove(self)
                return false
            case nil:
                loop.context.malformedProxyHeaders.note()
                loop.remove(self)
                return false
            }
            proxyHeader = header.isComplete ? nil : header
            if let source = header.source { (peer, client) = (source, source) }
        }
        return true
    }
}
