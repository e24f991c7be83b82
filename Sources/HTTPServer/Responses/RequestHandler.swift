package import HTTPTypes
package import HTTPWire

/// Decides how each request is answered.
///
/// A handler's functions are called on event loops, so they must not block.
package protocol RequestHandler: AnyObject, Sendable {
    /// Decides how a request is answered, when its head has arrived, and labels the request for the
    /// metrics and the log.
    ///
    /// A ``Reply/cached(_:_:)`` costs no more than sending it. The decision may be dropped, and
    /// the request refused as ``RequestRefusal/overloaded``.
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
    ) -> Reply

    /// The names of the routes that the metrics count apart; the first name is for all other
    /// requests.
    ///
    /// There are at most 256, and they do not change while a server runs.
    var routeNames: [String] { get }

    /// Returns the answer to a request that the engine refuses without asking the handler.
    ///
    /// - Parameters:
    ///   - refusal: The reason.
    ///   - origin: The value of the request's Origin field; `nil` if there is none, or it was not
    ///     read.
    func response(to refusal: RequestRefusal, origin: [UInt8]?) -> Response
}

/// A reason for which the engine answers a request without asking the handler.
package enum RequestRefusal: Sendable {
    /// The request could not be parsed; the connection is then closed.
    case malformed(RequestError)
    /// The request did not arrive in time (408); the connection is then closed.
    case late
    /// An expectation cannot be met (417; RFC 9110 §10.1.1).
    case unmetExpectation
    /// The connection or request is over a limit (503): the connection is past the limit of
    /// connections and has perhaps sent no bytes yet, or the request is past the limit of memory.
    case overloaded
    /// The request came without TLS on a port that speaks TLS (400); the connection is then closed.
    case unencrypted
}

extension RequestHandler {
    /// Decides about a request whose label is not needed.
    package func receive(_ request: Request) -> Reply {
        var (head, label) = (request.head, RequestLabel())
        return receive(&head, from: request.peer, &label)
    }

    package var routeNames: [String] { ["other"] }

    package func response(to refusal: RequestRefusal, origin: [UInt8]?) -> Response {
        Response(refusal)
    }
}

extension Response {
    /// Makes the plain answer to a request that the engine refuses.
    package init(_ refusal: RequestRefusal) {
        switch refusal {
        case .malformed(let error): self.init(status: error.status)
        case .late: self.init(status: .requestTimeout)
        case .unmetExpectation: self.init(status: .expectationFailed)
        case .overloaded:
            let seconds = String(Int.random(in: 1...10))
            self.init(status: .serviceUnavailable, fields: [.retryAfter: seconds])
        case .unencrypted:
            let text = "This port speaks HTTPS: the address begins with https://\n"
            self.init(
                status: .badRequest,
                fields: [.contentType: "text/plain"],
                body: .bytes(Array(text.utf8))
            )
        }
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

/// A handler's description of a request for the metrics and the access log.
package struct RequestLabel: Sendable {
    /// The index in ``RequestHandler/routeNames`` of the request's route; 0: not known.
    package var route: UInt8 = 0

    /// The name of the owner of the request's key; `nil`: no key, or a key without a name.
    package var user: String?

    /// Whether the request is answered even on a connection past the limit: it asks for the
    /// server's health, and is cheap to answer.
    package var isEssential = false

    /// Makes an empty label.
    package init() {}
}

extension RequestError {
    /// The status of the answer to a request that could not be parsed.
    package var status: HTTPResponse.Status {
        switch self {
        case .unsupportedVersion: .httpVersionNotSupported
        case .targetTooLong: .uriTooLong
        case .headTooLarge, .tooManyFields, .trailersTooLarge: .requestHeaderFieldsTooLarge
        case .unsupportedTransferCoding: .notImplemented
        case .bodyTooLarge: .contentTooLarge
        case .invalidRequestLine, .invalidTarget, .invalidField, .invalidHost,
            .invalidContentLength, .conflictingFraming, .invalidChunk,
            .chunkExtensionsTooLarge:
            .badRequest
        }
    }
}
