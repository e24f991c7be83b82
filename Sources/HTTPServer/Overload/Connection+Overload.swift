import HTTPWire

/// The memory that a connection holds while its input or output has to wait.
extension Connection {
    /// Counts the connection's memory anew.
    func recountMemory() {
        guard loop.has(self) else { return }
        let count =
            reader.byteCount + output.ownByteCount + (heldResponse?.ownByteCount ?? 0)
            + openResponse.byteCount
        // While an answer waits for the end of its request, the output holds no other answer.
        let shared = output.shared ?? heldResponse?.payload
        holdsMemory(byteCount: count, sharing: shared)
    }

    /// Removes the connection's memory from the account, because the connection is closed.
    func stopCountingMemory() {
        holdsMemory(byteCount: 0, sharing: nil)
    }

    private func holdsMemory(byteCount: Int, sharing shared: Payload?) {
        var memory = memory
        memory.update(byteCount: byteCount, sharing: shared, in: loop.account)
        self.memory = memory
    }

    /// Closes the connection or refuses its body, to free memory for other connections.
    func shed() {
        if case .keep = reader.body?.purpose, !state.isBlocked {
            refuseBody(.overloaded)
            settle()
        } else {
            loop.remove(self)
        }
    }

    /// Ends the connection if the loop's memory is over the hard limit: with 503 if a head has
    /// begun, and without an answer if requests wait behind others.
    func endIfOverHardLimit() {
        guard loop.account.isOverSoftLimit, loop.has(self) else { return }
        loop.shedSoon()
        guard loop.account.isOverHardLimit else { return }
        if state.input == .head {
            refuse(.overloaded)
            settle()
            forgetHead()
        } else if reader.hasInput {
            loop.remove(self)
        }
    }

    /// Frees the storage of a refused request, while the rest of the request is read and dropped.
    private func forgetHead() {
        guard loop.has(self) else { return }
        guard state.input == .discarding else {
            loop.remove(self)
            return
        }
        reader.giveBackStorage(to: loop)
        recountMemory()
    }

    /// Returns whether a response needs too much memory at the moment.
    func isTooMuch(_ response: Response) -> Bool {
        if case .stream(let stream) = response.body {
            return isTooMuchToWait(stream.byteCount)
        }
        guard loop.account.isOverSoftLimit else { return false }
        if let shared = response.payload {
            guard shared.bodyByteCount >= WriteBuffer.copyByteLimit, !loop.account.isHeld(shared)
            else {
                return false
            }
            // Shedding slow readers makes room, and so fast ones are seldom refused.
            loop.shedSoon()
            return loop.account.isOverHardLimit
        }
        return response.ownByteCount >= WriteBuffer.copyByteLimit
    }

    /// Returns whether a long poll or stream of this size holds too much memory at the moment.
    func isTooMuchToWait(_ byteCount: Int) -> Bool {
        loop.account.isOverHalf && byteCount >= Connection.largeWaitByteCount
    }

    /// The size from which a wait counts as large; the number of smaller waits is bounded by the
    /// limit of connections.
    private static let largeWaitByteCount = 4 << 10
}

/// Handling of connections over the limit.
extension Connection {
    /// The time since which the connection has been between two requests or at its handshake; `nil`
    /// at any other time.
    var idleSince: LoopTime? {
        reader.isFresh ? state.idleSince : nil
    }

    /// Closes the connection, unless a request or the end of a handshake has just arrived.
    func closeUnlessReady() {
        let (number, since, input) = (exchangeNumber, idleSince, state.input)
        turn.restart()
        serveSocket()
        guard loop.has(self), exchangeNumber == number, idleSince == since, state.input == input
        else { return }
        close()
    }

    /// The state of a connection past the limit, as the reserve sees it.
    enum ReserveState {
        /// The connection is not past the limit any more, or is closed.
        case over
        /// The connection is past the limit, and no answer is owed to it.
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

    /// Closes the connection at once.
    ///
    /// A 503 is sent first, unless an answer was sent already or the handshake is not complete.
    func reject() {
        guard state.input != .handshake else {
            loop.remove(self)
            return
        }
        if state.input != .discarding {
            refuse(.overloaded)
            flushAll()
        }
        guard loop.has(self) else { return }
        transport.endOutput()
        // Closing with unread input would reset the connection, and the answer would be lost.
        _ = transport.receive(into: UnsafeMutableRawBufferPointer(loop.readBuffer))
        loop.remove(self)
    }

    /// Makes the connection a regular one if there is room by now; returns whether it did.
    func joinIfRoom() -> Bool {
        guard loop.context.excess(loop.settings.capacity) <= 0 else { return false }
        state.becameRegular()
        return true
    }
}

extension Response {
    /// The number of bytes of content that only this response holds.
    fileprivate var ownByteCount: Int {
        if case .stream = body { return 0 }
        return body.byteCount ?? 0
    }
}
