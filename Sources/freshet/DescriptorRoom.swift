import Glibc

/// The room that the open-file limit must leave once a server has opened the files that it begins
/// with.
enum DescriptorRoom {
    /// The descriptors for signals and clocks, for requests to other servers, and for a few
    /// clients.
    private static let least = 24

    /// - Throws: ``CommandFailure`` where less is left: the server would serve no client, and take
    ///   no notice of a signal to stop.
    static func check() throws(CommandFailure) {
        var opened: [CInt] = []
        defer { for descriptor in opened { close(descriptor) } }
        while opened.count < least {
            let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0 else {
                // Without standard error the room cannot be found out, and no message would be
                // seen.
                guard errno != EBADF else { return }
                throw .other("too few files may be open: raise ulimit -n (systemd: LimitNOFILE=)")
            }
            opened.append(descriptor)
        }
    }
}
