import HTTPTypes
package import HTTPWire

/// Decides on requests.
///
/// Called on event loops: it must not block.
package protocol RequestHandler: Sendable {
    /// The answer to a request, if it is made already; `nil`: ``receive(_:)`` decides.
    ///
    /// The engine asks this first, about requests without content. It lends the head, which must
    /// not be kept.
    func baked(_ head: RequestHead) -> BakedResponse?

    /// What becomes of a request, decided when its head has arrived.
    func receive(_ request: Request) -> Reception

    /// The answer to a request that could not be read; the connection then closes.
    func refusal(_ error: RequestError) -> Response

    /// The answer to a request that did not arrive in time (408); the connection then closes.
    func timedOut() -> Response

    /// The answer to a connection past the limit (503), before it has sent anything.
    func overloaded() -> Response
}

extension RequestHandler {
    package func baked(_ head: RequestHead) -> BakedResponse? { nil }

    package func overloaded() -> Response {
        Response(status: .serviceUnavailable, fields: [.retryAfter: String(Int.random(in: 1...10))])
    }
}
