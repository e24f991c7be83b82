import Synchronization

/// A server's TLS state: the certificate for new connections, and the keys of session tickets,
/// which stay when the certificate is replaced.
final class TLSServer: Sendable {
    private let context: Mutex<TLSContext>
    let ticketKeys = Mutex(TicketKeys())

    init(_ context: TLSContext) {
        self.context = Mutex(context)
    }

    /// Uses another certificate for all connections from now on.
    ///
    /// - Returns: Whether the certificate differs from the previous one.
    func replaceContext(with other: TLSContext) -> Bool {
        context.withLock { context in
            defer { context = other }
            return context.digest != other.digest
        }
    }

    /// Begins TLS on a connection's socket; the socket must outlive the session.
    func makeSession(on socket: CInt) -> TLSSession {
        TLSSession(context.withLock { $0 }, of: self, socket: socket)
    }
}
