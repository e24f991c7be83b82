/// Says that a pending stream has more; any thread may call it.
package struct StreamWaker: Sendable {
    private enum Target {
        /// A connection's stream, in its exchange of that number.
        case connection(ConnectionID, exchange: UInt32, Mailbox)
        case other(@Sendable () -> Void)
    }

    private let target: Target

    /// Wraps what wakes.
    package init(_ wake: @escaping @Sendable () -> Void) {
        target = .other(wake)
    }

    /// Wakes a connection's stream. It is made for each look at a stream, and used for few: so it
    /// is no closure, which is an object.
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
