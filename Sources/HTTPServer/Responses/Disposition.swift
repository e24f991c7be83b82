/// The way in which a request is answered.
package enum Disposition {
    /// A response at once; an announced body is read and dropped, within limits.
    case now(FinalResponse)

    /// A response later, from any thread; the closure is called at once, on the loop.
    case later((Responder) -> Void)

    /// A response when there is news, or at the end of a time.
    case longPoll(LongPoll)

    /// A decision after the whole body was read, which has at most `limit` bytes, also when
    /// decoded.
    ///
    /// `refuse` makes the answer if the body is refused. Otherwise `then` is called on the loop and
    /// decides how the request is answered; it must not return `.body` again.
    case body(
        limit: Int,
        refuse: @Sendable (BodyRefusal) -> Response,
        then: @Sendable (ReceivedBody) -> Disposition
    )
}

extension Disposition {
    /// Gives the decision up, so that a stream in it may end.
    func drop() {
        if case .now(.response(let response)) = self, case .stream(let stream) = response.body {
            stream.closed()
        }
    }

    package static func response(_ response: Response) -> Disposition { .now(.response(response)) }

    /// Returns the disposition that answers at once with a cached response.
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
    /// It is called first when the topics are subscribed to, so that no change is missed, then
    /// after each notification, and with `isLast` at the end of the time or when the server stops.
    /// - Returns: `nil` for "not yet", but not with `isLast`; never ``Disposition/longPoll(_:)`` or
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
