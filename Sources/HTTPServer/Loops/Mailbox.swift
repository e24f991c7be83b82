import CLinux
import Glibc
import Synchronization

/// Mail for an event loop, from any thread; its descriptor becomes readable when there is some.
final class Mailbox: Sendable {
    /// An eventfd(2).
    let descriptor: Descriptor
    private let waiting = Mutex<[Mail]>([])

    init() throws(SystemError) {
        let flags = CInt(EFD_NONBLOCK) | CInt(EFD_CLOEXEC)
        descriptor = Descriptor(owning: try System.check("eventfd") { eventfd(0, flags) })
    }

    func post(_ mail: Mail) {
        let wasEmpty = waiting.withLock { waiting in
            waiting.append(mail)
            return waiting.count == 1
        }
        // Whoever finds mail there already knows that the loop has been told.
        if wasEmpty { eventfd_write(descriptor.rawValue, 1) }
    }

    func takeAll() -> [Mail] {
        var count: eventfd_t = 0
        eventfd_read(descriptor.rawValue, &count)
        return waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}

/// What other threads ask of an event loop.
enum Mail: Sendable {
    /// Takes over a connection that was accepted; `isOverLimit`: past the limit.
    case adopt(CInt, PeerAddress?, isOverLimit: Bool)
    /// Closes connections that have been idle for long.
    case makeRoom
    /// Gives up slow connections that hold memory.
    case shed
    /// The response to a connection's request, with the number of its exchange.
    case response(ConnectionID, exchange: UInt32, FinalResponse)
    /// A connection's stream has more.
    case streamHasMore(ConnectionID, exchange: UInt32)
    /// A topic was notified.
    case notified(Topic)
    /// Goes on notifying the subscribers of a topic.
    case continueNotifying(Topic)
    /// Has another round, for those who wait for their turn.
    case nextRound
    /// Goes on with other settings, and calls back.
    case configure(ServerSettings, taken: @Sendable () -> Void)
    /// Says what it has counted.
    case report(@Sendable (LoopReport) -> Void)
    /// Says how many of its connections wait for each of some topics.
    case countReaders([Topic], taken: @Sendable ([Int]) -> Void)
    /// Takes no more connections, and calls back.
    case endAccepting(ended: @Sendable () -> Void)
    /// Ends what is idle, and everything else after its answer.
    case stop
    /// Ends everything.
    case abort
}
