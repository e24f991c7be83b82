/// Output.
extension Connection {
    /// How much output of pipelined requests is gathered before it is sent.
    static let flushByteCount = 64 << 10

    /// What costs about as much to send as a request to answer, as a power of two.
    private static let sentBytesPerCost = 14

    /// Adds content behind what is in the write buffer.
    func write(_ bytes: [UInt8]) {
        if bytes.count < WriteBuffer.copyByteLimit {
            loop.scratch.writeBuffer.append(bytes)
        } else {
            flush(with: bytes)
        }
    }

    /// The same with the content of an answer that many share.
    func write(_ cached: CachedResponse) {
        if cached.body.count < WriteBuffer.copyByteLimit {
            loop.scratch.writeBuffer.append(cached.body)
        } else {
            flush(with: cached.body, of: cached)
        }
    }

    /// Sends the write buffer.
    func flush() {
        let byteCount = loop.scratch.writeBuffer.byteCount
        guard byteCount > 0 else { return }
        // As a rule the socket takes all of it.
        if output.isEmpty, loop.has(self), loop.scratch.writeBuffer.send(on: transport) {
            turn.spend(byteCount >> Connection.sentBytesPerCost)
            return
        }
        flush(with: [])
    }

    /// Sends the write buffer and `bytes` with one call; what the socket does not take becomes a
    /// pending write.
    private func flush(with bytes: [UInt8], of cached: CachedResponse? = nil) {
        defer { loop.scratch.writeBuffer.removeAll() }
        guard loop.has(self) else { return }
        var sent = 0
        let start = transport.isSecure ? fillRecord(from: bytes) : 0
        if output.isEmpty {
            switch send(loop.scratch.writeBuffer.bytes, bytes, from: start) {
            case .bytes(let count): sent = count
            case .blocked: break
            case .failed:
                exchange.lostByteCount = loop.scratch.writeBuffer.byteCount + bytes.count
                loop.remove(self)
                return
            }
        }
        turn.spend(sent >> Connection.sentBytesPerCost)
        let headCount = loop.scratch.writeBuffer.byteCount
        if sent == headCount + bytes.count - start { return }
        if sent < headCount { output.append(Array(loop.scratch.writeBuffer.bytes[sent...])) }
        let rest = start + max(0, sent - headCount)
        if let cached {
            output.append(cached, from: rest)
        } else {
            output.append(bytes, from: rest)
        }
        state.outputBlocked(at: loop.now)
        recountMemory()
        loop.shedSoon()
        if loop.account.isOverHardLimit { loop.remove(self) }
    }

    /// Fills the write buffer's last record from the beginning of `bytes`.
    ///
    /// - Returns: How many of them it took.
    private func fillRecord(from bytes: [UInt8]) -> Int {
        let over = loop.scratch.writeBuffer.byteCount % TLSSession.recordByteLimit
        guard over > 0 else { return 0 }
        let count = min(bytes.count, TLSSession.recordByteLimit - over)
        loop.scratch.writeBuffer.append(bytes[..<count])
        return count
    }

    private func send(_ first: [UInt8], _ second: [UInt8], from start: Int) -> Transfer {
        first.withUnsafeBytes { first in
            if second.isEmpty { return transport.send(first) }
            return second.withUnsafeBytes { second in
                let part = second[start...].prefix(PendingWrites.turnByteCount)
                return transport.send(first, UnsafeRawBufferPointer(rebasing: part))
            }
        }
    }

    /// The socket takes output again.
    func resumeOutput() {
        sendPendingWrites()
        if loop.has(self) { continueAfterOutput() }
    }

    /// Goes on after pending output was sent, or some of it: with the stream, if all was.
    func continueAfterOutput() {
        if !state.isBlocked, state.answer == .streaming { pumpStream() }
        settle()
    }

    /// Sends pending writes until there are none or the socket is full.
    func sendPendingWrites() {
        let (last, count) = output.send(through: transport)
        state.moved(count)
        turn.spend(count >> Connection.sentBytesPerCost)
        recountMemory()
        switch last {
        case .bytes:
            if state.isBlocked { state.outputDrained(at: loop.now) }
        case .blocked: state.outputBlocked(at: loop.now)
        case .failed: loop.remove(self)
        }
    }
}
