package import HTTPTypes

/// A handler's answer to a request: status, fields and body.
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

    package var status: HTTPResponse.Status
    package var fields: HTTPFields
    package var body: Body

    /// Whether the connection is closed after this answer.
    package var closes = false

    package init(status: HTTPResponse.Status, fields: HTTPFields = [:], body: Body = .none) {
        self.status = status
        self.fields = fields
        self.body = body
    }
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
