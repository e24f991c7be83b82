import Synchronization

/// What all event loops of a server share.
final class ServerContext: Sendable {
    let connectionCount = Atomic(0)
    private let stopping = Atomic(false)

    var isStopping: Bool { stopping.load(ordering: .relaxed) }

    /// - Returns: `false` when the server was stopping already.
    func beginStopping() -> Bool {
        !stopping.exchange(true, ordering: .relaxed)
    }

    func connectionClosed() {
        connectionCount.subtract(1, ordering: .relaxed)
    }
}
