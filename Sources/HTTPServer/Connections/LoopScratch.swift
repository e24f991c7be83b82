import HTTPWire

/// What an event loop answers requests with, one after the other.
///
/// One property of the loop has it all: every access to an object's property is checked for
/// exclusivity at run time.
struct LoopScratch {
    /// Answers on their way, of the connection that is being served.
    var writeBuffer = WriteBuffer()

    /// A parser whose storage the next request uses.
    var parser: RequestParser

    /// What was counted.
    var figures: LoopFigures

    /// What the handler said of the last request that was read here.
    var label = RequestLabel()

    /// The last requests of one kind that were answered in place, whose time is still to be noted.
    private var run = (operation: 0, count: 0)
    /// The most of them.
    private static let runLimit = 8

    init(limits: HeadLimits, routeCount: Int) {
        figures = LoopFigures(routeCount: routeCount)
        parser = RequestParser(limits: limits)
    }

    /// Notes a request that was answered in place: the clock is read once for some of one kind.
    ///
    /// - Parameters:
    ///   - operation: What was asked.
    ///   - start: When the loop found that there is input, in nanoseconds.
    mutating func noteAnswered(_ operation: LoopFigures.Operation, since start: Int) {
        if operation != run.operation || run.count == LoopScratch.runLimit { endRun(since: start) }
        run.operation = operation
        run.count += 1
    }

    /// Notes how long those took that were answered since `start`, in nanoseconds.
    mutating func endRun(since start: Int) {
        guard run.count > 0 else { return }
        endRun(after: System.monotonicNanoseconds() - start)
    }

    /// Notes how long a round took that began at `start`, in nanoseconds, and what was answered in
    /// it.
    mutating func roundEnded(since start: Int) {
        let time = System.monotonicNanoseconds() - start
        if run.count > 0 { endRun(after: time) }
        figures.roundEnded(after: time)
    }

    private mutating func endRun(after time: Int) {
        figures.time(run.operation, nanoseconds: time, count: run.count)
        run.count = 0
    }

    /// Other limits hold from now on.
    mutating func startAnew(limits: HeadLimits) {
        parser = RequestParser(limits: limits)
    }
}
