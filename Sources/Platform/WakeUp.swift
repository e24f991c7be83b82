import CLinux
import Glibc

/// Wakes a thread that waits for descriptors, from any thread (eventfd(2)).
package struct WakeUp: ~Copyable, Sendable {
    private let counter: Descriptor

    package init() throws(SystemError) {
        let number = eventfd(0, CInt(EFD_NONBLOCK) | CInt(EFD_CLOEXEC))
        guard number >= 0 else { throw SystemError(call: "eventfd", code: errno) }
        counter = Descriptor(owning: number)
    }

    /// The descriptor to wait for, which is readable from ``ring()`` to ``reset()``.
    package var descriptor: CInt { counter.rawValue }

    /// Wakes the thread.
    ///
    /// If the counter is full, the call fails, but then the descriptor is readable already.
    package func ring() { _ = eventfd_write(counter.rawValue, 1) }

    /// Makes the descriptor unreadable until the next ``ring()``.
    package func reset() {
        var count: eventfd_t = 0
        _ = eventfd_read(counter.rawValue, &count)
    }
}
