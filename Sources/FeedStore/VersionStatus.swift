import Synchronization

/// Tells whether a version is the current one of its feed, without keeping the version alive.
package final class VersionStatus: Sendable {
    private let isSuperseded = Atomic(false)

    /// Whether no other version follows, and the feed still exists.
    ///
    /// When a publisher has its answer, all threads see the new value.
    package var isCurrent: Bool { !isSuperseded.load(ordering: .acquiring) }

    /// Marks the version as superseded; called by the store while it makes the change.
    func supersede() {
        isSuperseded.store(true, ordering: .releasing)
    }
}
