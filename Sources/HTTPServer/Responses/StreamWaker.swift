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
