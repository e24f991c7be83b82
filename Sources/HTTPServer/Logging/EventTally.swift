import Dispatch
import Synchronization

/// Counts events that may be very frequent, and reports their number at most once a second.
package final class EventTally: Sendable {
    private let count = Atomic(0)
    private let tell: @Sendable (Int) -> Void

    package init(_ tell: @escaping @Sendable (Int) -> Void) {
        self.tell = tell
    }

    /// Counts `times` events; any thread may call it.
    package func note(_ times: Int = 1) {
        guard times > 0, count.add(times, ordering: .relaxed).oldValue == 0 else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(1)) {
            self.tell(self.count.exchange(0, ordering: .relaxed))
        }
    }
}
