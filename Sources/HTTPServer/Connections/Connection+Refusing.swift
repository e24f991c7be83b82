import HTTPWire

/// A refusal of what is too long, while the page of another origin may yet say who it is: else its
/// browser would not let it see the answer.
struct PendingRefusal {
    let response: Response
    var search: OriginSearch
}

/// Requests that cannot be read to their end.
extension Connection {
    /// Answers a request that cannot be read on; it is the connection's last.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - input: What was read along with it, in which the rest of its head may be.
    func refuse(_ response: Response, in input: Span<UInt8>? = nil) {
        refuse(addressed: addressed(response, in: input))
    }

    /// The same with an answer that is addressed to the origin already.
    private func refuse(addressed response: Response) {
        reader.refusal = nil
        reader.body = nil
        heldResponse = nil
        if !exchange.isOpen {
            exchange = Exchange(at: loop.roundStart, isLogged: loop.logsAccess)
        }
        exchange.isHead = reader.parser.isForHead
        state.inputFailed()
        recountMemory()
        writeResponse(response)
    }

    /// Refuses a head; where the answer depends on the origin, once that is known.
    ///
    /// - Parameters:
    ///   - error: Why it is.
    ///   - input: What was read along with it.
    func refuseHead(_ error: RequestError, in input: Span<UInt8>) {
        let response = loop.settings.handler.refusal(error)
        guard error.isOfLength, loop.settings.handler.answersByOrigin,
            reader.parser.head.origin == nil
        else {
            refuse(response, in: input)
            return
        }
        let isBegun = state.input == .head
        reader.refusal = PendingRefusal(
            response: response,
            search: OriginSearch(isWithinLine: isBegun)
        )
        state.headBegan(at: loop.now)
        recountMemory()
        readOnForOrigin(input)
    }

    /// Reads on in a head that is refused, until its origin is known.
    func readOnForOrigin(_ input: Span<UInt8>) {
        guard var pending = reader.refusal else { return }
        let outcome = pending.search.take(input)
        reader.refusal = pending
        switch outcome {
        case .undecided: break
        case .none: refuse(addressed: pending.response)
        case .found(let origin):
            refuse(addressed: loop.settings.handler.addressed(pending.response, to: origin))
        }
    }

    /// Sends the refusal that waited for an origin, since no more of its head comes.
    ///
    /// - Returns: Whether there was one.
    func sendPendingRefusal() -> Bool {
        guard let pending = reader.refusal else { return false }
        refuse(addressed: pending.response)
        return true
    }

    /// An answer that the handler makes of no request, for the origin of this one.
    func addressed(_ response: Response, in input: Span<UInt8>? = nil) -> Response {
        var origin = reader.parser.head.origin
        if origin == nil, let input { origin = OriginSearch.origin(in: input) }
        guard let origin else { return response }
        return loop.settings.handler.addressed(response, to: origin)
    }
}

extension RequestError {
    /// Whether a head is refused for how long it is.
    fileprivate var isOfLength: Bool {
        switch self {
        case .targetTooLong, .headTooLarge, .tooManyFields: true
        default: false
        }
    }
}
