/// A response body that is made while it is sent, such as server-sent events.
///
/// Its functions are called on the connection's loop.
package protocol ResponseStream: AnyObject, Sendable {
    /// Returns the next part; called only when the socket can take more.
    ///
    /// - Parameter waker: Called by the stream when it has more content, after it returned
    ///   `.pending`.
    func next(_ waker: StreamWaker) -> StreamPart

    /// The topics that the stream waits for; after a notification of any topic, the stream is asked
    /// for its next part.
    var topics: [Topic] { get }

    /// The approximate number of bytes of memory that the stream takes in addition to its
    /// connection.
    var byteCount: Int { get }

    /// The time after which the stream is ended, even if it has more; `nil`: never.
    var time: Duration? { get }

    /// Returns the bytes to send after ``ServerLimits/streamIdleTime`` without a part, so that
    /// proxies do not close the connection; empty: nothing is sent.
    func idlePart() -> [UInt8]

    /// Returns the last part, which is sent after `.end`, or earlier if the server stops or the
    /// time is over.
    func ending() -> [UInt8]

    /// Ends the stream: its content is complete or its connection is closed; no function is called
    /// after this one.
    func closed()
}

/// A stream's content that is ready now, or the reason why there is none.
package enum StreamPart: Sendable {
    case bytes([UInt8])
    /// A payload that many streams share, then bytes of this stream alone.
    case shared(Payload, [UInt8] = [])
    /// No content is ready until the waker is called or a topic is notified.
    case pending
    /// No content is ready yet: the loop asks again after it has served other connections.
    case askAgain
    case end
}

/// Notifies an event loop that a pending stream has more content; any thread may call it.
package struct StreamWaker: Sendable {
    private let id: ConnectionID
    /// The number of the stream's exchange on its connection.
    private let exchange: UInt32
    /// The mailbox of the connection's loop; `nil` without a connection.
    private let mailbox: Mailbox?

    /// Makes a waker for a stream without a connection; it wakes nothing.
    package init() {
        (id, exchange, mailbox) = (ConnectionID(descriptor: -1, generation: 0), 0, nil)
    }

    /// Makes a waker for a connection's stream.
    ///
    /// A waker is made for each call of ``ResponseStream/next(_:)``, and few are used. A closure
    /// would cost an object on the heap each time.
    init(_ id: ConnectionID, exchange: UInt32, in mailbox: Mailbox) {
        (self.id, self.exchange, self.mailbox) = (id, exchange, mailbox)
    }

    package func callAsFunction() {
        mailbox?.post(.streamHasMore(id, exchange: exchange))
    }
}
