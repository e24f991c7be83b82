package import FeedModel

/// Computes the changes between two versions of a feed, for clients with different views.
///
/// If the versions differ much, they are paired once (``VersionPairing``), and the changes in every
/// view are derived from the pairing.
package struct VersionDifference {
    private let old: Snapshot
    private let new: Snapshot
    /// The pairing of both versions, if it is known.
    private let pairing: VersionPairing?
    private let keep: (VersionPairing) -> Void

    /// Prepares the difference of two versions.
    ///
    /// - Parameters:
    ///   - old: The earlier version.
    ///   - new: The later version.
    ///   - pairing: The pairing of both versions, if it is known.
    ///   - keep: Called with the pairing if a new one is made.
    package init(
        from old: Snapshot,
        to new: Snapshot,
        pairing: VersionPairing? = nil,
        keep: @escaping (VersionPairing) -> Void = { _ in }
    ) {
        (self.old, self.new, self.pairing, self.keep) = (old, new, pairing, keep)
    }

    /// The least number of unmatched or shown sections and items for which versions are paired.
    ///
    /// For fewer, computing each view separately is cheap.
    static let leastPairedCount = 2048
    /// The least part of a feed that a view must show for its versions to be paired, as a divisor.
    ///
    /// Pairing takes time for the whole feed.
    static let leastShownPart = 8

    /// Returns the fewest changes in a view.
    package func changes(through view: FeedView) -> Changes {
        Changes(placedChanges(through: view), from: view(old), to: view(new))
    }

    /// Returns the positions of the fewest changes in a view.
    package func placedChanges(through view: FeedView) -> PlacedChanges {
        if let pairing, isPaired(for: view) {
            return pairing.changes(from: old, to: new, through: view)
        }
        let (before, after) = (view(old), view(new))
        let walked = SnapshotMatching(from: before, to: after, by: .identity)
        guard pairing == nil, isPaired(for: view),
            walked.unmatchedCount >= VersionDifference.leastPairedCount
        else { return PlacedChanges(walked, from: before, to: after) }
        let made = VersionPairing(from: old, to: new)
        keep(made)
        return made.changes(from: old, to: new, through: view)
    }

    /// Returns whether a view shows so much that pairing the whole versions costs little more.
    private func isPaired(for view: FeedView) -> Bool {
        let shown = min(view.limit ?? .max, max(old.count, new.count))
        let count = max(old.count, new.count)
        let sectionCount = max(old.list.count, new.list.count)
        return shown + sectionCount >= VersionDifference.leastPairedCount
            && VersionDifference.leastShownPart * (shown + sectionCount) >= count + sectionCount
    }
}
