package import HTTPTypes

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
