/// What other threads ask of an event loop.
enum Mail: Sendable {
    /// Takes over a connection that was accepted; `isOverLimit`: past the limit.
    case adopt(CInt, PeerAddress?, isOverLimit: Bool)
    /// Closes connections that have been idle for long.
    case makeRoom
    /// Gives up slow connections that hold memory.
    case shed
    /// The response to a connection's request, with the number of its exchange.
    case response(ConnectionID, exchange: UInt32, FinalResponse)
    /// A connection's stream has more.
    case streamHasMore(ConnectionID, exchange: UInt32)
    /// A topic was notified.
    case notified(Topic)
    /// Goes on notifying the subscribers of a topic.
    case continueNotifying(Topic)
    /// Has another round, for those who wait for their turn.
    case nextRound
    /// Goes on with other settings, and calls back.
    case configure(ServerSettings, taken: @Sendable () -> Void)
    /// Says what it has counted.
    case report(@Sendable (LoopReport) -> Void)
    /// Says how many of its connections wait for each of some topics.
    case countReaders([Topic], taken: @Sendable ([Int]) -> Void)
    /// Takes no more connections, and calls back.
    case endAccepting(ended: @Sendable () -> Void)
    /// Ends what is idle, and everything else after its answer.
    case stop
    /// Ends everything.
    case abort
}
