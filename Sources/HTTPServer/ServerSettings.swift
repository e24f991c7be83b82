import Glibc

/// What may change while a server runs, taken by each event loop as a whole.
///
/// A request is received, refused and timed by one of them.
final class ServerSettings: Sendable {
    let handler: any RequestHandler
    let limits: ServerLimits
    /// Connections at a time.
    let connectionLimit: Int

    init(handler: any RequestHandler, limits: ServerLimits) {
        self.handler = handler
        self.limits = limits
        connectionLimit = limits.connectionLimit ?? ServerSettings.affordableConnections
    }

    /// Connections that the open-file limit allows, with some kept for files and the rest.
    private static var affordableConnections: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return 1024
        }
        let files = Int(clamping: limit.rlim_cur)
        return max(16, files - max(64, files / 20))
    }
}
