import Synchronization

/// A server's TLS state: the certificate and the settings for new connections.
///
/// The keys of session tickets are OpenSSL's, which makes them at random for each context. So a
/// context takes new connections for half a day, and is freed, with its keys, after the last of
/// them; tickets older than that are not read (RFC 5077 §5.5).
final class TLSServer: Sendable {
    private struct State {
        var context: TLSContext
        /// The time from which the context has been used, in seconds of a monotonic clock.
        var start: Int
    }

    private let state: Mutex<State>

    init(_ context: TLSContext) {
        state = Mutex(State(context: context, start: TLSServer.now))
    }

    private static var now: Int { System.monotonicMilliseconds() / 1000 }

    /// Uses another certificate for all connections from now on, and returns whether it differs
    /// from the previous one.
    func replaceContext(with other: TLSContext) -> Bool {
        state.withLock { state in
            defer { state = State(context: other, start: TLSServer.now) }
            return !state.context.hasSameCertificate(as: other)
        }
    }

    /// Returns the context for a new connection; `now` is in seconds of a monotonic clock.
    func context(at now: Int = TLSServer.now) -> TLSContext {
        state.withLock { state in
            if now - state.start >= TLSContext.ticketSeconds {
                state = State(context: TLSContext(renewing: state.context), start: now)
            }
            return state.context
        }
    }

    /// Begins TLS on a connection's socket; the socket must outlive the session.
    func makeSession(on socket: CInt) -> TLSSession {
        TLSSession(context(), socket: socket)
    }
}
