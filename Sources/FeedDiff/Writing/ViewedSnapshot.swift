package import FeedModel

/// A snapshot through a view.
///
/// Nothing is copied of what the view hides: the sections are the feed's own, with a mark where the
/// items that are shown end.
package struct ViewedSnapshot: Sendable {
    /// The sections that are listed, with all of their items.
    let base: Snapshot

    /// Where the shown items of ``base`` end.
    let end: ItemEnd

    /// The whole feed's number of items; `nil` where the view is the whole feed.
    package let total: Int?

    /// The full number of items of each section, where ``base`` does not have them all.
    let givenCounts: [Int]?

    /// Takes what a view was applied to elsewhere.
    ///
    /// - Parameters:
    ///   - snapshot: What the view shows.
    ///   - fullCounts: The full number of items of each section in it; `nil` where the view is the
    ///     whole feed, and the sections' own counts are the full ones.
    ///   - total: The whole feed's number of items; `nil` where the view is the whole feed.
    package init(snapshot: Snapshot, fullCounts: [Int]? = nil, total: Int? = nil) {
        base = snapshot
        end = ItemEnd(of: snapshot.list, limit: nil)
        givenCounts = fullCounts
        self.total = total
    }

    /// Shows the first items of some sections, or of all.
    ///
    /// - Parameters:
    ///   - sections: The sections to list, with all of their items.
    ///   - limit: How many items to show; `nil`: all.
    ///   - total: The whole feed's number of items.
    init(of sections: Snapshot, limit: Int?, total: Int) {
        base = sections
        end = ItemEnd(of: sections.list, limit: limit)
        givenCounts = nil
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
    /// Whether it shows all items of ``base``.
    var isUncut: Bool { end.section == base.list.count }

    /// The bytes of the JSON of the items that are shown.
    package var itemByteCount: Int {
        isUncut ? base.itemByteCount : base.list.byteCount(beforeItem: end.index, of: end.section)
    }

    package var checks: ViewChecks {
        let order = isUncut ? base.order : base.list.order(ofFirstItems: end.count)
        return ViewChecks(count: end.count, order: order, total: total)
    }

    /// What the view shows, as a feed of its own; one that is shown whole is the feed's itself.
    package var snapshot: Snapshot {
        guard !isUncut else { return base }
        let sections = base.list.enumerated().map { position, section in
            var section = section
            section.items = end.part(of: section.items, at: position)
            return section
        }
        return Snapshot(members: base.members, sections: sections)
    }

    /// The full number of items of each section that is listed; `nil` where the view is the whole
    /// feed, and the sections' own counts are the full ones.
    package var fullCounts: [Int]? {
        if let givenCounts { return givenCounts }
        return total == nil ? nil : base.list.map(\.items.count)
    }

    /// The same of one section.
    func fullCount(_ items: ItemList, at position: Int) -> Int? {
        if let givenCounts { return givenCounts[position] }
        return total == nil ? nil : items.count
    }
}
