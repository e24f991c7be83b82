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

    init(limits: HeadLimits, routeCount: Int) {
        figures = LoopFigures(routeCount: routeCount)
        parser = RequestParser(limits: limits)
    }

    /// Other limits hold from now on.
    mutating func startAnew(limits: HeadLimits) {
        parser = RequestParser(limits: limits)
    }
}
