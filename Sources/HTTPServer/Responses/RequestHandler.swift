package import HTTPTypes
package import HTTPWire
package import Platform

/// The application behind the server: decides how each request is answered.
///
/// Its functions are called on event loops, so they must not block.
package protocol RequestHandler: AnyObject, Sendable {
    /// Decides how a request is answered, once its head has arrived, and labels it for the metrics
    /// and the log.
    ///
    /// A reply made by ``Reply/cached(_:_:)`` is the cheapest, because its bytes are only sent. The
    /// server may discard the reply and refuse the request as ``RequestRefusal/overloaded``.
    ///
    /// The body of the request comes later, if the reply asks for it; the label is empty at first.
    func receive(_ request: Request, _ label: inout RequestLabel) -> Reply

    /// The names of the routes that the metrics count separately; the first name is for requests of
    /// no route.
    ///
    /// There are at most 256, and they stay the same while a server runs.
    var routeNames: [String] { get }

    /// Returns the response to a request that the engine refuses without asking
    /// ``receive(_:_:)``.
    ///
    /// - Parameter origin: The value of the request's Origin field; `nil` if there is none, or it
    ///   was not read.
    func response(to refusal: RequestRefusal, origin: [UInt8]?) -> Response
}

/// The reason for which the engine refuses a request without asking the handler for a reply.
package enum RequestRefusal: Sendable {
    /// The request could not be parsed; the connection is then closed.
    case malformed(RequestError)
    /// The request did not arrive in time (408; RFC 9110 §15.5.9); the connection is then closed.
    case late
    /// An expectation cannot be met (417; RFC 9110 §10.1.1).
    case unmetExpectation
    /// The server is over a limit (503): the connection is past the limit of connections and has
    /// perhaps sent no bytes yet, or the connections hold too much memory.
    case overloaded
    /// The request came without TLS on a port that speaks TLS (400); the connection is then closed.
    case unencrypted
}

extension RequestHandler {
    /// Returns the reply to a request whose label is not needed.
    package func receive(_ request: Request) -> Reply {
        var label = RequestLabel()
        return receive(request, &label)
    }

    package var routeNames: [String] { ["other"] }

    package func response(to refusal: RequestRefusal, origin: [UInt8]?) -> Response {
        Response(refusal)
    }
}

extension Response {
    /// Makes a plain response to a request that the engine refuses.
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

/// The head of a request with the client's address; a handler receives the body separately.
package struct Request: Sendable {
    package var head: RequestHead

    /// The address of the client; `nil` for a caller in the same program.
    package var peer: IPAddress?

    package init(head: RequestHead, peer: IPAddress? = nil) {
        self.head = head
        self.peer = peer
    }
}

/// A handler's description of a request for the metrics and the access log.
package struct RequestLabel: Sendable {
    /// The index of the request's route in ``RequestHandler/routeNames``; 0: no known route.
    package var route: UInt8

    /// The name of the owner of the request's key; `nil`: no key, or a key without a name.
    package var user: String?

    /// Whether the request is answered even on a connection past the limit: a check of the server's
    /// health, which is cheap.
    package var isEssential: Bool

    /// Makes an empty label.
    package init() { (route, isEssential) = (0, false) }
}

extension RequestError {
    /// The status of the response to a request that could not be parsed.
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
