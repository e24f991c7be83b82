import HTTPWire

/// Counting of the memory that a connection holds while its input or output has to wait.
extension Connection {
    /// Updates the loop's account to the memory that the connection holds now.
    func recountMemory() {
        guard loop.has(self) else { return }
        let count =
            reader.byteCount + output.ownByteCount + (heldResponse?.ownByteCount ?? 0)
            + openResponse.byteCount
        // While a response is held, no output is pending, so there is one shared payload at most.
        let shared = output.shared ?? heldResponse?.payload
        holdsMemory(byteCount: count, sharing: shared)
    }

    /// Removes the connection's memory from the account, because the connection is closed.
    func stopCountingMemory() {
        holdsMemory(byteCount: 0, sharing: nil)
    }

    private func holdsMemory(byteCount: Int, sharing shared: Payload?) {
        let before = memory
        if byteCount != before.byteCount { loop.account.hold(byteCount - before.byteCount) }
        if shared !== before.shared { loop.account.exchange(before.shared, for: shared) }
        memory = (byteCount, shared)
    }

    /// Frees the connection's memory for others: refuses the body that is being read, or closes.
    func shed() {
        if case .keep = reader.body?.purpose, !state.isBlocked {
            refuseBody(.overloaded)
            advance()
        } else {
            loop.remove(self)
        }
    }

    /// Ends the connection if the loop's memory is over the hard limit: with 503 if a head has
    /// begun, without a response if pipelined requests wait.
    func endIfOverHardLimit() {
        guard loop.account.isOverSoftLimit, loop.has(self) else { return }
        loop.shedSoon()
        guard loop.account.isOverHardLimit else { return }
        if state.input == .head {
            refuse(.overloaded)
            advance()
            forgetHead()
        } else if reader.hasInput {
            loop.remove(self)
        }
    }

    /// Frees the storage of a refused request's head, while the rest of the request is dropped.
    private func forgetHead() {
        guard loop.has(self) else { return }
        guard state.input == .discarding else {
            loop.remove(self)
            return
        }
        reader.returnStorage(to: loop)
        recountMemory()
    }

    /// Returns whether a response needs too much memory to be sent now.
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
            // Shedding slow readers frees memory, so responses to fast ones are seldom refused.
            loop.shedSoon()
            return loop.account.isOverHardLimit
        }
        return response.ownByteCount >= WriteBuffer.copyByteLimit
    }

    /// Returns whether a long poll or stream of this size needs too much memory to be begun now.
    func isTooMuchToWait(_ byteCount: Int) -> Bool {
        loop.account.isOverHalf && byteCount >= Connection.largeWaitByteCount
    }

    /// The size in bytes from which the memory of a long poll or stream counts; smaller ones are
    /// bounded by the limit of connections.
    private static let largeWaitByteCount = 4 << 10
}

/// Eviction of idle connections, and the handling of connections past the limit.
extension Connection {
    /// The start of the time between two requests or of the handshake; `nil` at any other time.
    var idleSince: LoopTime? {
        reader.isFresh ? state.idleSince : nil
    }

    /// Closes the idle connection, unless a request or a message of the handshake has just arrived.
    func closeUnlessReady() {
        let (number, since, input) = (exchangeNumber, idleSince, state.input)
        turn.restart()
        serveSocket()
        guard loop.has(self), exchangeNumber == number, idleSince == since, state.input == input
        else { return }
        close()
    }

    /// Whether a connection past the limit may be rejected: no response is owed to it.
    var isRejectable: Bool {
        switch state.input {
        case .handshake, .idle, .head, .discarding: true
        case .body, .complete: false
        }
    }

    /// Rejects a connection past the limit: closes it at once.
    ///
    /// A 503 is sent first, unless a response was sent already or the handshake is not complete.
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
        // Closing with unread input would reset the connection, and the client could lose the
        // response.
        _ = transport.receive(into: UnsafeMutableRawBufferPointer(loop.readBuffer))
        loop.remove(self)
    }

    /// Admits a connection past the limit if there is room by now; returns whether it did.
    func joinIfRoom() -> Bool {
        guard loop.context.excess(loop.settings) <= 0 else { return false }
        state.becameRegular()
        return true
    }
}

extension Response {
    /// The number of bytes of content that no other response shares.
    fileprivate var ownByteCount: Int {
        if case .stream = body { return 0 }
        return body.byteCount ?? 0
    }
}
