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
