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
    private let loads: Mutex<[Int]>
    /// The last report of each loop; it is used while a loop does not report in time, so that
    /// counters never decrease.
    let lastReports: Mutex<[LoopReport]>
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

    /// Makes the state, with a mailbox for each loop.
    ///
    /// - Throws: ``SystemError`` if no descriptors are left.
    init(
        tls: TLSServer?,
        loopCount: Int,
        routeCount: Int,
        logger: Logger
    ) throws(SystemError) {
        self.tls = tls
        mailboxes = try (0..<loopCount).map { _ throws(SystemError) in try Mailbox() }
        loads = Mutex([Int](repeating: 0, count: loopCount))
        let none = LoopReport(metrics: LoopMetrics(routeCount: routeCount))
        lastReports = Mutex([LoopReport](repeating: none, count: loopCount))
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

    /// Records that the server stops; returns `false` if it was already stopping.
    func beginStopping() -> Bool {
        !stopping.exchange(true, ordering: .relaxed)
    }
}

/// Counts the server's connections.
extension ServerContext {
    /// Counts an accepted connection, and returns the value of ``excess(_:)`` with it.
    func connectionOpened(_ settings: ServerSettings) -> Int {
        connectionCount.add(1, ordering: .relaxed)
        DescriptorUse.opened()
        return excess(settings)
    }

    func connectionClosed() {
        connectionCount.subtract(1, ordering: .relaxed)
        DescriptorUse.closed()
    }

    /// Returns the number of connections or of descriptors beyond their limit, whichever is more; 0
    /// or less if neither limit is exceeded.
    func excess(_ settings: ServerSettings) -> Int {
        max(
            connectionCount.load(ordering: .relaxed) - settings.connectionLimit,
            DescriptorUse.count - settings.descriptorLimit
        )
    }

    /// Records the number of a loop's connections, for the other loops.
    func setLoad(_ count: Int, of loop: Int) {
        loads.withLock { $0[loop] = count }
    }

    /// Returns the index of the loop with the fewest connections; `nil` if it has not at least
    /// `difference` fewer than loop `index`.
    func lighterLoop(than index: Int, by difference: Int) -> Int? {
        loads.withLock { loads in
            var lightest = index
            for other in loads.indices where loads[other] < loads[lightest] { lightest = other }
            return loads[lightest] + difference <= loads[index] ? lightest : nil
        }
    }
}
