/// Sends the output: first the loop's write buffer, then the pending writes of this connection.
extension Connection {
    /// The number of bytes of pipelined output that are collected before they are sent.
    static let flushByteCount = 64 << 10

    /// The base-2 logarithm of the number of bytes that cost as much to send as a small request
    /// costs to answer: 16 KiB.
    private static let sentBytesPerCost = 14

    /// Writes content after the bytes in the write buffer; long content is sent at once, uncopied.
    func write(_ bytes: [UInt8]) {
        if bytes.count < WriteBuffer.copyByteLimit {
            loop.writeBuffer.pointee.append(bytes)
        } else {
            flush(with: bytes)
        }
    }

    /// Sends the write buffer and then a payload's body, with one call and uncopied.
    func writeBody(of payload: Payload) {
        flush(with: payload.body, of: payload)
    }

    /// Sends the connection's output in the write buffer, or defers it so that the output of
    /// several connections is sent together.
    func flush() {
        guard !loop.writeBuffer.pointee.isEmpty else { return }
        // Usually no earlier output is pending.
        if loop.writeBuffer.pointee.defersOutput, output.isEmpty, loop.has(self) {
            if loop.writeBuffer.pointee.deferOutput(of: id) { loop.sendDeferredOutput() }
        } else {
            flush(with: [])
        }
    }

    /// Sends the connection's output in the write buffer, including deferred output.
    func flushAll() {
        loop.sendDeferredOutput()
        if !loop.writeBuffer.pointee.isEmpty { flush(with: []) }
    }

    /// Sends the part of the deferred output that belongs to this connection: `bytes` in `range`.
    func sendDeferredOutput(_ bytes: [UInt8], _ range: Range<Int>) {
        let result =
            output.isEmpty
            ? bytes.withUnsafeBytes { transport.send(UnsafeRawBufferPointer(rebasing: $0[range])) }
            : .blocked
        sent(result, of: range.count) { $1.append(Array(bytes[range.dropFirst($0)])) }
        if state.isBlocked, loop.has(self) { waitForSocket(.output) }
    }

    /// Sends the write buffer and then `bytes`, with one call; bytes that the socket does not take
    /// become pending.
    ///
    /// - Parameter cached: The payload whose body `bytes` are, if other connections may send it,
    ///   too.
    private func flush(with bytes: [UInt8], of cached: Payload? = nil) {
        let buffer = loop.writeBuffer
        defer { buffer.pointee.removeAll() }
        // Deferred output of this connection must be sent first.
        if buffer.pointee.defersOutput { loop.sendDeferredOutput() }
        guard loop.has(self) else { return }
        let start = !bytes.isEmpty && transport.isSecure ? fillRecord(from: bytes) : 0
        let headCount = buffer.pointee.byteCount
        let result =
            output.isEmpty
            ? buffer.pointee.send(with: bytes, from: start, on: transport) : .blocked
        sent(result, of: headCount + bytes.count - start) { count, output in
            if count < headCount { output.append(buffer.pointee.copy(from: count)) }
            output.append(bytes, from: start + max(0, count - headCount), of: cached)
        }
    }

    /// Handles the result of sending output: the bytes that the socket did not take become pending.
    ///
    /// - Parameter appendRest: Appends the output from an offset on to the pending writes.
    private func sent(
        _ result: Transfer,
        of byteCount: Int,
        appendRest: (Int, inout PendingWrites) -> Void
    ) {
        var count = 0
        switch result {
        case .bytes(let sent): count = sent
        case .blocked: break
        case .failed:
            exchange.lostByteCount = byteCount
            loop.remove(self)
            return
        }
        spendOnSending(count)
        guard count < byteCount else { return }
        changePending { appendRest(count, &$0) }
        outputBlocked()
    }

    /// Adds the cost of sending to the cost of the connection's current turn.
    private func spendOnSending(_ byteCount: Int) {
        let cost = byteCount >> Connection.sentBytesPerCost
        if cost > 0 { turn.spend(cost) }
    }

    /// Changes the pending writes while they are taken out of the property: Swift would check every
    /// access to the property for exclusivity if a call were made within one.
    func changePending<Result>(_ change: (inout PendingWrites) -> Result) -> Result {
        var output = PendingWrites()
        swap(&output, &self.output)
        defer { swap(&output, &self.output) }
        return change(&output)
    }

    /// Records that the socket's buffer is full and output is pending.
    private func outputBlocked() {
        state.outputBlocked(at: loop.now)
        recountMemory()
        loop.shedSoon()
        if loop.account.isOverHardLimit { loop.remove(self) }
    }

    /// Copies the first bytes of `bytes` to the write buffer, so that its last TLS record is full,
    /// and returns their number.
    private func fillRecord(from bytes: [UInt8]) -> Int {
        let over = loop.writeBuffer.pointee.byteCount % TLSSession.recordByteLimit
        guard over > 0 else { return 0 }
        let count = min(bytes.count, TLSSession.recordByteLimit - over)
        loop.writeBuffer.pointee.append(bytes[..<count])
        return count
    }

    /// Sends pending output when the socket takes output again.
    func resumeOutput() {
        sendPendingWrites()
        if loop.has(self) { continueAfterOutput() }
    }

    /// Continues after pending output was sent; a stream is asked for more if no output is left.
    func continueAfterOutput() {
        if state.canStream { pumpStream() }
        advance()
    }

    /// Sends pending writes until there are none or the socket is full.
    func sendPendingWrites() {
        let (last, count) = changePending { $0.send(through: transport) }
        state.moved(count)
        spendOnSending(count)
        recountMemory()
        switch last {
        case .bytes:
            if state.isBlocked { state.outputDrained(at: loop.now) }
        case .blocked: state.outputBlocked(at: loop.now)
        case .failed: loop.remove(self)
        }
    }
}

/// A connection's output that the socket did not take at once, in order.
struct PendingWrites {
    private enum Part {
        /// Bytes from an index on; of a payload if other connections may send them, too.
        case bytes([UInt8], from: Int, of: Payload?)
        case file(OpenFile, Range<Int>)
    }

    private var parts: [Part] = []

    /// The approximate number of bytes that one call of ``send(through:)`` sends at most.
    static let turnByteCount = 256 << 10

    var isEmpty: Bool { parts.isEmpty }

    /// The number of bytes that wait to be sent.
    var byteCount: Int {
        parts.reduce(0) { sum, part in
            switch part {
            case .bytes(let bytes, let start, _): sum + bytes.count - start
            case .file(_, let range): sum + range.count
            }
        }
    }

    /// Appends `bytes` from index `start` on; the array's storage is shared, not copied.
    ///
    /// - Parameter cached: The payload whose body `bytes` are, if other connections may send it,
    ///   too.
    mutating func append(_ bytes: [UInt8], from start: Int = 0, of cached: Payload? = nil) {
        guard start < bytes.count else { return }
        parts.append(.bytes(bytes, from: start, of: cached))
    }

    mutating func append(_ file: OpenFile, _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        parts.append(.file(file, range))
    }

    /// Sends the parts until none is left, the socket takes no more, or ``turnByteCount`` is
    /// reached.
    ///
    /// Without that limit, a reader as fast as the server would keep the loop busy for a whole
    /// response.
    ///
    /// - Returns: The result of the last call: the bytes sent, `.blocked` or the failure; and the
    ///   sum of the bytes sent.
    mutating func send(through transport: borrowing Transport) -> (last: Transfer, byteCount: Int) {
        var sum = 0
        while let part = parts.first {
            guard sum < PendingWrites.turnByteCount else { return (.blocked, sum) }
            let result = PendingWrites.send(part, through: transport)
            guard case .bytes(let count) = result else { return (result, sum) }
            sum += count
            if let rest = PendingWrites.rest(of: part, after: count) {
                // The file has become shorter, so the announced Content-Length cannot be kept.
                if count == 0 { return (.failed, sum) }
                parts[0] = rest
            } else {
                parts.removeFirst()
            }
        }
        return (.bytes(sum), sum)
    }

    private static func send(_ part: Part, through transport: borrowing Transport) -> Transfer {
        switch part {
        case .bytes(let bytes, let start, _):
            bytes.withUnsafeBytes {
                let part = $0[start...].prefix(turnByteCount)
                return transport.send(UnsafeRawBufferPointer(rebasing: part))
            }
        case .file(let file, let range): transport.send(file, range.prefix(turnByteCount))
        }
    }

    private static func rest(of part: Part, after count: Int) -> Part? {
        switch part {
        case .bytes(let bytes, let start, let cached):
            start + count < bytes.count ? .bytes(bytes, from: start + count, of: cached) : nil
        case .file(let file, let range):
            count < range.count ? .file(file, range.dropFirst(count)) : nil
        }
    }
}

/// Counts the memory of the pending writes.
extension PendingWrites {
    /// The number of bytes of memory that only this connection uses.
    var ownByteCount: Int {
        var sum = 0
        for case .bytes(let bytes, _, nil) in parts { sum += bytes.count }
        return sum
    }

    /// The payload among the parts, if any.
    ///
    /// There is at most one payload: only the rest of one response is appended while parts are
    /// pending.
    var shared: Payload? {
        for case .bytes(_, _, let cached?) in parts { return cached }
        return nil
    }
}
