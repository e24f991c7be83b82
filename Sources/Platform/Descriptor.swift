import Glibc

/// The only owner of an open file descriptor, which it closes exactly once.
package struct Descriptor: ~Copyable, Sendable {
    /// The number of the descriptor, for system calls; it must not be stored, because it may be
    /// another file's after this owner is gone.
    package let rawValue: CInt

    /// Takes over an open descriptor.
    package init(owning rawValue: CInt) {
        self.rawValue = rawValue
    }

    deinit { _ = Glibc.close(rawValue) }

    /// Returns the descriptor without closing it; the caller becomes its owner.
    package consuming func release() -> CInt {
        let value = rawValue
        discard self
        return value
    }
}

/// Works on descriptors that others own.
extension Descriptor {
    /// Waits until one of some descriptors is ready (poll(2)), or a signal comes.
    ///
    /// - Parameters:
    ///   - list: The descriptors, each with the events that are waited for: `POLLIN`, `POLLOUT`.
    ///   - time: The longest wait, up to a minute; `nil`: without limit.
    /// - Returns: Whether a descriptor is ready.
    @discardableResult
    package static func wait(for list: [(CInt, CInt)], atMost time: Duration? = nil) -> Bool {
        var polled = list.map { pollfd(fd: $0.0, events: CShort($0.1), revents: 0) }
        let milliseconds = time.map { min(max(0, $0 / .milliseconds(1)), 60_000) } ?? -1
        return poll(&polled, nfds_t(polled.count), CInt(milliseconds)) > 0
    }

    /// Writes all bytes, however long that takes; returns the number of bytes written, and 0 or the
    /// `errno` that ended the writing.
    ///
    /// A descriptor may be nonblocking though this program did not make it so: all processes that
    /// share a descriptor share its flags.
    package static func write(
        _ bytes: [UInt8],
        to descriptor: CInt
    ) -> (count: Int, code: CInt) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count < 0 else {
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: wait(for: [(descriptor, POLLOUT)])
            case let code: return (rest.startIndex, code)
            }
        }
        return (bytes.count, 0)
    }
}
