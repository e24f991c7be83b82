/// The times by which feeds are followed.
struct FollowTiming: Sendable {
    /// The bound of the first wait after a failure, and of all of them.
    var firstRetry = Duration.seconds(1)
    var longestRetry = Duration.seconds(60)
    /// Before a stream that ended is opened again, where the server does not say; half of it at
    /// least.
    var reopening = Duration.seconds(4)
    /// For how long an answer may be held.
    var wait = Duration.seconds(50)
    /// An answer without news that comes sooner was not held.
    var shortestHold = Duration.seconds(1)
    /// The shortest time that a server may ask for before it is asked again.
    var shortest = Duration.seconds(1)
    /// The time between polls where the server states none.
    var poll = Duration.seconds(30)
    /// The longest time between polls, whatever the server says, but for a random part.
    var longestPoll = Duration.seconds(3600)
    /// The time after which another way than the stream is given up for a try of it.
    var streamRetry = Duration.seconds(300)
    /// The time after which a stream without a byte is taken to be held back by something on the
    /// way: servers send the first event at once.
    var firstByte = Duration.seconds(10)
    /// The time after which a silent connection is taken for dead; streams say something every 25
    /// seconds.
    var silence = Duration.seconds(45)
}
