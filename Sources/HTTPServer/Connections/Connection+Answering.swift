import HTTPTypes

/// Answers, as bytes in the loop's writeBuffer.
extension Connection {
    /// Answers once the request is whole: one whose body turns out to be broken gets a refusal
    /// instead, and a client that reads nothing while it sends does not get stuck.
    func offer(_ answer: FinalResponse) {
        guard !isTooMuch(answer) else {
            loop.context.shortagesOfMemory.note()
            if case .response(let response) = answer, case .stream(let stream) = response.body {
                stream.closed()
            }
            offer(.response(addressed(loop.settings.handler.overloaded())))
            return
        }
        guard state.input != .body else {
            heldResponse = answer
            recount()
            loop.shedSoon()
            return
        }
        switch answer {
        case .response(let response): give(response)
        case .cached(let cached, let completion): give(cached, completion)
        }
    }

    func giveHeldResponse() {
        guard let answer = heldResponse else { return }
        heldResponse = nil
        // It counts no more, or it could be refused for what it is itself.
        recount()
        offer(answer)
    }

    func give(_ response: Response) {
        let isLast = state.isLast || response.closes || loop.context.isStopping
        if case .stream(let stream) = response.body, !exchange.isHead {
            begin(stream, response, isLast: isLast)
            return
        }
        let count = response.status.allowsContent ? response.body.byteCount : nil
        logAnswer(response.status.code, byteCount: exchange.isHead ? 0 : count ?? 0)
        if response.status == .internalServerError { loop.context.internalErrors.note() }
        loop.scratch.writeBuffer.appendHead(
            response,
            framing: count.map { .length($0) },
            option(isLast: isLast),
            now: loop.seconds
        )
        if !exchange.isHead, response.status.allowsContent { write(response.body) }
        if case .stream(let stream) = response.body { stream.closed() }
        state.answerGiven(isLast: isLast)
    }

    func give(_ response: CachedResponse, _ completion: CachedResponse.Completion) {
        let isLast = state.isLast || loop.context.isStopping
        logAnswer(response.status, byteCount: exchange.isHead ? 0 : response.body.count)
        if !exchange.isHead { loop.scratch.figures.countSaved(response.savedByteCount) }
        loop.scratch.writeBuffer.appendHead(
            response,
            completion,
            option(isLast: isLast),
            now: loop.seconds
        )
        if !exchange.isHead, !response.body.isEmpty { write(response) }
        state.answerGiven(isLast: isLast)
    }

    private func option(isLast: Bool) -> WriteBuffer.ConnectionOption {
        if isLast { return .close }
        return exchange.isHTTP10 ? .keepAlive : .none
    }

    private func write(_ body: Response.Body) {
        switch body {
        case .none, .unsent, .stream: break
        case .bytes(let bytes): write(bytes)
        case .parts(let parts): for part in parts { write(part) }
        case .file(let file, let range):
            flush()
            output.append(file, range)
            sendQueue()
        }
    }
}

/// Streams: pulled as the socket takes them, each part a chunk (RFC 9112 §7.1).
extension Connection {
    private func begin(_ stream: any ResponseStream, _ response: Response, isLast: Bool) {
        // Without chunks (HTTP/1.0) the end of the connection is the end of the content.
        let isLast = isLast || exchange.isHTTP10
        logAnswer(response.status.code, byteCount: 0)
        loop.scratch.writeBuffer.appendHead(
            response,
            framing: exchange.isHTTP10 ? nil : .chunks,
            option(isLast: isLast),
            now: loop.seconds
        )
        setStream(stream)
        exchange.isHeld = true
        state.streamBegan(isLast: isLast, at: loop.now)
        if stream.byteCount > 0 { recount() }
        loop.subscribe(self, to: stream.topics)
        if let time = stream.time {
            let end = EventLoop.waitEnd(loop.now + time)
            streamEnd = end
            loop.scheduleWaitEnd(id, at: end)
        }
        pump()
    }

    /// Takes parts from the stream until it has none, the socket is full, or others' turn has come.
    func pump() {
        guard let stream, queuedTurn?.asksStream != true else { return }
        turnCost += Connection.partsPerTurn
        let waker = StreamWaker { [mailbox = loop.mailbox, id, requestCount] in
            mailbox.post(.pullStream(id, request: requestCount))
        }
        for _ in 0..<Connection.partsPerTurn {
            switch stream.next(waker) {
            case .bytes(let bytes): writeChunk(bytes)
            case .pieces(let first, let second): writeChunk(first, second)
            case .pending: return
            case .later:
                loop.goOn(self, with: \.asksStream)
                return
            case .end:
                endStream()
                return
            }
            // What is said in one turn is sent with one call.
            if loop.scratch.writeBuffer.byteCount >= Connection.flushByteCount { flush() }
            guard loop.has(self) else { return }
            state.partSent(at: loop.now)
            if state.isBlocked { return }
        }
        loop.goOn(self, with: \.asksStream)
    }

    func endStream() {
        loop.unsubscribe(self)
        if let stream {
            writeChunk(stream.ending())
            stream.closed()
        }
        setStream(nil)
        streamEnd = nil
        if !exchange.isHTTP10 { loop.scratch.writeBuffer.appendLastChunk() }
        state.answerGiven(isLast: state.isLast)
    }

    func writeChunk(_ first: [UInt8], _ second: [UInt8] = []) {
        guard !(first.isEmpty && second.isEmpty) else { return }
        exchange.contentByteCount += first.count + second.count
        if !exchange.isHTTP10 {
            loop.scratch.writeBuffer.beginChunk(byteCount: first.count + second.count)
        }
        write(first)
        write(second)
        if !exchange.isHTTP10 { loop.scratch.writeBuffer.endChunk() }
    }

    private static let partsPerTurn = 16
}
