import HTTPWire

/// Refusal of requests that cannot be read to their end.
extension Connection {
    /// Answers a request that is not read on; it is the connection's last request.
    func refuse(_ refusal: RequestRefusal) {
        refuse(with: response(to: refusal))
    }

    /// Answers a request that is not read on with a response of the handler's.
    func refuse(with response: Response) {
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

    /// Returns the handler's answer to a request that the engine refuses.
    func response(to refusal: RequestRefusal) -> Response {
        loop.settings.handler.response(to: refusal, origin: reader.parser.head.origin)
    }
}
