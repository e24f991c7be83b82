import HTTPWire

/// Connections that are too many.
extension Connection {
    /// Since when it has been between two requests, or at its handshake; `nil` while it is at
    /// neither.
    var idleSince: LoopTime? {
        stash.isEmpty && parser.isFresh ? state.idleSince : nil
    }

    /// Closes, unless a request has come, or the end of a handshake.
    func evict() {
        let (count, since) = (requestCount, idleSince)
        turnCost = 0
        movable()
        guard loop.has(self), requestCount == count, idleSince == since else { return }
        loop.remove(self)
    }

    /// Whether it is one past the limit that nobody owes an answer.
    var canBeRejected: Bool {
        guard state.isOverLimit else { return false }
        switch state.input {
        case .handshake, .idle, .head, .discarding: return true
        case .body, .complete: return false
        }
    }

    /// Closes at once, with 503 unless that or another answer was sent already, or nothing can be
    /// said before the handshake is over.
    func reject() {
        guard state.input != .handshake else {
            loop.remove(self)
            return
        }
        if state.input != .discarding {
            refuse(loop.settings.handler.overloaded())
            flush()
        }
        guard loop.has(self) else { return }
        transport.endOutput()
        // Closing with unread input would reset the connection, and the answer be lost.
        _ = transport.receive(into: UnsafeMutableRawBufferPointer(loop.inbox))
        loop.remove(self)
    }

    /// Becomes one of those that are served, if there is room by now.
    func joined() -> Bool {
        guard loop.context.excess(loop.settings.capacity) <= 0 else { return false }
        state.becameRegular()
        return true
    }

    /// Answers the request of a connection past the limit with 503, unless it is essential or
    /// there is room by now.
    ///
    /// - Returns: Whether the request is refused.
    func refusesAsExtra(_ request: Request) -> Bool {
        if joined() { return false }
        guard !loop.settings.handler.isEssential(request) else {
            state.becameLast()
            return false
        }
        refuse(loop.settings.handler.overloaded())
        return true
    }
}
