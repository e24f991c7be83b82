import Glibc

/// The room that must be left of the open-file limit once a server has opened all that it begins
/// with.
enum DescriptorRoom {
    /// For signals and clocks, for what it asks of others, and for a few clients.
    private static let least = 24

    /// - Throws: Where less is left: it would serve no client, and take no notice of a signal to
    ///   stop.
    static func check() throws(CommandFailure) {
        var opened: [CInt] = []
        defer { for descriptor in opened { close(descriptor) } }
        while opened.count < least {
            let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0 else {
                // Without standard error nothing is found out, and no message would be seen.
                guard errno != EBADF else { return }
                throw .other("too few files may be open: raise ulimit -n (systemd: LimitNOFILE=)")
            }
            opened.append(descriptor)
        }
    }
}
