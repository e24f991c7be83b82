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
    /// `refuse` makes the answer when it cannot be had; else `then` is called, on the loop, and says what
    /// to do with the request, which is not to read a body again.
    case body(
        limit: Int,
        refuse: @Sendable (BodyRefusal) -> Response,
        then: @Sendable (ReceivedBody) -> Disposition
    )
}

extension Disposition {
    package static func response(_ response: Response) -> Disposition { .now(.response(response)) }

    /// The same with a response that many get.
    package static func cached(
        _ response: CachedResponse,
        _ perRequest: CachedResponse.PerRequestFields
    ) -> Disposition {
        .now(.cached(response, perRequest))
    }
}

/// A response on its way to a connection.
package enum FinalResponse: Sendable {
    case response(Response)
    case cached(CachedResponse, CachedResponse.PerRequestFields)
}

/// A request whose answer is held until there is something to say.
package struct LongPoll: Sendable {
    /// What may make a difference.
    package let topics: [Topic]

    /// After which it is answered in any case; at most 100 s.
    package let time: Duration

    /// About the bytes of memory that it keeps besides what a connection takes anyway.
    package let byteCount: Int

    /// Makes the answer, on the connection's loop.
    ///
    /// It is asked first when the topics are subscribed to, so that nothing is missed, then after
    /// each notification, and with `isLast` at the end of the time or when the server stops.
    /// - Returns: `nil` for "not yet", but not when `isLast`; never ``Disposition/longPoll(_:)`` or
    ///   ``Disposition/body(limit:refuse:then:)``.
    package let attempt: @Sendable (_ isLast: Bool) -> Disposition?

    package init(
        for topics: [Topic],
        time: Duration,
        byteCount: Int = 0,
        attempt: @escaping @Sendable (_ isLast: Bool) -> Disposition?
    ) {
        self.topics = topics
        self.time = time
        self.byteCount = byteCount
        self.attempt = attempt
    }
}
