import HTTPWire

/// The refusal of a head that is too long, held while the Origin field may still come: without it,
/// a browser would not let the page of another origin see the answer.
struct PendingRefusal {
    let response: Response
    var search: OriginSearch
}

/// Refusal of requests that cannot be read to their end.
extension Connection {
    /// Answers a request that cannot be read on; it is the connection's last request.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - input: The input around the error, which may contain the rest of the head.
    func refuse(_ response: Response, in input: Span<UInt8>? = nil) {
        refuse(addressed: addressed(response, in: input))
    }

    /// Answers a request that cannot be read on, with a response already addressed to its origin.
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

    /// Refuses a head; if the answer depends on the origin, it is sent when the origin is known.
    ///
    /// - Parameters:
    ///   - error: The reason.
    ///   - input: The input around the error.
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

    /// Searches the rest of a refused head for its origin.
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

    /// Sends the refusal that waited for an origin, because no more of its head will come.
    ///
    /// - Returns: Whether a refusal was waiting.
    func sendPendingRefusal() -> Bool {
        guard let pending = reader.refusal else { return false }
        refuse(addressed: pending.response)
        return true
    }

    /// Returns one of the handler's general answers in the form for this request's origin.
    func addressed(_ response: Response, in input: Span<UInt8>? = nil) -> Response {
        var origin = reader.parser.head.origin
        if origin == nil, let input { origin = OriginSearch.origin(in: input) }
        guard let origin else { return response }
        return loop.settings.handler.addressed(response, to: origin)
    }
}

extension RequestError {
    /// Whether the reason is the length of the head.
    fileprivate var isOfLength: Bool {
        switch self {
        case .targetTooLong, .headTooLarge, .tooManyFields: true
        default: false
        }
    }
}
