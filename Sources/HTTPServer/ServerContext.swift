import Logging
import Platform
import Synchronization

/// The state that all event loops of a server share: mailboxes, counts of connections, events to
/// report.
final class ServerContext: Sendable {
    /// The TLS state; `nil`: connections are not encrypted.
    let tls: TLSServer?
    /// The mailboxes of the loops, by index.
    let mailboxes: [Mailbox]
    /// The number of connections of each loop.
    let loads: LoopLoads
    private let connectionCount = Atomic(0)
    private let stopping = Atomic(false)

    let logger: Logger
    /// The tally of connections refused because of the limit.
    let refusals: EventTally
    /// The tally of connections not accepted because no descriptor was free.
    let shortages: EventTally
    /// The tally of responses with status 500.
    let internalErrors: EventTally
    /// The tally of connections of trusted proxies that did not begin with a PROXY header.
    let malformedProxyHeaders: EventTally
    /// The tally of idle connections closed to make room for others.
    let evictions: EventTally
    /// The tally of requests refused and slow connections closed because connections hold too much
    /// memory.
    let shortagesOfMemory: EventTally

    /// - Throws: ``SystemError`` if no descriptors are left.
    init(tls: TLSServer?, loopCount: Int, logger: Logger) throws(SystemError) {
        self.tls = tls
        mailboxes = try (0..<loopCount).map { _ throws(SystemError) in try Mailbox() }
        loads = LoopLoads(count: loopCount)
        self.logger = logger
        func tally(_ level: Logger.Level, _ message: Logger.Message) -> EventTally {
            EventTally { count in
                logger.log(level: level, message, metadata: ["count": .stringConvertible(count)])
            }
        }
        refusals = tally(.warning, "connections past the limit refused")
        shortages = tally(.error, "no file descriptors left for connections")
        internalErrors = tally(.error, "requests answered with status 500")
        malformedProxyHeaders = tally(
            .warning,
            "connections of proxies closed that did not begin with a PROXY header"
        )
        evictions = tally(.notice, "idle connections closed for others")
        shortagesOfMemory = tally(
            .warning,
            "requests refused or slow connections closed: connections hold too much memory"
        )
    }

    var isStopping: Bool { stopping.load(ordering: .relaxed) }

    /// - Returns: `false` if the server was already stopping.
    func beginStopping() -> Bool {
        !stopping.exchange(true, ordering: .relaxed)
    }
}

/// Counting of connections.
extension ServerContext {
    /// The decision about an accepted connection.
    enum Admission {
        case served
        /// The connection is past the limit, and is read only in case it sends an essential request
        /// (``RequestLabel/isEssential``).
        case reserve
        case refused
    }

    /// Counts an accepted connection, and decides whether to serve it.
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

    /// Returns the number of connections past the limit; 0 or less if there are not too many.
    func excess(_ capacity: Capacity) -> Int {
        max(
            connectionCount.load(ordering: .relaxed) - capacity.connectionLimit,
            DescriptorUse.count - capacity.descriptorLimit
        )
    }
}

/// The number of connections of each loop, visible to all loops.
final class LoopLoads: Sendable {
    private final class Count: Sendable {
        let value = Atomic(0)
    }

    private let counts: [Count]

    init(count: Int) {
        counts = (0..<count).map { _ in Count() }
    }

    subscript(index: Int) -> Int {
        get { counts[index].value.load(ordering: .relaxed) }
        set { counts[index].value.store(newValue, ordering: .relaxed) }
    }

    /// Returns the loop with the fewest connections, if it has at least `difference` fewer than
    /// loop `index`.
    func lighterLoop(than index: Int, by difference: Int) -> Int? {
        let own = self[index]
        guard own >= difference else { return nil }
        var lightest = index
        for other in counts.indices where self[other] < self[lightest] { lightest = other }
        return self[lightest] + difference <= own ? lightest : nil
    }
}
