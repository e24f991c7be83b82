/// The body of an answer that is made while it is sent.
///
/// A stream's functions are called on the connection's loop.
package protocol ResponseStream: AnyObject, Sendable {
    /// Returns the next part; called only when the client can take more.
    ///
    /// - Parameter waker: Must be called when there is more, after `.pending`.
    /// - Returns: The content that is ready now, or the state of the stream.
    func next(_ waker: StreamWaker) -> StreamPart

    /// The topics that the stream waits for: each notification makes the loop ask for the next
    /// part.
    var topics: [Topic] { get }

    /// The approximate number of bytes of memory that the stream keeps in addition to its
    /// connection's.
    var byteCount: Int { get }

    /// The time after which the stream is ended, even if it has more; `nil`: never.
    var time: Duration? { get }

    /// Returns the bytes to send when the stream was idle for ``ServerLimits/streamIdleTime``, so
    /// that no intermediary takes the connection for dead; empty: send nothing.
    func idlePart() -> [UInt8]

    /// Returns the last part, after `.end` or when the server stops earlier.
    func ending() -> [UInt8]

    /// Tells the stream that it has ended or its connection is closed; no function is called after
    /// this.
    func closed()
}

extension ResponseStream {
    package var topics: [Topic] { [] }

    package var byteCount: Int { 0 }

    package var time: Duration? { nil }

    package func idlePart() -> [UInt8] { [] }

    package func ending() -> [UInt8] { [] }
}

/// The next part of a stream, or the state of a stream without one.
package enum StreamPart: Sendable {
    case bytes([UInt8])
    /// Content that many streams share, then bytes of this stream alone.
    ///
    /// `isAllNow` says that no more is ready, as if `.pending` followed.
    case shared(Payload, [UInt8] = [], isAllNow: Bool = false)
    /// No content is ready until the waker is called or a topic is notified.
    case pending
    /// No content is ready yet: the loop asks again after it has served other connections.
    case askAgain
    case end
}

/// Tells a loop that a pending stream has more content; it may be called on any thread.
package struct StreamWaker: Sendable {
    private enum Target {
        /// The stream of a connection, in its exchange with this number.
        case connection(ConnectionID, exchange: UInt32, Mailbox)
        case other(@Sendable () -> Void)
    }

    private let target: Target

    /// Makes a waker that calls a closure.
    package init(_ wake: @escaping @Sendable () -> Void) {
        target = .other(wake)
    }

    /// Makes a waker for a connection's stream.
    ///
    /// A waker is made for each look at a stream, and few are used. So this is no closure, which
    /// would be an object on the heap.
    init(_ id: ConnectionID, exchange number: UInt32, in mailbox: Mailbox) {
        target = .connection(id, exchange: number, mailbox)
    }

    package func callAsFunction() {
        switch target {
        case .connection(let id, let number, let mailbox):
            mailbox.post(.streamHasMore(id, exchange: number))
        case .other(let wake): wake()
        }
    }
}
