import HTTPWire

/// Carrying out what the handler has said of a request.
extension Connection {
    /// Does what the handler wants: responds, waits, or reads the body first.
    func carryOut(_ disposition: Disposition) {
        switch disposition {
        case .response(let response):
            dropBody()
            respond(with: .response(response))
        case .cached(let response, let completion):
            dropBody()
            respond(with: .cached(response, completion))
        case .later(let handOver):
            dropBody()
            handOver(makeResponder())
        case .longPoll(let wait):
            dropBody()
            startLongPoll(wait)
        case .body(let limit, let refuse, let then):
            collectBody(byteLimit: limit, refuse, then)
        }
    }

    func makeResponder() -> Responder {
        let interest = PeerInterest()
        self.interest = interest
        return Responder(interest: interest) {
            [mailbox = loop.mailbox, id, exchangeNumber] response in
            mailbox.post(.response(id, exchange: exchangeNumber, response))
        }
    }

    private func collectBody(
        byteLimit: Int,
        _ refuse: @escaping @Sendable (BodyRefusal) -> Response,
        _ then: @escaping @Sendable (ReceivedBody, Responder) -> Void
    ) {
        do throws(BodyRefusal) {
            try checkRoomForBody()
            reader.body = try BodyCollector(
                reader.parser.head,
                byteLimit: byteLimit,
                purpose: .keep(refuse: refuse, then: then)
            )
        } catch {
            dropBody()
            respond(with: .response(refuse(error)))
            return
        }
        if state.input == .complete {
            finishEmptyBody()
        } else if exchange.expectsContinue {
            loop.scratch.writeBuffer.appendContinue()
        }
    }

    private func checkRoomForBody() throws(BodyRefusal) {
        guard loop.account.isOverSoftLimit else { return }
        loop.shedSoon()
        loop.context.shortagesOfMemory.note()
        throw .overloaded
    }

    /// A request without content: the handler gets no bytes, or the refusal of them.
    private func finishEmptyBody() {
        do {
            _ = try reader.body?.take([UInt8]().span)
            bodyCompleted()
        } catch {
            bodyFailed(error)
        }
    }

    /// Reads a body that nobody wants, if it is small enough, so that the connection can go on.
    func dropBody() {
        guard state.input == .body else { return }
        let limit = loop.settings.limits.droppedBodyByteLimit
        reader.body =
            exchange.expectsContinue
            ? nil : try? BodyCollector(reader.parser.head, byteLimit: limit, purpose: .drop)
        if reader.body == nil { state.bodyAbandoned() }
    }
}
