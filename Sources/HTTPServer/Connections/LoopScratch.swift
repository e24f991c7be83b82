import HTTPWire

/// What an event loop answers requests with, one after the other.
///
/// One property of the loop has it all, and is handed on as `inout`: each access to it is checked
/// for exclusivity at run time.
struct LoopScratch {
    /// A parser whose storage the next request uses.
    var parser: RequestParser

    /// What was counted.
    var figures: LoopFigures

    /// What the handler said of the last request that was read here.
    var label = RequestLabel()

    /// The last requests that were answered in place, whose time is still to be noted: so many of
    /// one kind, and then of another.
    private var runs: [(operation: LoopFigures.Operation, count: Int)] = []
    /// How many requests these are.
    private var unnotedCount = 0
    /// The most of them, unless their responses have been left to be sent.
    private static let unnotedLimit = 16

    init(limits: HeadLimits, routeCount: Int) {
        figures = LoopFigures(routeCount: routeCount)
        parser = RequestParser(limits: limits)
    }

    /// Notes a request that was answered in place: the clock is read once for several.
    ///
    /// - Parameters:
    ///   - operation: What was asked.
    ///   - start: When the loop found that there is input, in nanoseconds.
    ///   - isLeft: Whether its response is left to be sent with others'.
    mutating func noteAnswered(
        _ operation: LoopFigures.Operation,
        since start: Int,
        isLeft: Bool
    ) {
        if unnotedCount >= LoopScratch.unnotedLimit, !isLeft {
            endRuns(since: start)
        }
        unnotedCount += 1
        if let last = runs.indices.last, runs[last].operation == operation {
            runs[last].count += 1
        } else {
            runs.append((operation, 1))
        }
    }

    /// Notes how long those took that were answered since `start`, in nanoseconds.
    mutating func endRuns(since start: Int) {
        guard unnotedCount > 0 else { return }
        endRuns(after: System.monotonicNanoseconds() - start)
    }

    /// Notes how long a round took that began at `start`, in nanoseconds, and what was answered in
    /// it.
    mutating func roundEnded(since start: Int) {
        let time = System.monotonicNanoseconds() - start
        if unnotedCount > 0 { endRuns(after: time) }
        figures.roundEnded(after: time)
    }

    private mutating func endRuns(after time: Int) {
        for run in runs { figures.time(run.operation, nanoseconds: time, count: run.count) }
        runs.removeAll(keepingCapacity: true)
        unnotedCount = 0
    }
}
