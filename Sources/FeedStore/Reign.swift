import Synchronization

/// Whether a version is the current one of its feed, for those who must not keep the version alive
/// to know.
package final class Reign: Sendable {
    private let over = Atomic(false)

    /// Whether the version is followed by another, or its feed gone.
    ///
    /// Once a publisher has its answer, nobody sees the old value.
    package var isOver: Bool { over.load(ordering: .acquiring) }

    /// Called by the store while it makes the change.
    func end() {
        over.store(true, ordering: .releasing)
    }
}
