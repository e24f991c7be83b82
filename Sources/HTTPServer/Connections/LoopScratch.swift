import HTTPWire

/// The parser, counters and label that an event loop reuses for one request after another.
///
/// They are in one property of the loop, which is passed on as `inout`, because each access to a
/// property is checked for exclusivity at run time.
struct LoopScratch {
    /// A parser with the storage for the next request.
    var parser: RequestParser

    /// The loop's counters.
    var metrics: LoopMetrics

    /// The handler's label for the last request that was read with this parser.
    var label = RequestLabel()

    /// The last requests that were answered in place and whose duration is still to be counted, as
    /// runs of the same operation.
    private var runs: [(operation: LoopMetrics.Operation, count: Int)] = []
    /// The number of these requests.
    private var unnotedCount = 0
    /// The most requests without a counted duration, unless their responses are deferred.
    private static let unnotedLimit = 16

    init(limits: HeadLimits, routeCount: Int) {
        metrics = LoopMetrics(routeCount: routeCount)
        parser = RequestParser(limits: limits)
    }

    /// Records a request that was answered in place; the clock is read once for several requests.
    ///
    /// - Parameters:
    ///   - operation: The route and method of the request.
    ///   - start: The time at which the loop found the input, in nanoseconds.
    ///   - isLeft: Whether the response is deferred, to be sent with those of other connections.
    mutating func noteAnswered(
        _ operation: LoopMetrics.Operation,
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

    /// Counts the durations of the recorded requests, which began at `start`, in nanoseconds.
    mutating func endRuns(since start: Int) {
        guard unnotedCount > 0 else { return }
        endRuns(after: System.monotonicNanoseconds() - start)
    }

    /// Counts the duration of a round that began at `start`, in nanoseconds, and of the requests
    /// answered in it.
    mutating func roundEnded(since start: Int) {
        let time = System.monotonicNanoseconds() - start
        if unnotedCount > 0 { endRuns(after: time) }
        metrics.roundEnded(after: time)
    }

    private mutating func endRuns(after time: Int) {
        for run in runs { metrics.time(run.operation, nanoseconds: time, count: run.count) }
        runs.removeAll(keepingCapacity: true)
        unnotedCount = 0
    }
}
