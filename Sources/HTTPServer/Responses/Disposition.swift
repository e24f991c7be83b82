/// What becomes of a request.
package enum Disposition {
    /// A response at once. A body that was announced is read and dropped, within limits.
    case now(FinalResponse)

    /// A response later, from any thread. The closure is called at once, on the loop.
    case later((Responder) -> Void)

    /// A response when there is something to say, or at the end of a time.
    case longPoll(LongPoll)

    /// The body first, whole, of at most `limit` bytes also when its content coding is removed.
    ///
    /// `refuse` makes the answer when it cannot be had; else `then` is called, on the loop.
    case body(
        limit: Int,
        refuse: @Sendable (BodyRefusal) -> Response,
        then: @Sendable (ReceivedBody, Responder) -> Void
    )
}

extension Disposition {
    package static func response(_ response: Response) -> Disposition { .now(.response(response)) }

    /// The same with a response that many get.
    package static func cached(
        _ response: CachedResponse,
        _ completion: CachedResponse.Completion
    ) -> Disposition {
        .now(.cached(response, completion))
    }
}

/// A response on its way to a connection.
package enum FinalResponse: Sendable {
    case response(Response)
    case cached(CachedResponse, CachedResponse.Completion)
}
