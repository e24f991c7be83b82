import Synchronization

/// What all event loops of a server share.
final class ServerContext: Sendable {
    /// `nil`: connections are not encrypted.
    let tls: TLSServer?
    private let connectionCount = Atomic(0)
    private let stopping = Atomic(false)

    init(tls: TLSServer?) {
        self.tls = tls
    }

    var isStopping: Bool { stopping.load(ordering: .relaxed) }

    /// - Returns: `false` when the server was stopping already.
    func beginStopping() -> Bool {
        !stopping.exchange(true, ordering: .relaxed)
    }
}

/// Connections.
extension ServerContext {
    /// What becomes of a connection that was taken.
    enum Admission {
        case served
        /// It is one too many, and read only in case it asks for what is essential.
        case reserve
        case refused
    }

    /// Counts a connection that was taken, whatever becomes of it.
    func connectionOpened(_ capacity: Capacity) -> Admission {
        connectionCount.add(1, ordering: .relaxed)
        DescriptorUse.opened()
        let excess = excess(capacity)
        if excess <= 0 { return .served }
        return excess <= capacity.reserveLimit ? .reserve : .refused
    }

    func connectionClosed() {
        connectionCount.subtract(1, ordering: .relaxed)
        DescriptorUse.closed()
    }

    /// How many connections there are too many; 0 or less: none.
    func excess(_ capacity: Capacity) -> Int {
        max(
            connectionCount.load(ordering: .relaxed) - capacity.connectionLimit,
            DescriptorUse.count - capacity.descriptorLimit
        )
    }
}
