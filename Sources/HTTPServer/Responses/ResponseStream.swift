/// The body of an answer that is made while it is sent.
///
/// Called on the connection's loop.
package protocol ResponseStream: AnyObject, Sendable {
    /// The next part; asked for only when the client can take more.
    ///
    /// - Parameter waker: To be called when there is more, after `.pending`.
    /// - Returns: What there is at the moment.
    func next(_ waker: StreamWaker) -> StreamPart

    /// What it waits for: after each notification it is asked for its next part.
    var topics: [Topic] { get }

    /// About the bytes of memory that it keeps besides what a connection takes anyway.
    var byteCount: Int { get }

    /// After which it is ended, whatever it has; `nil`: never.
    var time: Duration? { get }

    /// What to send when there was nothing else for a while (``ServerLimits/streamIdleTime``), so
    /// that nobody on the way takes the connection for dead; empty: nothing.
    func idlePart() -> [UInt8]

    /// The last part, after `.end` or when the server stops before that.
    func ending() -> [UInt8]

    /// The connection is gone, or the stream at its end; nothing is asked for any more.
    func closed()
}

extension ResponseStream {
    package var topics: [Topic] { [] }

    package var byteCount: Int { 0 }

    package var time: Duration? { nil }

    package func idlePart() -> [UInt8] { [] }

    package func ending() -> [UInt8] { [] }
}

/// What a stream has at the moment.
package enum StreamPart: Sendable {
    case bytes([UInt8])
    /// The content of what many streams are sent, with what is this one's own behind it; and whether
    /// that is all at the moment, as if it was pending after it.
    case shared(CachedResponse, [UInt8] = [], isAllNow: Bool = false)
    /// Nothing, until the waker is called or a topic is notified.
    case pending
    /// Nothing yet: to be asked again after the others' turn, without a wake-up.
    case askAgain
    case end
}
