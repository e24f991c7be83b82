/// Output.
extension Connection {
    /// How much output of pipelined requests is gathered before it is sent.
    static let flushByteCount = 64 << 10

    /// What costs about as much to send as a request to answer, as a power of two.
    private static let sentBytesPerCost = 14

    /// Adds content behind what is in the write buffer.
    func write(_ bytes: [UInt8]) {
        if bytes.count < WriteBuffer.copyByteLimit {
            loop.writeBuffer.append(bytes)
        } else {
            flush(with: bytes)
        }
    }

    /// The same with the content of an answer that many share.
    func write(_ cached: CachedResponse) {
        if cached.hasSeparateBody {
            flush(with: cached.body, of: cached)
        } else {
            loop.writeBuffer.appendBody(cached)
        }
    }

    /// Sends its output in the write buffer, or leaves it there to be sent with that of others.
    func flush() {
        guard !loop.writeBuffer.isEmpty else { return }
        // As a rule the socket takes all of it.
        if output.isEmpty, loop.has(self) {
            _ = leaveOrSendOutput()
        } else {
            flush(with: [])
        }
    }

    /// The same where there is some, and no other output is before it.
    ///
    /// - Returns: Whether it is done with; if not, what the socket did not take is pending.
    func leaveOrSendOutput() -> Bool {
        switch loop.writeBuffer.leaveOrSend(for: id, on: transport) {
        case .left(let isFull):
            if isFull { loop.sendLeftOutput() }
            return true
        case .sent(let byteCount):
            spendOnSending(byteCount)
            return true
        case .blocked:
            flush(with: [])
            return false
        }
    }

    private func spendOnSending(_ byteCount: Int) {
        let cost = byteCount >> Connection.sentBytesPerCost
        if cost > 0 { turn.spend(cost) }
    }

    /// Sends its output in the write buffer, with what it has left there.
    func flushAll() {
        loop.sendLeftOutput()
        if !loop.writeBuffer.isEmpty { flush(with: []) }
    }

    /// Sends a part of `bytes`, which it has left in the write buffer.
    func sendLeftOutput(_ bytes: [UInt8], _ range: Range<Int>) {
        var sent = 0
        if output.isEmpty {
            let result = bytes.withUnsafeBytes {
                transport.send(UnsafeRawBufferPointer(rebasing: $0[range]))
            }
            switch result {
            case .bytes(let count): sent = count
            case .blocked: break
            case .failed:
                exchange.lostByteCount = range.count
                loop.remove(self)
                return
            }
        }
        spendOnSending(sent)
        guard sent < range.count else { return }
        changePending { $0.append(Array(bytes[range.dropFirst(sent)])) }
        outputBlocked()
        if loop.has(self) { waitForSocket(.output) }
    }

    /// Sends the write buffer and `bytes` with one call; what the socket does not take becomes a
    /// pending write.
    private func flush(with bytes: [UInt8], of cached: CachedResponse? = nil) {
        defer { loop.writeBuffer.removeAll() }
        // Something of its own may be in it.
        loop.sendLeftOutput()
        guard loop.has(self) else { return }
        var sent = 0
        let start = transport.isSecure ? fillRecord(from: bytes) : 0
        if output.isEmpty {
            switch loop.writeBuffer.send(with: bytes, from: start, on: transport) {
            case .bytes(let count): sent = count
            case .blocked: break
            case .failed:
                exchange.lostByteCount = loop.writeBuffer.byteCount + bytes.count
                loop.remove(self)
                return
            }
        }
        spendOnSending(sent)
        let headCount = loop.writeBuffer.byteCount
        if sent == headCount + bytes.count - start { return }
        let rest = start + max(0, sent - headCount)
        changePending { output in
            if sent < headCount { output.append(loop.writeBuffer.copy(from: sent)) }
            if let cached {
                output.append(cached, from: rest)
            } else {
                output.append(bytes, from: rest)
            }
        }
        outputBlocked()
    }

    /// Changes what waits for the socket to take it, with nothing else looking at it meanwhile: a
    /// call within an access would cost every look at the property a check for exclusivity.
    func changePending<Result>(_ change: (inout PendingWrites) -> Result) -> Result {
        var output = PendingWrites()
        swap(&output, &self.output)
        defer { swap(&output, &self.output) }
        return change(&output)
    }

    /// The socket takes no more: output is pending.
    private func outputBlocked() {
        state.outputBlocked(at: loop.now)
        recountMemory()
        loop.shedSoon()
        if loop.account.isOverHardLimit { loop.remove(self) }
    }

    /// Fills the write buffer's last record from the beginning of `bytes`.
    ///
    /// - Returns: How many of them it took.
    private func fillRecord(from bytes: [UInt8]) -> Int {
        let over = loop.writeBuffer.byteCount % TLSSession.recordByteLimit
        guard over > 0 else { return 0 }
        let count = min(bytes.count, TLSSession.recordByteLimit - over)
        loop.writeBuffer.append(bytes[..<count])
        return count
    }

    /// The socket takes output again.
    func resumeOutput() {
        sendPendingWrites()
        if loop.has(self) { continueAfterOutput() }
    }

    /// Goes on after pending output was sent, or some of it: with the stream, if all was.
    func continueAfterOutput() {
        if state.canStream { pumpStream() }
        settle()
    }

    /// Sends pending writes until there are none or the socket is full.
    func sendPendingWrites() {
        let (last, count) = changePending { $0.send(through: transport) }
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
