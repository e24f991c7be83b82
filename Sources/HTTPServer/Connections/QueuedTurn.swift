/// What a connection is to do when its turn has come.
final class QueuedTurn {
    /// What its socket is ready for.
    var readiness: Poller.Readiness?
    /// A response that has come, and the number of its exchange.
    var response: (FinalResponse, exchange: UInt32)?
    /// Whether it goes on with input that is here already.
    var continuesReading = false
    /// Whether its stream is asked for more.
    var pumpsStream = false
}
