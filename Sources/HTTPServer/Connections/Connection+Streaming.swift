import HTTPTypes

/// Streams: pulled as the socket takes them, each part a chunk (RFC 9112 §7.1).
extension Connection {
    /// Sends the head of a stream, subscribes to its topics, and asks it for its first parts.
    func startStream(_ stream: any ResponseStream, _ response: Response, isLast: Bool) {
        // Without chunks (HTTP/1.0) the end of the connection is the end of the content.
        let isLast = isLast || exchange.isHTTP10
        exchange.answerBegan(response.status.code, byteCount: 0)
        loop.scratch.writeBuffer.appendHead(
            response,
            framing: exchange.isHTTP10 ? nil : .chunks,
            connectionOption(isLast: isLast),
            now: loop.seconds
        )
        let end = stream.time.map { EventLoop.waitEnd(loop.now + $0) }
        setOpenResponse(.stream(stream, end: end))
        exchange.isLongLived = true
        state.streamBegan(isLast: isLast, at: loop.now)
        giveBackRequestStorage()
        if stream.byteCount > 0 { recountMemory() }
        loop.subscribe(self, to: stream.topics)
        if let end { loop.scheduleWaitEnd(id, at: end) }
        pumpStream()
    }

    /// Takes parts from the stream until it has none, the socket is full, or others' turn has come.
    func pumpStream() {
        guard let stream = openResponse.stream, turn.queued?.pumpsStream != true else { return }
        turn.spend(Connection.partsPerTurn)
        let waker = StreamWaker(id, exchange: exchangeNumber, in: loop.mailbox)
        var isAllNow = false
        for _ in 0..<Connection.partsPerTurn {
            switch stream.next(waker) {
            case .bytes(let bytes): writeChunk(bytes)
            case .pieces(let shared, let own, let isAll):
                writeChunk(shared, own)
                isAllNow = isAll
            case .pending: return
            case .askAgain:
                loop.requeue(self, for: \.pumpsStream)
                return
            case .end:
                endStream()
                return
            }
            // What is said in one turn is sent with one call.
            if loop.scratch.writeBuffer.byteCount >= Connection.flushByteCount { flush() }
            guard loop.has(self) else { return }
            state.partSent(at: loop.now)
            if isAllNow || state.isBlocked { return }
        }
        loop.requeue(self, for: \.pumpsStream)
    }

    /// What makes its stream has more of it: it is asked in the connection's next turn.
    func streamHasMore(exchange number: UInt32) {
        guard number == exchangeNumber, state.answer == .streaming, !state.isBlocked
        else { return }
        loop.requeue(self, for: \.pumpsStream)
    }

    /// Sends what a silent stream has to show that it goes on.
    func sendIdlePart() {
        writeChunk(openResponse.stream?.idlePart() ?? [])
        settle()
    }

    /// Sends the last part and closes the stream.
    func endStream() {
        loop.unsubscribe(self)
        if let stream = openResponse.stream {
            writeChunk(stream.ending())
            stream.closed()
        }
        setOpenResponse(.none)
        if !exchange.isHTTP10 { loop.scratch.writeBuffer.appendLastChunk() }
        state.answerGiven(isLast: state.isLast)
    }

    private func writeChunk(_ first: [UInt8], _ second: [UInt8] = []) {
        guard !(first.isEmpty && second.isEmpty) else { return }
        let byteCount = first.count + second.count
        exchange.contentByteCount += byteCount
        let isChunk = !exchange.isHTTP10
        if isChunk, byteCount < WriteBuffer.copyByteLimit {
            loop.scratch.writeBuffer.appendChunk(first, second)
            return
        }
        if isChunk { loop.scratch.writeBuffer.beginChunk(byteCount: byteCount) }
        write(first)
        write(second)
        if isChunk { loop.scratch.writeBuffer.endChunk() }
    }

    private static let partsPerTurn = 16
}
