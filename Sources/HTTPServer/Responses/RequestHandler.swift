import HTTPTypes
package import HTTPWire

/// Decides how each request is answered.
///
/// Its functions are called on event loops: they must not block.
package protocol RequestHandler: AnyObject, Sendable {
    /// Decides how a request is answered, when its head has arrived.
    ///
    /// A ``Disposition/cached(_:_:)`` costs no more than sending it. A handler that needs the head
    /// after the call must copy it.
    func receive(_ request: Request) -> Disposition

    /// Decides how a request is answered, and labels the request for the figures and the log.
    ///
    /// - Parameters:
    ///   - head: The head, which is lent: the handler may take it for the time of the call rather
    ///     than copy it, and must put it back.
    ///   - peer: The address of the sender.
    ///   - label: The label, which is empty at first.
    func receive(
        _ head: inout RequestHead,
        from peer: PeerAddress?,
        _ label: inout RequestLabel
    ) -> Disposition

    /// The names of the routes that the figures count apart; the first name is for all other
    /// requests.
    ///
    /// There are at most 256, and they do not change while a server runs.
    var routeNames: [String] { get }

    /// Returns the answer to a request that could not be parsed; the connection is then closed.
    func refusal(_ error: RequestError) -> Response

    /// Returns the answer to a request that did not arrive in time (408); the connection is then
    /// closed.
    func timedOut() -> Response

    /// Returns the answer to an expectation that cannot be met (417; RFC 9110 §10.1.1).
    func unmetExpectation() -> Response

    /// Returns the answer to a connection or request over a limit (503).
    ///
    /// The connection is past the limit of connections and has sent no bytes yet, or the request is
    /// past the limit of memory.
    func overloaded() -> Response

    /// Whether the answers depend on the origin of the page that asks.
    var answersByOrigin: Bool { get }

    /// Returns one of the four answers above in the form for a page of another origin.
    ///
    /// - Parameters:
    ///   - response: One of the four answers.
    ///   - origin: The request's Origin field, as far as it was read.
    func addressed(_ response: Response, to origin: [UInt8]) -> Response

    /// Returns whether a request is answered even on a connection past the limit: it asks for the
    /// server's health, and is cheap to answer.
    func isEssential(_ request: Request) -> Bool

    /// Returns the answer to a request without TLS on a port that speaks TLS (400); the connection
    /// is then closed.
    func unencrypted() -> Response
}

extension RequestHandler {
    package func receive(
        _ head: inout RequestHead,
        from peer: PeerAddress?,
        _ label: inout RequestLabel
    ) -> Disposition {
        receive(Request(head: head, peer: peer))
    }

    package var routeNames: [String] { ["other"] }

    package func unmetExpectation() -> Response {
        Response(status: .expectationFailed)
    }

    package func isEssential(_ request: Request) -> Bool { false }

    package var answersByOrigin: Bool { false }

    package func addressed(_ response: Response, to origin: [UInt8]) -> Response { response }

    package func overloaded() -> Response {
        Response(status: .serviceUnavailable, fields: [.retryAfter: String(Int.random(in: 1...10))])
    }

    package func unencrypted() -> Response {
        let text = "This port speaks HTTPS: the address begins with https://\n"
        return Response(
            status: .badRequest,
            fields: [.contentType: "text/plain"],
            body: .bytes(Array(text.utf8))
        )
    }
}

/// A request in the form that a handler gets: its head; the body comes separately.
package struct Request: Sendable {
    package var head: RequestHead

    /// The address of the sender; `nil` for a caller in the same program.
    package var peer: PeerAddress?

    package init(head: RequestHead, peer: PeerAddress? = nil) {
        self.head = head
        self.peer = peer
    }
}

/// A handler's description of a request for the figures and the access log.
package struct RequestLabel: Sendable {
    /// The index in ``RequestHandler/routeNames`` of the request's route; 0: not known.
    package var route: UInt8 = 0

    /// The name of the owner of the request's key; `nil`: no key, or a key without a name.
    package var user: String?

    /// Makes an empty label.
    package init() {}
}
