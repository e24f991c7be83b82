/// What comes before the first request: a proxy's header, and TLS.
extension Connection {
    /// Begins, now or when its turn comes.
    func adopted() {
        guard loop.queues.newcomers.isFree else {
            waitForTurn()
            return
        }
        let start = System.monotonicNanoseconds()
        begin()
        loop.queues.newcomers.spend(since: start)
    }

    /// Its turn has come among those who are new.
    func turnHasCome() {
        turn.isAwaitedToBegin = false
        if isShakingHands, proxyHeader == nil {
            goOnShakingHands()
        } else {
            begin()
            // What it waits for now is not what it waited for before.
            if loop.has(self) { settle() }
        }
        if loop.context.isStopping, loop.has(self) { stop() }
    }

    /// Until its turn nothing is of interest but whether the client is still there.
    private func waitForTurn() {
        wait(for: isShakingHands ? .inputEnd : [])
        guard loop.has(self) else { return }
        turn.isAwaitedToBegin = true
        loop.queues.newcomers.add(id, from: peer)
    }

    /// Whether TLS is yet to be agreed upon.
    var isShakingHands: Bool { state.input == .handshake && transport.isSecure }

    /// Reads what has come by now, and sees to it that the rest comes in time.
    private func begin() {
        serveSocket()
        if loop.has(self), !isPolled || scheduledSecond == nil { settle() }
    }

    func shakeHands() {
        guard readProxyHeader() else { return }
        guard !transport.isSecure || loop.queues.newcomers.isFree else {
            waitForTurn()
            return
        }
        let start = System.monotonicNanoseconds()
        goOnShakingHands()
        loop.queues.newcomers.spend(since: start)
    }

    private func goOnShakingHands() {
        switch transport.shakeHands() {
        case .done:
            state.handshakeEnded(at: loop.now)
            // The first request may have come with the client's last word.
            readable()
            if loop.has(self) { settle() }
        case .blocked: wait(for: .input)
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
                wait(for: .input)
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
            if let source = header.source { passedOn(from: source) }
        }
        return true
    }
}
