import Synchronization

/// The update intervals of one feed, which its versions share from the second one on.
package final class SharedUpdateIntervals: Sendable {
    private let intervals = Mutex(UpdateIntervals())

    init() {}

    /// Takes note of a change.
    func add(_ interval: Duration) {
        intervals.withLock { $0.add(interval) }
    }

    /// The intervals so far.
    var current: UpdateIntervals { intervals.withLock(\.self) }
}
