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

    /// Makes a wait.
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
