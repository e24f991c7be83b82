import HTTPWire

/// What a connection holds in memory while something of it has to wait.
extension Connection {
    /// Counts anew the memory that it holds.
    func recountMemory() {
        guard loop.has(self) else { return }
        let count =
            reader.byteCount + output.ownByteCount + (heldResponse?.ownByteCount ?? 0)
            + openResponse.byteCount
        // While an answer waits for its request's end, no other one is in the output.
        let shared = output.shared ?? heldResponse?.shared
        holdsMemory(byteCount: count, sharing: shared)
    }

    /// Counts none of its memory any more: it is closed.
    func stopCountingMemory() {
        holdsMemory(byteCount: 0, sharing: nil)
    }

    private func holdsMemory(byteCount: Int, sharing shared: CachedResponse?) {
        var memory = memory
        memory.update(byteCount: byteCount, sharing: shared, in: loop.account)
        self.memory = memory
    }

    /// Ends, so that others have the memory.
    func shed() {
        if case .keep = reader.body?.purpose, !state.isBlocked {
            refuseBody(.overloaded)
            settle()
        } else {
            loop.remove(self)
        }
    }

    /// Ends when so much is held that nobody may add to it: with 503 where a head has begun, and
    /// without a word where requests wait behind others.
    func endIfOverHardLimit() {
        guard loop.account.isOverSoftLimit, loop.has(self) else { return }
        loop.shedSoon()
        guard loop.account.isOverHardLimit else { return }
        if state.input == .head {
            refuse(loop.settings.handler.overloaded())
            settle()
            forgetHead()
        } else if reader.hasInput {
            loop.remove(self)
        }
    }

    /// Keeps nothing of a request that was refused, while more of it may come to be dropped.
    private func forgetHead() {
        guard loop.has(self) else { return }
        guard state.input == .discarding else {
            loop.remove(self)
            return
        }
        reader.giveBackStorage(to: loop)
        recountMemory()
    }

    /// Whether a response is too much at the moment.
    func isTooMuch(_ response: FinalResponse) -> Bool {
        if case .response(let own) = response, case .stream(let stream) = own.body {
            return isTooMuchToWait(stream.byteCount)
        }
        guard loop.account.isOverSoftLimit else { return false }
        if let shared = response.shared {
            guard shared.bodyByteCount >= WriteBuffer.copyByteLimit, !loop.account.isHeld(shared)
            else {
                return false
            }
            // Those who take theirs slowly make room, and so fast ones are seldom refused.
            loop.shedSoon()
            return loop.account.isOverHardLimit
        }
        return response.ownByteCount >= WriteBuffer.copyByteLimit
    }

    /// Whether what waits for changes, and may do so for long, is too much at the moment.
    func isTooMuchToWait(_ byteCount: Int) -> Bool {
        loop.account.isOverHalf && byteCount >= Connection.largeWaitByteCount
    }

    /// How many of those that keep less there are is bounded by the connections.
    private static let largeWaitByteCount = 4 << 10
}

/// Connections that are too many.
extension Connection {
    /// Since when it has been between two requests, or at its handshake; `nil` while it is at
    /// neither.
    var idleSince: LoopTime? {
        reader.isFresh ? state.idleSince : nil
    }

    /// Closes, unless a request has come in the last moment, or the end of a handshake.
    func closeUnlessReady() {
        let (number, since, input) = (exchangeNumber, idleSince, state.input)
        turn.restart()
        serveSocket()
        guard loop.has(self), exchangeNumber == number, idleSince == since, state.input == input
        else { return }
        close()
    }

    /// What a connection past the limit is to the reserve.
    enum ReserveState {
        /// Not past the limit any more, or closed.
        case over
        /// Nobody owes it an answer.
        case rejectable
        case answered
    }

    var reserveState: ReserveState {
        guard state.isOverLimit else { return .over }
        switch state.input {
        case .handshake, .idle, .head, .discarding: return .rejectable
        case .body, .complete: return .answered
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
            flushAll()
        }
        guard loop.has(self) else { return }
        transport.endOutput()
        // Closing with unread input would reset the connection, and the answer be lost.
        _ = transport.receive(into: UnsafeMutableRawBufferPointer(loop.readBuffer))
        loop.remove(self)
    }

    /// Becomes one of those that are served, if there is room by now.
    func joinIfRoom() -> Bool {
        guard loop.context.excess(loop.settings.capacity) <= 0 else { return false }
        state.becameRegular()
        return true
    }

    /// Answers the request of a connection past the limit with 503, unless it is essential or
    /// there is room by now.
    ///
    /// - Returns: Whether the request is refused.
    func refuseIfOverLimit(_ request: Request) -> Bool {
        if joinIfRoom() { return false }
        guard !loop.settings.handler.isEssential(request) else {
            state.becameLast()
            return false
        }
        refuse(loop.settings.handler.overloaded())
        return true
    }
}

extension FinalResponse {
    /// Bytes of its content that nobody else has.
    fileprivate var ownByteCount: Int {
        guard case .response(let response) = self else { return 0 }
        if case .stream = response.body { return 0 }
        return response.body.byteCount ?? 0
    }

    /// Itself, if many share it.
    fileprivate var shared: CachedResponse? {
        guard case .cached(let cached, _) = self else { return nil }
        return cached
    }
}
