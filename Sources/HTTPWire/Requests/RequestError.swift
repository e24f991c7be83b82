/// The reason why the parser has refused a request; every case has one status.
package enum RequestError: Error, Equatable, Sendable {
    /// 400: not a method, a target and a version with one space between them (RFC 9112 §3).
    case invalidRequestLine
    /// 400: a target that is malformed, or in a form that the method may not have (RFC 9112 §3.2).
    case invalidTarget
    /// 505: a well-formed version other than 1.x (RFC 9110 §15.6.6).
    case unsupportedVersion
    /// 400: a malformed field line (RFC 9112 §5), in the head or among the trailers.
    case invalidField
    /// 400: a Host that is missing, repeated or malformed (RFC 9112 §3.2).
    case invalidHost
    /// 400: a Content-Length that is repeated, a list, or no number (RFC 9110 §8.6).
    case invalidContentLength
    /// 400: framing that two recipients may understand differently (RFC 9112 §6.1 and §6.3).
    case conflictingFraming
    /// 501: a transfer coding before `chunked` (RFC 9112 §6.1).
    case unsupportedTransferCoding
    /// 400: chunked framing that is malformed (RFC 9112 §7.1).
    case invalidChunk
    /// 400: chunk extensions of one body that together exceed the limit in bytes (RFC 9112 §7.1.1).
    case chunkExtensionsTooLarge(limit: Int)
    /// 431: trailers that exceed the limit in bytes.
    case trailersTooLarge(limit: Int)
    /// 414: a target that exceeds the limit in bytes.
    case targetTooLong(limit: Int)
    /// 431: a head that exceeds the limit in bytes.
    case headTooLarge(limit: Int)
    /// 431: a head with more field lines than the limit.
    case tooManyFields(limit: Int)
    /// 413: a body that exceeds the limit in bytes.
    case bodyTooLarge(limit: Int)
}
