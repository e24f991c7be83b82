package import FeedModel

/// A snapshot through a view.
package struct ViewedSnapshot: Sendable {
    /// What the view shows; whole feeds share the feed's own storage.
    package let snapshot: Snapshot

    /// The full number of items of each section in `snapshot`; `nil` where the view is the whole
    /// feed, and the sections' own counts are the full ones.
    package let fullCounts: [Int]?

    /// The whole feed's number of items; `nil` where the view is the whole feed.
    package let total: Int?

    /// What a view has been applied to.
    package init(snapshot: Snapshot, fullCounts: [Int]? = nil, total: Int? = nil) {
        self.snapshot = snapshot
        self.fullCounts = fullCounts
        self.total = total
    }
}

/// What a document says of what it shows, beside showing it.
package struct ViewChecks: Sendable, Equatable {
    /// The number of items that are shown.
    package let count: Int

    /// The check on their order, and on that of the sections.
    package let order: UInt32

    /// The whole feed's number of items; `nil` where the view is the whole feed.
    package let total: Int?
}

extension ViewedSnapshot {
    package var checks: ViewChecks {
        ViewChecks(count: snapshot.count, order: snapshot.order, total: total)
    }
}
