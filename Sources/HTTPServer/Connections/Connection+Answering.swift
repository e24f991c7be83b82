import HTTPTypes
import HTTPWire

/// Carries out the handler's ``Reply`` to a request.
extension Connection {
    /// Carries out a reply: sends the response, lets it come later, or reads the body first.
    func perform(_ reply: consuming Reply) {
        switch reply {
        case .response(let response):
            dropBody()
            respond(with: response)
        case .later(let handOver):
            dropBody()
            if flushDeferredOutput() { handOver(makeResponder()) }
        case .wait(let wait):
            dropBody()
            if flushDeferredOutput() { startLongPoll(wait) }
        case .body(let limit, let refuse, let then):
            collectBody(byteLimit: limit, refuse, then)
        }
    }

    /// Sends the output that the loop has deferred to send it together, so that the responses on
    /// other connections do not wait while the handler runs; returns whether this connection, whose
    /// own output may have failed, is still open.
    private func flushDeferredOutput() -> Bool {
        loop.sendDeferredOutput()
        return loop.has(self)
    }

    /// Returns the object through which the handler responds later, from any thread.
    func makeResponder() -> Responder {
        let interest = PeerInterest()
        self.interest = interest
        return Responder(interest: interest) {
            [mailbox = loop.mailbox, id, exchangeNumber] response in
            mailbox.post(.response(id, exchange: exchangeNumber, response))
        }
    }

    /// Begins to read the body for the handler, or refuses it.
    private func collectBody(
        byteLimit: Int,
        _ refuse: @escaping @Sendable (BodyRefusal) -> Response,
        _ then: @escaping @Sendable (ReceivedBody) -> Reply
    ) {
        do throws(BodyRefusal) {
            if lacksMemoryForBody() { throw .overloaded }
            reader.body = try BodyCollector(
                reader.parser.head,
                byteLimit: byteLimit,
                purpose: .keep(refuse: refuse, then: then)
            )
        } catch {
            dropBody()
            respond(with: refuse(error))
            return
        }
        if state.input == .complete {
            finishEmptyBody()
        } else if exchange.expectsContinue {
            loop.writeBuffer.pointee.appendContinue()
        }
    }

    /// Returns whether the loop's connections hold too much memory for another body; if so, slow
    /// connections are shed.
    func lacksMemoryForBody() -> Bool {
        guard loop.account.isOverSoftLimit else { return false }
        loop.shedSoon()
        loop.context.shortagesOfMemory.note()
        return true
    }

    /// Completes a request without a body: the handler gets an empty body, or a refusal if the head
    /// announces a content coding.
    private func finishEmptyBody() {
        do {
            _ = try reader.body?.take([UInt8]().span)
            bodyCompleted()
        } catch {
            bodyFailed(error)
        }
    }

    /// Has a body that the handler does not need read and dropped, so that the connection can be
    /// used again; a body that is too long ends the connection after the response instead.
    ///
    /// A body that is being read already is read on, by the decoder that knows what was read of it.
    func dropBody() {
        guard state.input == .body, reader.body == nil else { return }
        let limit = Connection.droppedBodyByteLimit
        reader.body =
            exchange.expectsContinue
            ? nil : try? BodyCollector(reader.parser.head, byteLimit: limit, purpose: .drop)
        if reader.body == nil { state.bodyAbandoned() }
    }

    /// The most bytes of a body that are read and dropped.
    private static let droppedBodyByteLimit = 256 << 10
}

/// Writes responses to the loop's write buffer.
extension Connection {
    /// Sends a response, or holds it until the whole request has arrived.
    ///
    /// So a client that sends all of its request before it reads does not get stuck. If the rest of
    /// the body is malformed, the client gets a refusal instead.
    func respond(with response: Response) {
        guard !isTooMuch(response) else {
            loop.context.shortagesOfMemory.note()
            Reply.response(response).drop()
            respond(with: self.response(to: .overloaded))
            return
        }
        guard state.input != .body else {
            heldResponse = response
            recountMemory()
            loop.shedSoon()
            return
        }
        guard let payload = response.payload else { return writeResponse(response) }
        write(payload, response.own)
    }

    /// Sends the response that waited for the end of the request's body.
    func respondAfterBody() {
        guard let response = heldResponse else { return }
        heldResponse = nil
        // The held response must not be counted when it is sent: its own size could get it refused.
        recountMemory()
        respond(with: response)
    }

    /// Writes a response to the write buffer; for a stream, only the head.
    func writeResponse(_ response: Response) {
        let isLast = state.isLast || loop.isStopping
        if case .stream(let stream) = response.body, !exchange.isHead {
            startStream(stream, response, isLast: isLast)
            return
        }
        let count = response.status.allowsContent ? response.body.byteCount : nil
        exchange.answerBegan(response.status.code, byteCount: exchange.isHead ? 0 : count ?? 0)
        if response.status == .internalServerError { loop.context.internalErrors.note() }
        loop.writeBuffer.pointee.appendHead(
            response,
            framing: count.map { .length($0) },
            connectionOption(isLast: isLast),
            now: loop.seconds
        )
        if !exchange.isHead, response.status.allowsContent { write(response.body) }
        if case .stream(let stream) = response.body { stream.closed() }
        state.answerGiven(isLast: isLast)
    }

    /// Writes an encoded response with the fields of this request.
    private func write(_ response: Payload, _ own: Response.OwnFields) {
        let isLast = state.isLast || loop.isStopping
        let byteCount = exchange.isHead ? 0 : response.bodyByteCount
        exchange.answerBegan(response.status, byteCount: byteCount)
        if !exchange.isHead { loop.metrics.pointee.countSaved(response.savedByteCount) }
        let option = connectionOption(isLast: isLast)
        let isCopied = byteCount > 0 && !response.hasSeparateBody
        loop.writeBuffer.pointee.append(
            response,
            own,
            option,
            withBody: isCopied,
            now: loop.seconds
        )
        if byteCount > 0, !isCopied { writeBody(of: response) }
        state.answerGiven(isLast: isLast)
    }

    /// Returns the option for the Connection field of a response (RFC 9112 §9.6); `isLast`: the
    /// connection closes after the response.
    func connectionOption(isLast: Bool) -> WriteBuffer.ConnectionOption {
        if isLast { return .close }
        return exchange.isHTTP10 ? .keepAlive : .none
    }

    private func write(_ body: Response.Body) {
        switch body {
        case .none, .stream: break
        case .bytes(let bytes): write(bytes)
        case .parts(let parts): for part in parts { write(part) }
        case .file(let file, let range):
            flushAll()
            changePending { $0.append(file, range) }
            sendPendingWrites()
        }
    }
}
