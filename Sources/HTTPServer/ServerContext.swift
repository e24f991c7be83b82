import Synchronization

/// What all event loops of a server share.
final class ServerContext: Sendable {
    let handler: any RequestHandler
    let limits: ServerLimits
    let connectionLimit: Int
    let connectionCount = Atomic(0)
    private let stopping = Atomic(false)

    init(handler: any RequestHandler, limits: ServerLimits, connectionLimit: Int) {
        self.handler = handler
        self.limits = limits
        self.connectionLimit = connectionLimit
    }

    var isStopping: Bool { stopping.load(ordering: .relaxed) }

    /// - Returns: `false` when the server was stopping already.
    func beginStopping() -> Bool {
        !stopping.exchange(true, ordering: .relaxed)
    }

    func connectionClosed() {
        connectionCount.subtract(1, ordering: .relaxed)
    }
}
