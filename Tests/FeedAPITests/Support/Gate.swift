import Dispatch
import Testing

@testable import FeedAPI

/// A piece of work that takes until it is told to end.
final class Gate: Sendable {
    private let end = DispatchSemaphore(value: 0)

    /// Begins in a pool, and returns when it runs.
    init(_ pool: WorkPool, _ client: ClientID = .local) {
        let begun = DispatchSemaphore(value: 0)
        let end = end
        let work = QueuedWork(client: client, time: pool.now) {
            begun.signal()
            end.wait()
        } refuse: {
            Issue.record("there was room")
            begun.signal()
        }
        // What was done before is over a moment after its answer.
        while !pool.admits(client) {}
        pool.submit(work)
        begun.wait()
    }

    func open() { end.signal() }

    deinit { end.signal() }
}
