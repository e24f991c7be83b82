import FeedModel
import Synchronization

@testable import FeedStore

/// Time that goes when a test says so.
final class HandClock: Sendable {
    private let time = Mutex(Duration.zero)

    func advance(by duration: Duration) {
        time.withLock { $0 += duration }
    }

    var now: Duration { time.withLock(\.self) }

    var clock: FeedStore.Clock {
        FeedStore.Clock(
            now: { self.now },
            wall: { 1_000_000 + Double(self.now.components.seconds) }
        )
    }
}
