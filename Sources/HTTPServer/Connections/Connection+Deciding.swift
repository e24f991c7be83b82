import HTTPWire

/// What becomes of a request.
extension Connection {
    func decided(_ disposition: Disposition) {
        switch disposition {
        case .answer(let response):
            dropBody()
            offer(.response(response))
        case .cached(let response, let completion):
            dropBody()
            offer(.cached(response, completion))
        case .later(let handOver):
            dropBody()
            handOver(responder())
        case .longPoll(let wait):
            dropBody()
            begin(wait)
        case .body(let limit, let refuse, let then):
            collectBody(byteLimit: limit, .keep(refuse: refuse, then: then))
        }
    }

    func responder() -> Responder {
        let interest = PeerInterest()
        self.interest = interest
        return Responder(interest: interest) { [mailbox = loop.mailbox, id, requestCount] answer in
            mailbox.post(.answer(id, request: requestCount, answer))
        }
    }

    private func collectBody(byteLimit: Int, _ purpose: BodyCollector.Purpose) {
        do {
            try checkRoomForBody(purpose)
            body = try BodyCollector(parser.head, byteLimit: byteLimit, purpose: purpose)
        } catch {
            guard case .keep(let refuse, _) = purpose, case .refused(let reason) = error else {
                return
            }
            dropBody()
            offer(.response(refuse(reason)))
            return
        }
        if state.input == .complete {
            finishEmptyBody()
        } else if exchange.expectsContinue {
            loop.scratch.writeBuffer.appendContinue()
        }
    }

    private func checkRoomForBody(
        _ purpose: BodyCollector.Purpose
    ) throws(BodyCollector.Failure) {
        guard loop.isOverSoftLimit, case .keep = purpose else { return }
        loop.shedSoon()
        loop.context.shortagesOfMemory.note()
        throw .refused(.overloaded)
    }

    /// A request without content: the handler gets no bytes, or the refusal of them.
    private func finishEmptyBody() {
        do {
            _ = try body?.take([UInt8]().span)
            bodyCompleted()
        } catch {
            bodyFailed(error)
        }
    }

    /// Reads a body that nobody wants, if it is small enough, so that the connection can go on.
    func dropBody() {
        guard state.input == .body else { return }
        let limit = loop.settings.limits.droppedBodyByteLimit
        body =
            exchange.expectsContinue
            ? nil : try? BodyCollector(parser.head, byteLimit: limit, purpose: .drop)
        if body == nil { state.bodyAbandoned() }
    }
}
