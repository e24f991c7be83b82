import HTTPTypes
package import HTTPWire

/// Decides on requests.
///
/// Called on event loops: it must not block.
package protocol RequestHandler: AnyObject, Sendable {
    /// What becomes of a request, decided when its head has arrived.
    ///
    /// A ``Disposition/cached(_:_:)`` costs nothing more than sending it. Whoever keeps the head
    /// longer than the call keeps a copy.
    func receive(_ request: Request) -> Disposition

    /// The same, and says what the figures and the log are to know of the request.
    ///
    /// - Parameters:
    ///   - head: The head, which is lent: a handler may take it for the call rather than copy it,
    ///     and puts it back.
    ///   - peer: Who sent it.
    ///   - label: Says nothing yet.
    func receive(
        _ head: inout RequestHead,
        from peer: PeerAddress?,
        _ label: inout RequestLabel
    ) -> Disposition

    /// What the figures tell apart: the first stands for requests that are for none of the others.
    /// At most 256; they stay the same while a server runs.
    var routeNames: [String] { get }

    /// The answer to a request that could not be read; the connection then closes.
    func refusal(_ error: RequestError) -> Response

    /// The answer to a request that did not arrive in time (408); the connection then closes.
    func timedOut() -> Response

    /// The answer to an expectation that cannot be met (417; RFC 9110 §10.1.1).
    func unmetExpectation() -> Response

    /// The answer to what is one too many (503): a connection past the limit, before it has sent
    /// anything, or a request past what all may hold in memory.
    func overloaded() -> Response

    /// Whether what it answers depends on the origin that asks.
    var answersByOrigin: Bool { get }

    /// One of the four above for the page of another origin that asks.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - origin: The Origin field of the request, as far as that was read.
    func addressed(_ response: Response, to origin: [UInt8]) -> Response

    /// Whether a request is answered even on a connection past the limit: one that asks how the
    /// server is, and costs nothing.
    func isEssential(_ request: Request) -> Bool

    /// The answer to a request that came without TLS where TLS is spoken (400); the connection
    /// then closes.
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

/// A request as a handler sees it: its head; the body comes apart.
package struct Request: Sendable {
    package var head: RequestHead

    /// Who sent it; `nil` for a caller in the same program.
    package var peer: PeerAddress?

    package init(head: RequestHead, peer: PeerAddress? = nil) {
        self.head = head
        self.peer = peer
    }
}

/// What a handler says about a request for the figures and the access log.
package struct RequestLabel: Sendable {
    /// Which of the handler's ``RequestHandler/routeNames`` it is for; 0: not known.
    package var route: UInt8 = 0

    /// What the owner of its key is called; `nil`: no key, or one without a name.
    package var user: String?

    /// Makes a label that says nothing.
    package init() {}
}
