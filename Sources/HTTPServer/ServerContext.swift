import Logging
import Synchronization

/// What all event loops of a server share.
final class ServerContext: Sendable {
    /// `nil`: connections are not encrypted.
    let tls: TLSServer?
    private let connectionCount = Atomic(0)
    private let stopping = Atomic(false)

    let logger: Logger
    /// Connections past the limit.
    let refusals: EventTally
    /// Connections for which there was no descriptor.
    let shortages: EventTally
    /// Answers of status 500.
    let internalErrors: EventTally

    init(tls: TLSServer?, logger: Logger) {
        self.tls = tls
        self.logger = logger
        refusals = EventTally { count in
            logger.warning("connections past the limit refused", metadata: ["count": "\(count)"])
        }
        shortages = EventTally { count in
            logger.error(
                "no file descriptors left for connections",
                metadata: ["count": "\(count)"]
            )
        }
        internalErrors = EventTally { count in
            logger.error("requests answered with status 500", metadata: ["count": "\(count)"])
        }
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
