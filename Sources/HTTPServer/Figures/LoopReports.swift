import Dispatch
import Synchronization

/// Asks all loops of a server, and answers when they have, or their time is up.
final class LoopReports: Sendable {
    private struct State {
        var waiting: Int
        var answered: [Bool]
        var completion: (@Sendable ([LoopReport]) -> Void)?
    }

    private let state: Mutex<State>
    private let begun = ContinuousClock.now
    /// The last that each loop has said.
    private let known: KnownReports

    init(
        _ known: KnownReports,
        count: Int,
        _ completion: @escaping @Sendable ([LoopReport]) -> Void
    ) {
        self.known = known
        let answered = [Bool](repeating: false, count: count)
        state = Mutex(State(waiting: count, answered: answered, completion: completion))
    }

    /// A loop has answered.
    func take(_ report: LoopReport, from loop: Int) {
        var report = report
        report.lag = ContinuousClock.now - begun
        known.set(report, loop)
        let isLast = state.withLock { state in
            state.answered[loop] = true
            state.waiting -= 1
            return state.waiting == 0
        }
        if isLast { end() }
    }

    /// Answers with what is known by now.
    func end() {
        let (completion, answered) = state.withLock { state in
            defer { state.completion = nil }
            return (state.completion, state.answered)
        }
        guard let completion else { return }
        var reports = known.all
        for (index, isAnswered) in answered.enumerated() where !isAnswered {
            reports[index].lag = ContinuousClock.now - begun
            reports[index].isAlive = false
        }
        completion(reports)
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

extension HTTPServer {
    /// Asks every loop what it has counted.
    ///
    /// - Parameters:
    ///   - time: How long a loop may take; one that takes longer is told of by what it said before.
    ///   - completion: Is called once, on any thread, with a report for each loop.
    package func report(
        within time: Duration = .seconds(1),
        _ completion: @escaping @Sendable ([LoopReport]) -> Void
    ) {
        let reports = LoopReports(knownReports, count: loops.count, completion)
        for (index, loop) in loops.enumerated() {
            loop.mailbox.post(.report { reports.take($0, from: index) })
        }
        let milliseconds = Int(time / .milliseconds(1))
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
            reports.end()
        }
    }
}
