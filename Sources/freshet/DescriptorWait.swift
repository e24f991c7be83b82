import Glibc

/// Waiting for a descriptor that does not wait by itself (`O_NONBLOCK`): one that was inherited may
/// be such a one, since all who share it share that.
enum DescriptorWait {
    /// - Parameters:
    ///   - descriptor: The descriptor that is waited for.
    ///   - events: `POLLIN` or `POLLOUT`.
    static func untilReady(_ descriptor: CInt, for events: CInt) {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        // After a signal the caller finds that it has to wait again.
        _ = poll(&entry, 1, -1)
    }
}
