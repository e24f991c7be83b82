import Synchronization

/// TLS of a server: the certificate of new connections, and what outlives certificates.
final class TLSServer: Sendable {
    private let context: Mutex<TLSContext>
    private let ticketKeys = TicketKeys()

    init(_ context: TLSContext) {
        self.context = Mutex(context)
    }

    /// Has connections from now on use another certificate.
    func replaceContext(with other: TLSContext) {
        context.withLock { $0 = other }
    }

    /// Begins TLS on a connection's socket, which outlives it.
    func makeSession(on socket: CInt) -> TLSSession {
        TLSSession(context.withLock { $0 }, ticketKeys: ticketKeys, socket: socket)
    }
}
