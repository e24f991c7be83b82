import Dispatch
import Synchronization

/// Counts events that may be very frequent, and reports their number at most once a second.
package final class EventTally: Sendable {
    private let count = Atomic(0)
    private let report: @Sendable (Int) -> Void

    /// Makes a tally; `report` is called on any thread, with the number since the last report.
    package init(_ report: @escaping @Sendable (Int) -> Void) {
        self.report = report
    }

    /// Counts `times` events; any thread may call it.
    package func note(_ times: Int = 1) {
        guard times > 0, count.add(times, ordering: .relaxed).oldValue == 0 else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(1)) {
            self.report(self.count.exchange(0, ordering: .relaxed))
        }
    }
}
