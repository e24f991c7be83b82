import Synchronization

/// Whether a version is the current one of its feed, for those who must not keep the version alive
/// to know.
package final class VersionStatus: Sendable {
    private let isSuperseded = Atomic(false)

    /// Whether no other version follows, and the feed is still there.
    ///
    /// Once a publisher has its answer, everybody sees the new value.
    package var isCurrent: Bool { !isSuperseded.load(ordering: .acquiring) }

    /// Called by the store while it makes the change.
    func supersede() {
        isSuperseded.store(true, ordering: .releasing)
    }
}
