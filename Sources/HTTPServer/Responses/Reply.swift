package import HTTPTypes
import Synchronization

/// The handler's reply to a request: a response, or the way to one.
package enum Reply {
    /// A response at once; an announced body is read and dropped, within limits.
    case response(Response)

    /// A response later, from any thread; the closure is called at once, on the loop.
    case later((Responder) -> Void)

    /// A response when there is news, or at the end of a time.
    case wait(LongPoll)

    /// A reply after the whole body was read, which has at most `limit` bytes, also when decoded.
    ///
    /// `refuse` makes the answer if the body is refused. Otherwise `then` is called on the loop and
    /// decides how the request is answered; it must not return `.body` again.
    case body(
        limit: Int,
        refuse: @Sendable (BodyRefusal) -> Response,
        then: @Sendable (ReceivedBody) -> Reply
    )
}

extension Reply {
    /// Returns the reply with a payload that was made for many.
    package static func cached(
        _ payload: Payload,
        _ own: Response.OwnFields = Response.OwnFields()
    ) -> Reply {
        .response(.cached(payload, own))
    }

    /// Whether it is a response that was made before.
    var isAtHand: Bool {
        if case .response(let response) = self { response.payload != nil } else { false }
    }

    /// Gives the reply up, so that a stream in it may end.
    func drop() {
        if case .response(let response) = self, case .stream(let stream) = response.body {
            stream.closed()
        }
    }
}

/// A handler's answer to a request: status, fields and body, or a payload that has them encoded.
///
/// The engine adds Date, Connection, and Content-Length or Transfer-Encoding, and leaves the body
/// out for HEAD, 204 and 304.
package struct Response: Sendable {
    /// The content, or the source that it is read from.
    package enum Body: Sendable {
        case none
        /// Content that was not made, for the answer to HEAD: its length is not known, so
        /// Content-Length is left out (RFC 9110 §8.6).
        case unsent
        case bytes([UInt8])
        /// A part of an open file, sent without copying.
        case file(OpenFile, Range<Int>)
        /// Several bodies, one after another; none of them is a stream.
        indirect case parts([Body])
        /// Content that is made while the client takes it.
        case stream(any ResponseStream)
    }

    /// The part of the head that differs from one request to the next, in a response with a
    /// payload.
    package struct OwnFields: Sendable {
        /// Complete field lines.
        package var lines: [UInt8]

        /// The value of the payload's open field, if it has one; `nil`: the field is left out.
        package var number: Int?

        package init(lines: [UInt8] = [], number: Int? = nil) {
            self.lines = lines
            self.number = number
        }
    }

    package var status: HTTPResponse.Status
    package var fields: HTTPFields
    package var body: Body

    /// Whether the connection is closed after this answer.
    package var closes = false

    /// The encoded response that is sent, if it was made for many; ``fields`` and ``body`` are then
    /// empty.
    package let payload: Payload?

    /// The fields that the payload lacks.
    package let own: OwnFields

    package init(status: HTTPResponse.Status, fields: HTTPFields = [:], body: Body = .none) {
        self.status = status
        self.fields = fields
        self.body = body
        payload = nil
        own = OwnFields()
    }

    private init(_ payload: Payload, _ own: OwnFields) {
        status = HTTPResponse.Status(code: payload.status)
        fields = HTTPFields()
        body = .none
        self.payload = payload
        self.own = own
    }

    /// Returns the response with a payload that was made for many.
    package static func cached(_ payload: Payload, _ own: OwnFields = OwnFields()) -> Response {
        Response(payload, own)
    }

    /// Returns the response with fields and a body that can be read, also of a payload.
    package var decoded: Response { payload?.response(own) ?? self }
}

extension Response.Body {
    /// The number of bytes; `nil` if it is not known.
    var byteCount: Int? {
        switch self {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .file(_, let range): range.count
        case .parts(let parts): parts.reduce(0) { $0 + ($1.byteCount ?? 0) }
        case .unsent, .stream: nil
        }
    }
}

extension HTTPResponse.Status {
    /// Whether a response of this status has content (RFC 9110 §6.4.1).
    var allowsContent: Bool {
        kind != .informational && self != .noContent && self != .notModified
    }
}

/// A request that is answered only when there is news, or at the end of a time.
package struct LongPoll: Sendable {
    /// The topics whose notifications may lead to an answer.
    package let topics: [Topic]

    /// The time after which the request is answered in any case; at most 100 s.
    package let time: Duration

    /// The approximate number of bytes of memory that it keeps in addition to its connection's.
    package let byteCount: Int

    /// Makes the answer, on the connection's loop.
    ///
    /// The closure is called first when the topics are subscribed to, so that no change is missed,
    /// then after each notification, and with `isLast` at the end of the time or when the server
    /// stops.
    /// - Returns: `nil` for "not yet", but not with `isLast`; never ``Reply/longPoll(_:)`` or
    ///   ``Reply/body(limit:refuse:then:)``.
    package let attempt: @Sendable (_ isLast: Bool) -> Reply?

    package init(
        for topics: [Topic],
        time: Duration,
        byteCount: Int = 0,
        attempt: @escaping @Sendable (_ isLast: Bool) -> Reply?
    ) {
        self.topics = topics
        self.time = time
        self.byteCount = byteCount
        self.attempt = attempt
    }
}

/// Answers one request, once, from any thread.
///
/// Only the first answer counts. A responder that is dropped without an answer sends 500, so that
/// no client waits in vain.
package struct Responder: Sendable {
    private final class Promise: Sendable {
        let isKept = Atomic(false)
        let send: @Sendable (Response) -> Void

        init(_ send: @escaping @Sendable (Response) -> Void) {
            self.send = send
        }

        func keep(_ response: Response) {
            if !isKept.exchange(true, ordering: .relaxed) { send(response) }
        }

        deinit { keep(Response(status: .internalServerError)) }
    }

    private let promise: Promise
    private let interest: PeerInterest?

    /// Makes a responder for a connection's request.
    ///
    /// - Parameter interest: Says whether the peer still waits for the answer; `nil`: it always
    ///   does.
    init(interest: PeerInterest? = nil, sending send: @escaping @Sendable (Response) -> Void) {
        promise = Promise(send)
        self.interest = interest
    }

    /// Makes a responder without a connection, for callers in the same program: they get responses
    /// with fields and bodies that they can read.
    package init(_ send: @escaping @Sendable (Response) -> Void) {
        self.init(interest: nil, sending: { send($0.decoded) })
    }

    /// Returns whether the peer still waits for the answer.
    ///
    /// - Parameter presumesLeft: Whether a peer that has closed its side of the connection counts
    ///   as gone, though it could still read.
    package func isWanted(presumesLeft: Bool) -> Bool {
        interest?.waits(presumesLeft: presumesLeft) ?? true
    }

    /// Returns a responder that transforms each answer and hands it to this one.
    package func mapping(
        _ transform: @escaping @Sendable (Response) -> Response
    ) -> Responder {
        Responder(interest: interest) { self(transform($0)) }
    }

    package func callAsFunction(_ response: Response) {
        promise.keep(response)
    }
}

/// Records whether the peer of a connection waits for the answer to a request.
final class PeerInterest: Sendable {
    private enum Interest: UInt8, AtomicRepresentable {
        case waits
        /// The peer has closed its side of the connection, and may have left.
        case mayHaveLeft
        case left
    }

    private let interest = Atomic(Interest.waits)

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
