import FeedModel

/// The pairs of sections and of items that two versions of a feed have in common, in one view.
///
/// Sections that both versions share are not compared.
struct SnapshotMatching {
    typealias Listed = SectionMatching.Listed

    /// A section of the new version that is not shared.
    struct NewSection {
        var position: Int
        var section: FeedSection
        var fullCount: Int?
        /// The old version of this section; `nil` if it was inserted.
        var old: Listed?
        /// The pairs of items in both versions of the section.
        var matcher: SequenceMatcher
        /// The section's part of ``SnapshotMatching/newUnmatched``.
        var unmatched: Range<Int>
    }

    /// The sections that both versions have in the same order, shared or not.
    private(set) var sectionRuns: [ListRun] = []
    /// The new sections that are not shared, in feed order.
    private(set) var newSections: [NewSection] = []
    /// The old sections that were removed, in feed order.
    private(set) var removedSections: [Listed] = []
    /// The old items that the matchers did not pair, in feed order.
    ///
    /// Items of removed sections are included only as far as a new item may be one of them. The
    /// list is empty if there are no new items, because there may be very many old ones.
    private(set) var oldUnmatched = UnmatchedItems()
    /// The unpaired old items of each section that exists in both versions, by its old position.
    private var oldRuns: [(section: Int, runs: [SequenceMatcher.Unmatched])] = []
    /// The new items that the matchers did not pair, in feed order.
    private(set) var newUnmatched = UnmatchedItems()

    /// Matches sections by id, and items by walking along the sections.
    ///
    /// - Parameters:
    ///   - old: The earlier version.
    ///   - new: The later version, in the same view.
    ///   - recognition: The way in which the matchers recognize items.
    init(
        from old: ViewedSnapshot,
        to new: ViewedSnapshot,
        by recognition: SequenceMatcher.Recognition
    ) {
        let sections = SectionMatching(from: old, to: new)
        sectionRuns = sections.runs
        removedSections = sections.removed
        for pair in sections.rest { add(pair.new, partner: pair.old, by: recognition) }
        oldRuns.sort { $0.section < $1.section }
        if !newUnmatched.isEmpty { addOldUnmatched(of: old) }
    }

    private mutating func addOldUnmatched(of old: ViewedSnapshot) {
        for (section, runs) in oldRuns {
            for run in runs { oldUnmatched.append(run, section: section) }
        }
        addItemsOfRemovedSections(of: old)
        oldUnmatched.sort()
    }

    /// Adds the old items that new items may be to `oldUnmatched`; if there are few new items, only
    /// their ids are looked up, so that removing a long section takes no longer than removing a
    /// short one.
    private mutating func addItemsOfRemovedSections(of old: ViewedSnapshot) {
        let count = removedSections.reduce(0) { $0 + $1.section.items.count }
        guard count > 0 else { return }
        if old.base.isIndexed, newUnmatched.count < count / 8 {
            let positions = Set(removedSections.lazy.map(\.position))
            for item in newUnmatched.items {
                guard let position = old.base.position(ofItem: item.id), old.end.isBehind(position),
                    positions.contains(Int(position.section))
                else { continue }
                oldUnmatched.append(old.base.list[position], at: position)
            }
            return
        }
        for removed in removedSections {
            oldUnmatched.append(removed.section.items, section: removed.position)
        }
    }

    private mutating func add(
        _ new: Listed,
        partner: Listed?,
        by recognition: SequenceMatcher.Recognition
    ) {
        let start = newUnmatched.count
        let matcher = SequenceMatcher(
            from: partner?.section.items ?? ItemList(),
            to: new.section.items,
            by: recognition
        )
        for run in matcher.newUnmatched { newUnmatched.append(run, section: new.position) }
        if let partner, !matcher.oldUnmatched.isEmpty {
            oldRuns.append((partner.position, matcher.oldUnmatched))
        }
        newSections.append(
            NewSection(
                position: new.position,
                section: new.section,
                fullCount: new.fullCount,
                old: partner,
                matcher: matcher,
                unmatched: start..<newUnmatched.count
            )
        )
    }
}

extension SnapshotMatching {
    /// The number of sections and items that must be compared one by one.
    var unmatchedCount: Int {
        let pairCount = newSections.reduce(0) { $0 + $1.matcher.changedPairs.count }
        let goneCount = oldRuns.reduce(0) { $0 + $1.runs.reduce(0) { $0 + $1.items.count } }
        return newSections.count + removedSections.count + sectionRuns.count + pairCount
            + newUnmatched.count + goneCount
    }

    /// The number of items that were inserted, removed or moved, or whose values differ.
    var changeCount: Int {
        let goneCount =
            newUnmatched.isEmpty
            ? oldRuns.reduce(0) { $0 + $1.runs.reduce(0) { $0 + $1.items.count } }
            : oldUnmatched.count
        return newSections.reduce(newUnmatched.count + goneCount) { $0 + $1.changedCount }
    }

    /// The old positions of items that were removed from sections that stay, ascending.
    var removedItems: [ItemPosition] {
        var removed: [ItemPosition] = []
        guard !newUnmatched.isEmpty else {
            for (section, runs) in oldRuns {
                for run in runs {
                    for offset in 0..<run.items.count {
                        removed.append(ItemPosition(section: section, index: run.index + offset))
                    }
                }
            }
            return removed
        }
        let gone = Set(removedSections.lazy.map(\.position))
        for (index, partner) in oldUnmatched.partners.enumerated() where partner < 0 {
            let position = oldUnmatched.positions[index]
            if gone.isEmpty || !gone.contains(Int(position.section)) { removed.append(position) }
        }
        return removed
    }

    /// Whether both versions have the same sections at the same positions.
    var keepsSections: Bool {
        removedSections.isEmpty && newSections.allSatisfy { $0.old != nil }
            && sectionRuns.allSatisfy { $0.old == $0.new }
    }
}

extension SnapshotMatching.NewSection {
    /// Whether the section's list of items differs from the old one.
    var hasChanges: Bool {
        changedCount > 0 || !unmatched.isEmpty || section.items.count != old?.section.items.count
    }

    /// The number of items whose values differ.
    fileprivate var changedCount: Int { matcher.changedPairs.count { !$0.isEqual } }
}

extension SnapshotMatching {
    /// Pairs the unmatched items that are the same.
    mutating func matchUnmatched(by same: UnmatchedItems.Sameness) {
        UnmatchedItems.pair(&oldUnmatched, &newUnmatched, by: same)
    }
}
