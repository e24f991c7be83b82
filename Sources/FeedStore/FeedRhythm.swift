import Synchronization

/// The rhythm of one feed, which its versions share; there is one from the second version on.
package final class FeedRhythm: Sendable {
    private let rhythm = Mutex(Rhythm())

    init() {}

    /// Takes note of a change.
    func add(_ interval: Duration) {
        rhythm.withLock { $0.add(interval) }
    }

    /// The rhythm so far.
    var current: Rhythm { rhythm.withLock(\.self) }
}
