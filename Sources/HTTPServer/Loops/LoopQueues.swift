/// The connections of a loop that wait for their turn.
///
/// They are objects of which a round changes numbers alone: an access to an object's property is
/// checked for exclusivity at run time if it may be within one that calls something.
struct LoopQueues {
    /// Those that wait for their turn to begin.
    let newcomers = NewcomerQueue()
    /// Those that wait for their turn to be served.
    let ready = ReadyQueue()
    /// Those whose input is tedious, which have a turn now and then.
    let tedious = TediousQueue()

    /// Whether nobody waits for this round or the next.
    var isEmpty: Bool { ready.isEmpty && newcomers.isEmpty }

    func beginRound(at start: Int) {
        newcomers.beginRound()
        ready.beginRound(at: start)
    }
}
