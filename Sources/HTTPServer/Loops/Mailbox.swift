import Platform
import Synchronization

/// A queue of messages to an event loop, from any thread; its descriptor is readable while there
/// are messages.
final class Mailbox: Sendable {
    private let wakeUp: WakeUp
    private let waiting = Mutex<[Mail]>([])

    init() throws(SystemError) {
        wakeUp = try WakeUp()
    }

    var descriptor: CInt { wakeUp.descriptor }

    func post(_ mail: Mail) {
        let wasEmpty = waiting.withLock { waiting in
            waiting.append(mail)
            return waiting.count == 1
        }
        // The loop has already been told if there was mail.
        if wasEmpty { wakeUp.ring() }
    }

    func takeAll() -> [Mail] {
        wakeUp.reset()
        return waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}

/// A message from another thread to an event loop.
enum Mail: Sendable {
    /// Take over an accepted connection; `isOverLimit`: it is in the reserve past the limit.
    case adopt(CInt, PeerAddress?, isOverLimit: Bool)
    /// Close connections that have been idle for long.
    case makeRoom
    /// Close slow connections that hold memory.
    case shed
    /// Take the response to a connection's request, with the number of its exchange.
    case response(ConnectionID, exchange: UInt32, Response)
    /// Ask a connection's stream for more content.
    case streamHasMore(ConnectionID, exchange: UInt32)
    /// Notify the subscribers of a topic.
    case notified(Topic)
    /// Continue notifying the subscribers of a topic.
    case continueNotifying(Topic)
    /// Run another round, for connections that wait for their turn.
    case nextRound
    /// Use other settings, and call back.
    case configure(ServerSettings, taken: @Sendable () -> Void)
    /// Report the loop's counters.
    case report(@Sendable (LoopReport) -> Void)
    /// Report the number of connections that wait for each of some topics.
    case countReaders([Topic], taken: @Sendable ([Int]) -> Void)
    /// Accept no more connections, and call back.
    case endAccepting(ended: @Sendable () -> Void)
    /// Close idle connections, and all other ones after their answer.
    case stop
    /// Close all connections.
    case abort
}
