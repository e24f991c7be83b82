package import FeedModel

/// A snapshot in a view, which shows all sections or some, with all or the first items.
///
/// The hidden items are not cut off, because that would copy lists: the sections are the feed's
/// own, and a position says where the shown items end.
package struct ViewedSnapshot: Sendable {
    /// The listed sections, with all of their items.
    let base: Snapshot

    /// The end of the shown items of ``base``.
    let end: ItemEnd

    /// The whole feed's number of items; `nil` if the view is the whole feed.
    package let total: Int?

    /// The full number of items of each section, if ``base`` does not have them all.
    let givenCounts: [Int]?

    /// Makes a viewed snapshot from a view that was applied elsewhere.
    ///
    /// - Parameters:
    ///   - snapshot: The part that the view shows.
    ///   - fullCounts: The full number of items of each section in it, for its document; changes
    ///     of these numbers alone are not found. `nil`: the sections' own counts are the full ones.
    ///   - total: The whole feed's number of items; `nil` if the view is the whole feed.
    package init(snapshot: Snapshot, fullCounts: [Int]? = nil, total: Int? = nil) {
        base = snapshot
        end = ItemEnd(of: snapshot.list, limit: nil)
        givenCounts = fullCounts
        self.total = total
    }

    /// Makes a view of the first `limit` items, or all, of some or all sections, which have all of
    /// their items; the whole feed has `total` items.
    init(of sections: Snapshot, limit: Int?, total: Int) {
        base = sections
        end = ItemEnd(of: sections.list, limit: limit)
        givenCounts = nil
        self.total = total
    }
}

extension ViewedSnapshot {
    /// Whether the view shows all items of ``base``.
    var isUncut: Bool { end.section == base.list.count }

    /// The bytes of the JSON of the shown items.
    package var itemByteCount: Int {
        isUncut ? base.itemByteCount : base.list.byteCount(beforeItem: end.index, of: end.section)
    }

    /// The number of shown items.
    package var count: Int { end.count }

    /// The checksum of the order of the sections and shown items (``Snapshot/order``).
    package var order: UInt32 {
        isUncut ? base.order : base.list.order(ofFirstItems: end.count)
    }

    /// The shown part as a snapshot; sections that are shown completely are the feed's own.
    package var snapshot: Snapshot {
        guard !isUncut else { return base }
        let sections = base.list.enumerated().map { position, section in
            var section = section
            section.items = end.part(of: section.items, at: position)
            return section
        }
        return Snapshot(members: base.members, sections: sections)
    }

    /// Returns the full number of items of one section; `nil` if the view is the whole feed.
    func fullCount(_ items: ItemList, at position: Int) -> Int? {
        if let givenCounts { return givenCounts[position] }
        return total == nil ? nil : items.count
    }
}

extension FeedView {
    /// Returns the part of a snapshot that the view shows: all or the first items of the sections
    /// that it keeps.
    ///
    /// For a view of all sections, the time does not depend on their number.
    package func callAsFunction(_ snapshot: Snapshot) -> ViewedSnapshot {
        guard !isWhole else { return ViewedSnapshot(snapshot: snapshot) }
        guard let sections else {
            return ViewedSnapshot(of: snapshot, limit: limit, total: snapshot.count)
        }
        let kept = snapshot.keeping(FeedView.kept(sections, of: snapshot))
        return ViewedSnapshot(of: kept, limit: limit, total: snapshot.count)
    }

    /// Returns the sections of the snapshot with these ids, in feed order.
    ///
    /// The time depends on the ids or on the sections, whichever are fewer.
    private static func kept(_ sections: Set<ExactString>, of snapshot: Snapshot) -> [FeedSection] {
        guard sections.count < snapshot.sections.count else {
            return snapshot.sections.filter { sections.contains($0.id) }
        }
        return sections.compactMap(snapshot.position(ofSection:)).sorted()
            .map { snapshot.sections[$0] }
    }
}

/// The position at which the items that a view's limit shows end.
struct ItemEnd: Sendable, Equatable {
    /// The number of items before the end.
    let count: Int
    /// The section that contains the end: sections before it are shown with all items, sections
    /// after it with none.
    let section: Int
    /// The number of items of ``section`` before the end.
    let index: Int

    /// Makes the end of the first `limit` items; of all items without a limit.
    init(of list: SectionList, limit: Int?) {
        let count = max(0, limit ?? .max)
        guard let end = list.position(ofItem: count) else {
            (self.count, section, index) = (list.itemCount, list.count, 0)
            return
        }
        (self.count, section, index) = (count, end.section, end.index)
    }

    /// Returns whether the end is behind the item at a position.
    func isBehind(_ position: ItemPosition) -> Bool {
        position < ItemPosition(section: section, index: index)
    }

    /// Returns the items of a section at a position that are before the end.
    func part(of items: ItemList, at position: Int) -> ItemList {
        if position < section || items.isEmpty { return items }
        return position == section && index > 0 ? items.prefix(list: index) : ItemList()
    }
}
