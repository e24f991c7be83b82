import Glibc

/// Waits for a nonblocking descriptor (`O_NONBLOCK`).
///
/// An inherited descriptor may be one, since all processes that share a descriptor share its flags.
enum DescriptorWait {
    /// Waits until a descriptor is ready, or a signal comes.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor that is waited for.
    ///   - events: `POLLIN` or `POLLOUT`.
    static func untilReady(_ descriptor: CInt, for events: CInt) {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        // After a signal, the caller tries in vain and waits again.
        _ = poll(&entry, 1, -1)
    }
}
