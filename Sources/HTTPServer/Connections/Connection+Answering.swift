import HTTPTypes

/// Answers, as bytes in the loop's write buffer.
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
        exchange.answerBegan(response.status.code, byteCount: exchange.isHead ? 0 : count ?? 0)
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
        exchange.answerBegan(response.status, byteCount: exchange.isHead ? 0 : response.body.count)
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

    func option(isLast: Bool) -> WriteBuffer.ConnectionOption {
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
