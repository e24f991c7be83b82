/// TLS, as far as it shows.
extension Connection {
    /// Reads what has come by now, and sees to it that the rest comes in time.
    func begin() {
        movable()
        if loop.has(self), !isPolled || scheduledSecond == nil { settle() }
    }

    /// Goes on with what it waits for: with TLS, either may need the socket to be ready for the
    /// other.
    func movable() {
        if state.input == .handshake {
            shakeHands()
        } else if state.isBlocked {
            writable()
        } else {
            readable()
        }
    }

    private func shakeHands() {
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
}
