/// The delays and limits for following feeds.
struct FollowTiming: Sendable {
    /// The upper bound of the first delay after a failure; each further bound is twice as long.
    var firstRetry = Duration.seconds(1)
    /// The upper bound of all delays after failures.
    var longestRetry = Duration.seconds(60)
    /// The longest delay before a stream that ended is opened again, if the server states none.
    ///
    /// The actual delay is random, at least half of this.
    var reopening = Duration.seconds(4)
    /// The time for which the server may hold a long poll.
    var wait = Duration.seconds(50)
    /// The time below which a long poll that is answered without changes counts as not held.
    var shortestHold = Duration.seconds(1)
    /// The shortest interval that a server can ask for.
    var shortest = Duration.seconds(1)
    /// The interval between polls if the server states none.
    var poll = Duration.seconds(30)
    /// The longest interval between polls, apart from a random part.
    var longestPoll = Duration.seconds(3600)
    /// The time after which a stream is tried again in place of polls.
    var streamRetry = Duration.seconds(300)
    /// The time without a first byte after which a proxy on the way counts as blocking the stream:
    /// servers send the first event at once.
    var firstByte = Duration.seconds(10)
    /// The time after which a silent connection counts as dead.
    ///
    /// Servers send something every 25 seconds.
    var silence = Duration.seconds(45)
}
