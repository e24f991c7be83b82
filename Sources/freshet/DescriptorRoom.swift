import Glibc

/// The room that the open-file limit leaves for the files that a server opens.
enum DescriptorRoom {
    /// The descriptors for signals and clocks, for requests to other servers, and for a few
    /// clients.
    private static let forServing = 24
    /// The descriptors of a data folder or a database, of the listening sockets with the operator's
    /// event loop, of the log, and of the clients of sources and of a mirror.
    private static let forStarting = 24
    /// The descriptors of an event loop: its epoll set, its mailbox and its alarm.
    private static let forLoop = 3

    /// The remedy for a limit that is too low.
    static let advice = "raise ulimit -n (systemd: LimitNOFILE=)"

    /// Returns why a server cannot start with that many event loops; `nil` if there is room.
    ///
    /// With too few descriptors left it could serve no client, and would not notice a signal to
    /// stop.
    static func problem(loops: Int) -> String? {
        guard !has(forLoop * loops + forStarting + forServing) else { return nil }
        let loops = loops == 1 ? "an event loop" : "\(loops) event loops"
        return "too few files may be open for \(loops): \(advice)"
    }

    /// Returns whether that many descriptors can be opened now.
    private static func has(_ count: Int) -> Bool {
        var opened: [CInt] = []
        defer { for descriptor in opened { close(descriptor) } }
        while opened.count < count {
            let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
            // Without standard error the room cannot be found out, and no message would be seen.
            guard descriptor >= 0 else { return errno == EBADF }
            opened.append(descriptor)
        }
        return true
    }
}
