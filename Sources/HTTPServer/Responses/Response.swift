package import HTTPTypes

/// What a handler answers with.
///
/// The engine adds Date, Connection, and Content-Length or Transfer-Encoding, and leaves the body
/// out for HEAD, 204 and 304.
package struct Response: Sendable {
    /// The content, or where it comes from.
    package enum Body: Sendable {
        case none
        /// Content that was not made, in the answer to HEAD: its length is not known, and left out
        /// (RFC 9110 §8.6).
        case unsent
        case bytes([UInt8])
        /// A part of an open file, sent without copying.
        case file(OpenFile, Range<Int>)
        /// Several, none of them a stream, one after another.
        indirect case parts([Body])
        /// Pulled as the client takes it.
        case stream(any ResponseStream)
    }

    package var status: HTTPResponse.Status
    package var fields: HTTPFields
    package var body: Body

    /// Whether the connection ends with this answer.
    package var closes = false

    package init(status: HTTPResponse.Status, fields: HTTPFields = [:], body: Body = .none) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

extension Response.Body {
    /// The number of bytes; `nil` where it is not known.
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
