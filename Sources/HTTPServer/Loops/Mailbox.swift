import Platform
import Synchronization

/// A queue of messages from any thread to an event loop.
///
/// The queue's descriptor is readable while messages wait.
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
        // If earlier messages wait, the loop was woken for them and takes this one, too.
        if wasEmpty { wakeUp.ring() }
    }

    /// Removes and returns all messages, in the order in which they were posted.
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
    /// Serve a connection that another loop accepted; `isOverLimit`: it is past the limit of
    /// connections.
    case adopt(CInt, IPAddress?, isOverLimit: Bool)
    /// Close connections that have been idle for long, to make room for others.
    case makeRoom
    /// Close slow connections that hold memory, to free it.
    case shed
    /// Send the response to the request of a connection's exchange with this number.
    case response(ConnectionID, exchange: UInt32, Response)
    /// Ask the stream of a connection's exchange for more content.
    case streamHasMore(ConnectionID, exchange: UInt32)
    /// Notify the subscribers of a topic.
    case notified(Topic)
    /// Continue notifying the subscribers of a topic.
    case continueNotifying(Topic)
    /// Run another round, for connections that wait in a queue.
    case nextRound
    /// Use other settings, and call back.
    case configure(ServerSettings, taken: @Sendable () -> Void)
    /// Report the loop's counters.
    case report(@Sendable (LoopReport) -> Void)
    /// Report the number of connections that wait for each of some topics.
    case countReaders([Topic], taken: @Sendable ([Int]) -> Void)
    /// Accept no more connections, and call back.
    case endAccepting(ended: @Sendable () -> Void)
    /// Stop: close idle connections, and each other connection after its response.
    case stop
    /// Stop at once: close all connections.
    case abort
}
