import Synchronization

/// What an event loop says of itself when it is asked.
package struct LoopReport: Sendable {
    package var figures: LoopFigures
    /// Connections that it has.
    package var openConnectionCount = 0
    /// Bytes that they hold in memory.
    package var heldByteCount = 0
    /// How long it took to answer the question; while it does not, how long it has taken so far.
    package var lag = Duration.zero
    /// Whether it has answered.
    package var isAlive = true
}

extension EventLoop {
    /// What it has counted, and has.
    func report() -> LoopReport {
        scratch.endRuns(since: roundStart)
        return LoopReport(
            figures: scratch.figures,
            openConnectionCount: connectionCount,
            heldByteCount: account.byteCount
        )
    }
}

/// The last that each loop has said, so that counters never go back.
final class KnownReports: Sendable {
    private let reports: Mutex<[LoopReport]>

    init(routeCount: Int, loopCount: Int) {
        let none = LoopReport(figures: LoopFigures(routeCount: routeCount))
        reports = Mutex([LoopReport](repeating: none, count: loopCount))
    }

    var all: [LoopReport] { reports.withLock(\.self) }

    func set(_ report: LoopReport, _ loop: Int) {
        reports.withLock { $0[loop] = report }
    }
}
