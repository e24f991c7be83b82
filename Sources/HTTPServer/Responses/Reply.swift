package import HTTPTypes
import Synchronization

/// A handler's decision about a request: a response, or the way to get one.
package enum Reply {
    /// A response now; a body of the request is read and dropped if it is short, and otherwise ends
    /// the connection.
    case response(Response)

    /// A response later, from any thread; the closure is called at once, on the loop, with the
    /// responder.
    case later((Responder) -> Void)

    /// A response when there is news, at the latest after a given time.
    case wait(LongPoll)

    /// A reply that needs the whole body, which may have at most `limit` bytes, also when decoded.
    ///
    /// `refuse` makes the response if the body is refused. Otherwise `then` is called on the loop
    /// with the body and returns the reply; it must not return `.body` again.
    case body(
        limit: Int,
        refuse: @Sendable (BodyRefusal) -> Response,
        then: @Sendable (ReceivedBody) -> Reply
    )
}

extension Reply {
    /// Returns the reply with a payload that is shared by many responses.
    package static func cached(
        _ payload: Payload,
        _ own: Response.OwnFields = Response.OwnFields()
    ) -> Reply {
        .response(Response(payload, own))
    }

    /// The status of an encoded response, which only has to be sent; `nil` for any other reply.
    package var encodedStatus: Int? {
        if case .response(let response) = self { response.payload?.status } else { nil }
    }

    /// Returns the reply with all responses that it can lead to transformed.
    package func mapping(_ transform: @escaping @Sendable (Response) -> Response) -> Reply {
        switch self {
        case .response(let response): .response(transform(response))
        case .later(let begin): .later { begin($0.mapping(transform)) }
        case .wait(let wait):
            .wait(
                LongPoll(for: wait.topics, time: wait.time, byteCount: wait.byteCount) { isLast in
                    wait.attempt(isLast)?.mapping(transform)
                }
            )
        case .body(let limit, let refuse, let then):
            .body(
                limit: limit,
                refuse: { transform(refuse($0)) },
                then: { then($0).mapping(transform) }
            )
        }
    }

    /// Discards the reply; a stream in it is notified of its end.
    func drop() {
        if case .response(let response) = self, case .stream(let stream) = response.body {
            stream.closed()
        }
    }
}

/// A response to a request: status, fields and body, or a payload that contains them encoded.
///
/// The HTTP engine adds Date, Connection, and Content-Length or Transfer-Encoding, and leaves the
/// body out for HEAD, 204 and 304.
package struct Response: Sendable {
    /// The content of a response, or the source of it.
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// A part of an open file, sent without copying.
        case file(OpenFile, Range<Int>)
        /// Several bodies, one after another; none of them is a stream.
        indirect case parts([Body])
        /// Content that is made while the client takes it.
        case stream(any ResponseStream)
    }

    /// The fields of a response that depend on its request, added to a payload that many responses
    /// share.
    package struct OwnFields: Sendable {
        /// Complete field lines, each with its line end.
        package var lines: [UInt8]

        /// The value of the field that the payload leaves open (the parameter `openField` of its
        /// initializers); `nil`: the field is left out.
        package var number: Int?

        package init(lines: [UInt8] = [], number: Int? = nil) {
            self.lines = lines
            self.number = number
        }
    }

    package var status: HTTPResponse.Status
    package var fields: HTTPFields
    package var body: Body

    /// The encoded response, if many responses share it; ``fields`` and ``body`` are then empty.
    package let payload: Payload?

    /// The fields to add to the payload.
    package let own: OwnFields

    package init(status: HTTPResponse.Status, fields: HTTPFields = [:], body: Body = .none) {
        self.status = status
        self.fields = fields
        self.body = body
        payload = nil
        own = OwnFields()
    }

    /// Makes the response with a payload that is shared by many responses.
    package init(_ payload: Payload, _ own: OwnFields = OwnFields()) {
        status = HTTPResponse.Status(code: payload.status)
        fields = HTTPFields()
        body = .none
        self.payload = payload
        self.own = own
    }

    /// Returns the response with fields and body that can be read, decoded from the payload if
    /// there is one.
    package var decoded: Response { payload?.response(own) ?? self }
}

extension Response.Body {
    /// The number of bytes of the body; `nil` if it is not known.
    var byteCount: Int? {
        switch self {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .file(_, let range): range.count
        case .parts(let parts): parts.reduce(0) { $0 + ($1.byteCount ?? 0) }
        case .stream: nil
        }
    }
}

extension HTTPResponse.Status {
    /// Whether a response of this status has content (RFC 9110 §6.4.1).
    var allowsContent: Bool {
        kind != .informational && self != .noContent && self != .notModified
    }
}

/// Sends the response to one request, from any thread.
///
/// Only the first response counts. A responder that is released without a response sends 500, so
/// that no client waits in vain.
package struct Responder: Sendable {
    private final class Promise: Sendable {
        let isFulfilled = Atomic(false)
        let send: @Sendable (Response) -> Void

        init(_ send: @escaping @Sendable (Response) -> Void) {
            self.send = send
        }

        func fulfill(_ response: Response) {
            if !isFulfilled.exchange(true, ordering: .relaxed) { send(response) }
        }

        deinit { fulfill(Response(status: .internalServerError)) }
    }

    private let promise: Promise
    private let interest: PeerInterest?

    /// Makes a responder for a connection's request.
    ///
    /// - Parameters:
    ///   - interest: The flag whether the client still waits for the response; `nil`: it always
    ///     does.
    ///   - send: Sends the response; called once, on any thread.
    init(interest: PeerInterest? = nil, sending send: @escaping @Sendable (Response) -> Void) {
        promise = Promise(send)
        self.interest = interest
    }

    /// Makes a responder without a connection, for callers in the same program: its responses have
    /// fields and bodies that can be read.
    package init(_ send: @escaping @Sendable (Response) -> Void) {
        self.init(interest: nil, sending: { send($0.decoded) })
    }

    /// Returns whether the client still waits for the response.
    ///
    /// - Parameter presumesLeft: Whether a client that has half-closed the connection counts as
    ///   gone, though it could still read.
    package func isWanted(presumesLeft: Bool) -> Bool {
        interest?.waits(presumesLeft: presumesLeft) ?? true
    }

    /// Returns a responder that transforms its response and passes it to this one.
    func mapping(_ transform: @escaping @Sendable (Response) -> Response) -> Responder {
        Responder(interest: interest) { self(transform($0)) }
    }

    package func callAsFunction(_ response: Response) {
        promise.fulfill(response)
    }
}

/// A flag, set by the connection, whether the client still waits for the response to a request; any
/// thread may read it.
final class PeerInterest: Sendable {
    private enum Interest: UInt8, AtomicRepresentable {
        case waits
        /// The client has half-closed the connection, and may have left.
        case mayHaveLeft
        case left
    }

    private let interest = Atomic(Interest.waits)

    /// Returns whether the client still waits; one that has half-closed the connection counts as
    /// gone if `presumesLeft`.
    func waits(presumesLeft: Bool) -> Bool {
        switch interest.load(ordering: .relaxed) {
        case .waits: true
        case .mayHaveLeft: !presumesLeft
        case .left: false
        }
    }

    func peerEndedInput() {
        interest.store(.mayHaveLeft, ordering: .relaxed)
    }

    func peerLeft() {
        interest.store(.left, ordering: .relaxed)
    }
}
