import Synchronization

/// An event loop's counters and load at one moment.
package struct LoopReport: Sendable {
    package var figures: LoopFigures
    /// The number of open connections.
    package var openConnectionCount = 0
    /// The number of bytes that the open connections hold in memory.
    package var heldByteCount = 0
    /// The time the loop took to answer; if it has not answered, the time it has taken so far.
    package var lag = Duration.zero
    /// Whether the loop answered in time.
    package var isAlive = true
}

extension EventLoop {
    /// Returns the loop's counters and load.
    func report() -> LoopReport {
        scratch.endRuns(since: roundStart)
        return LoopReport(
            figures: scratch.figures,
            openConnectionCount: connectionCount,
            heldByteCount: account.byteCount
        )
    }
}

/// The last report of each loop, so that counters never go back.
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
