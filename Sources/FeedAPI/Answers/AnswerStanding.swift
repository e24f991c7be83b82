import FeedStore
import HTTPServer
import Synchronization

/// For how long the answers about a version are right: while it is the current one, and the hint in
/// them is good.
///
/// The version may be gone while somebody still holds this.
final class AnswerStanding: Standing {
    private let status: VersionStatus
    private let clock: FeedStore.Clock
    private let lifetime: Int
    /// From when on another hint may be due, in seconds of the store's clock; `Int.min` when
    /// another hint has taken the place of this.
    private let renewal: Atomic<Int>

    init(_ status: VersionStatus, hint: Int, _ clock: FeedStore.Clock) {
        self.status = status
        self.clock = clock
        lifetime = Pacing.lifetime(of: hint)
        renewal = Atomic(clock.seconds() + lifetime)
    }

    /// Once the hint is due, the answers' next reader sees to it.
    var stands: Bool {
        status.isCurrent && clock.seconds() < renewal.load(ordering: .relaxed)
    }

    /// Whether the hint is to be looked at again; says so to one caller.
    func isDue() -> Bool {
        let due = renewal.load(ordering: .relaxed)
        let now = clock.seconds()
        guard now >= due, due != .min else { return false }
        let next = now + lifetime
        return renewal.compareExchange(expected: due, desired: next, ordering: .relaxed).exchanged
    }

    /// Ends it: there is another hint.
    func end() {
        renewal.store(.min, ordering: .relaxed)
    }
}
