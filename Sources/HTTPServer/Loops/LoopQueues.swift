/// The connections of a loop that wait for their turn.
///
/// One property of the loop has them all: every access to an object's property is checked for
/// exclusivity at run time.
struct LoopQueues {
    /// Those that wait for their turn to begin.
    var newcomers = NewcomerQueue()
    /// Those that wait for their turn to be served.
    var ready = ReadyQueue()
    /// Those whose input is tedious, which have a turn now and then.
    var tedious = TediousQueue()

    /// Whether nobody waits for this round or the next.
    var isEmpty: Bool { ready.isEmpty && newcomers.isEmpty }

    mutating func beginRound(at start: Int) {
        newcomers.beginRound()
        ready.beginRound(at: start)
    }
}
