import Synchronization

/// TLS of a server: the certificate of new connections, and what outlives certificates.
final class TLSServer: Sendable {
    private let context: Mutex<TLSContext>
    private let ticketKeys = TicketKeys()

    init(_ context: TLSContext) {
        self.context = Mutex(context)
    }

    /// Has connections from now on use another certificate.
    ///
    /// - Returns: Whether it is not the one before.
    func replaceContext(with other: TLSContext) -> Bool {
        context.withLock { context in
            defer { context = other }
            return context.digest != other.digest
        }
    }

    /// Begins TLS on a connection's socket, which outlives it.
    func makeSession(on socket: CInt) -> TLSSession {
        TLSSession(context.withLock { $0 }, ticketKeys: ticketKeys, socket: socket)
    }
}
