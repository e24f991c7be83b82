/// The receiver of a response while it arrives, on the client's thread.
///
/// Calls must not block: all requests of the client would wait.
package protocol ResponseReceiver: AnyObject, Sendable {
    /// Takes the head; called at most once, before the body.
    func receive(_ head: HTTPClient.Response.Head)

    /// Takes or refuses a part of the body, decompressed.
    func receive(_ bytes: RawSpan) -> Acceptance

    /// Learns that the response has ended, or failed with `error`; called once, as the last call.
    func end(_ error: HTTPClientError?)
}

/// A receiver's reply to a part of a body.
package enum Acceptance: Sendable {
    /// The receiver has taken the part.
    case taken
    /// The receiver has not taken the part, and gets it again after
    /// ``HTTPClient/Transfer/resume()``.
    case paused
    /// The receiver wants no more of this response.
    case refused
}
