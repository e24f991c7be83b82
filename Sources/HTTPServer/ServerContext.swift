import Logging
import Synchronization

/// What all event loops of a server share.
final class ServerContext: Sendable {
    /// `nil`: connections are not encrypted.
    let tls: TLSServer?
    /// Of each loop.
    let mailboxes: [Mailbox]
    /// How many connections each loop has.
    let loads: LoopLoads
    private let connectionCount = Atomic(0)
    private let stopping = Atomic(false)

    let logger: Logger
    /// Connections past the limit.
    let refusals: EventTally
    /// Connections for which there was no descriptor.
    let shortages: EventTally
    /// Answers of status 500.
    let internalErrors: EventTally
    /// Connections of trusted proxies that did not begin with a proxy's header.
    let malformedProxyHeaders: EventTally
    /// Idle connections that made room for others.
    let evictions: EventTally
    /// Requests that were refused, and slow connections that were closed, for what all hold in
    /// memory.
    let shortagesOfMemory: EventTally

    /// - Throws: ``SystemError``, when there are no descriptors left.
    init(tls: TLSServer?, loopCount: Int, logger: Logger) throws(SystemError) {
        self.tls = tls
        var mailboxes: [Mailbox] = []
        for _ in 0..<loopCount { mailboxes.append(try Mailbox()) }
        self.mailboxes = mailboxes
        loads = LoopLoads(count: loopCount)
        self.logger = logger
        func tally(_ level: Logger.Level, _ message: Logger.Message) -> EventTally {
            EventTally { logger.log(level: level, message, metadata: ["count": "\($0)"]) }
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

/// How many connections each loop has, for the others to see.
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

    /// The loop with the fewest connections, if that are fewer than another has by so many.
    func lighterLoop(than index: Int, by difference: Int) -> Int? {
        let own = self[index]
        guard own >= difference else { return nil }
        var lightest = index
        for other in counts.indices where self[other] < self[lightest] { lightest = other }
        return self[lightest] + difference <= own ? lightest : nil
    }
}
