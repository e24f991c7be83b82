import Glibc

/// The limit of open files and sockets, in this process and the ones that it starts.
enum OpenFileLimit {
    /// Raises the limit as far as allowed.
    static func raise() {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(kind, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(kind, &limit)
    }

    /// Returns how many of the `wanted` connections of a crowd are possible, with several crowds at
    /// a time.
    static func connections(_ wanted: Int, crowds: Int = 1) -> Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        // The server keeps a twentieth for other things.
        return min(wanted, (Int(clamping: limit.rlim_cur) - 100) / crowds * 19 / 20)
    }
}
