/// What comes before the first request: a proxy's header, and TLS.
extension Connection {
    /// Serves its first input, now or when its turn among the newcomers comes.
    func startInTurn() {
        guard loop.queues.newcomers.isFree else {
            queueAsNewcomer()
            return
        }
        let start = System.monotonicNanoseconds()
        serveFirstInput()
        loop.queues.newcomers.spend(since: start)
    }

    /// Its turn among the newcomers has come: to be served its first input, or to go on with TLS.
    func newcomerTurnCame() {
        turn.isQueuedAsNewcomer = false
        if isShakingHands, proxyHeader == nil {
            continueTLSHandshake()
        } else {
            serveFirstInput()
            // What it waits for now is not what it waited for before.
            if loop.has(self) { settle() }
        }
        if loop.context.isStopping, loop.has(self) { stop() }
    }

    /// Has it wait for its turn; until then only whether the client is still there is of interest.
    private func queueAsNewcomer() {
        waitForSocket(isShakingHands ? .inputEnd : [])
        guard loop.has(self) else { return }
        turn.isQueuedAsNewcomer = true
        loop.queues.newcomers.add(id, from: peer)
    }

    /// Whether TLS is yet to be agreed upon.
    var isShakingHands: Bool { state.input == .handshake && transport.isSecure }

    /// Reads what has come by now, and sees to it that the rest comes in time.
    private func serveFirstInput() {
        serveSocket()
        if loop.has(self), !isPolled || scheduledSecond == nil { settle() }
    }

    /// Reads the proxy's header, and goes on with TLS, now or when its turn comes.
    func shakeHands() {
        guard readProxyHeader() else { return }
        guard !transport.isSecure || loop.queues.newcomers.isFree else {
            queueAsNewcomer()
            return
        }
        let start = System.monotonicNanoseconds()
        continueTLSHandshake()
        loop.queues.newcomers.spend(since: start)
    }

    private func continueTLSHandshake() {
        switch transport.shakeHands() {
        case .done:
            state.handshakeEnded(at: loop.now)
            // The first request may have come with the client's last word.
            receiveInput()
            if loop.has(self) { settle() }
        case .blocked: waitForSocket(.input)
        case .plain:
            state.handshakeEnded(at: loop.now)
            refuse(loop.settings.handler.unencrypted())
            settle()
        case .failed: loop.remove(self)
        }
    }

    /// Reads what a proxy says first, where it is to say something.
    ///
    /// - Returns: Whether nothing of it is left to read.
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
