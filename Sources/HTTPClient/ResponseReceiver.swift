/// What hears of a response while it arrives, on the client's thread.
///
/// Calls must not block: all requests of the client would wait.
package protocol ResponseReceiver: AnyObject, Sendable {
    /// The head has come; called at most once, before the body.
    func receive(_ head: HTTPClient.Response.Head)

    /// A part of the body has come, decompressed.
    func receive(_ bytes: RawSpan) -> Acceptance

    /// The response is over, or has failed with `error`; called once, at last.
    func end(_ error: HTTPClientError?)
}

/// What a receiver does with a part of a body.
package enum Acceptance: Sendable {
    /// It has taken it.
    case taken
    /// It has not taken it, and is called with it again after ``HTTPClient/Transfer/resume()``.
    case paused
    /// It wants no more of this response.
    case refused
}
