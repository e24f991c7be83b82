package import FeedModel

/// The difference of two versions of a feed, of which clients ask for one view or another.
///
/// Where the versions differ in much, they are paired once (``VersionPairing``), and every view's
/// changes are cut from that.
package struct VersionDifference {
    private let old: Snapshot
    private let new: Snapshot
    /// As far as that was found out.
    private let pairing: VersionPairing?
    private let keep: (VersionPairing) -> Void

    /// Takes two versions.
    ///
    /// - Parameters:
    ///   - old: The earlier one.
    ///   - new: The later one.
    ///   - pairing: That of both, if it is known.
    ///   - keep: Gets the pairing that was made because none was known.
    package init(
        from old: Snapshot,
        to new: Snapshot,
        pairing: VersionPairing? = nil,
        keep: @escaping (VersionPairing) -> Void = { _ in }
    ) {
        (self.old, self.new, self.pairing, self.keep) = (old, new, pairing, keep)
    }

    /// With fewer sections and items that walking along both leaves unmatched, or that are shown,
    /// a difference of its own costs little.
    static let leastPairedCount = 2048
    /// The part of a feed, as a divisor, that a view shows at least where the versions are paired
    /// for it: pairing takes as long as all of the feed.
    static let leastShownPart = 8

    /// The fewest changes through a view.
    package func changes(through view: FeedView) -> Changes {
        Changes(placedChanges(through: view), from: view(old), to: view(new))
    }

    /// The places of the fewest changes through a view.
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

    /// Whether a view shows so much that pairing all is not much more.
    private func isPaired(for view: FeedView) -> Bool {
        let shown = min(view.limit ?? .max, max(old.count, new.count))
        let count = max(old.count, new.count)
        let sectionCount = max(old.list.count, new.list.count)
        return shown + sectionCount >= VersionDifference.leastPairedCount
            && VersionDifference.leastShownPart * (shown + sectionCount) >= count + sectionCount
    }
}
