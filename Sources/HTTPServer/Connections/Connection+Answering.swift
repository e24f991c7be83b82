import HTTPTypes

/// Responses, as bytes in the loop's write buffer.
extension Connection {
    /// Gives the request its response, once the request is whole: one whose body turns out to be
    /// broken gets a refusal instead, and a client that reads nothing while it sends does not get
    /// stuck.
    func respond(with response: FinalResponse) {
        guard !isTooMuch(response) else {
            loop.context.shortagesOfMemory.note()
            if case .response(let own) = response, case .stream(let stream) = own.body {
                stream.closed()
            }
            respond(with: .response(addressed(loop.settings.handler.overloaded())))
            return
        }
        guard state.input != .body else {
            heldResponse = response
            recountMemory()
            loop.shedSoon()
            return
        }
        switch response {
        case .response(let own): writeResponse(own)
        case .cached(let cached, let completion): writeResponse(cached, completion)
        }
    }

    /// The request's body is at its end: gives the response that waited for that.
    func respondAfterBody() {
        guard let response = heldResponse else { return }
        heldResponse = nil
        // It counts no more, or it could be refused for what it is itself.
        recountMemory()
        respond(with: response)
    }

    /// Writes a response, or the head of one that is a stream.
    func writeResponse(_ response: Response) {
        let isLast = state.isLast || response.closes || loop.context.isStopping
        if case .stream(let stream) = response.body, !exchange.isHead {
            startStream(stream, response, isLast: isLast)
            return
        }
        let count = response.status.allowsContent ? response.body.byteCount : nil
        exchange.answerBegan(response.status.code, byteCount: exchange.isHead ? 0 : count ?? 0)
        if response.status == .internalServerError { loop.context.internalErrors.note() }
        loop.scratch.writeBuffer.appendHead(
            response,
            framing: count.map { .length($0) },
            connectionOption(isLast: isLast),
            now: loop.seconds
        )
        if !exchange.isHead, response.status.allowsContent { write(response.body) }
        if case .stream(let stream) = response.body { stream.closed() }
        state.answerGiven(isLast: isLast)
    }

    func writeResponse(_ response: CachedResponse, _ completion: CachedResponse.Completion) {
        let isLast = state.isLast || loop.context.isStopping
        exchange.answerBegan(
            response.status,
            byteCount: exchange.isHead ? 0 : response.bodyByteCount
        )
        if !exchange.isHead { loop.scratch.figures.countSaved(response.savedByteCount) }
        loop.scratch.writeBuffer.appendHead(
            response,
            completion,
            connectionOption(isLast: isLast),
            now: loop.seconds
        )
        if !exchange.isHead, response.bodyByteCount > 0 { write(response) }
        state.answerGiven(isLast: isLast)
    }

    func connectionOption(isLast: Bool) -> WriteBuffer.ConnectionOption {
        if isLast { return .close }
        return exchange.isHTTP10 ? .keepAlive : .none
    }

    private func write(_ body: Response.Body) {
        switch body {
        case .none, .unsent, .stream: break
        case .bytes(let bytes): write(bytes)
        case .parts(let parts): for part in parts { write(part) }
        case .file(let file, let range):
            flushAll()
            output.append(file, range)
            sendPendingWrites()
        }
    }
}
