import FeedModel

/// Which sections and items of two versions of a feed are the same ones, through one view.
///
/// Sections that both share are not looked into.
struct SnapshotMatching {
    typealias Listed = SectionMatching.Listed

    /// A section of the new version that is not shared.
    struct NewSection {
        var position: Int
        var section: FeedSection
        var fullCount: Int?
        /// The same one in the old version.
        var old: Listed?
        /// The pairs of both.
        var matcher: SequenceMatcher
        /// Which of ``SnapshotMatching/newUnmatched`` are in it.
        var unmatched: Range<Int>
    }

    /// Sections that both versions have in the same order, shared or not.
    private(set) var sectionRuns: [ListRun] = []
    /// The sections that are not shared, in feed order.
    private(set) var newSections: [NewSection] = []
    /// The old sections that went, in feed order.
    private(set) var removedSections: [Listed] = []
    /// Old items that the matchers did not pair, in feed order; those of sections that went only as
    /// far as a new item may be one of them. Empty where there are no new items: they may be very
    /// many.
    private(set) var oldUnmatched = UnmatchedItems()
    /// What the matchers did not pair of each old section that has a new one, by its position.
    private var oldRuns: [(section: Int, runs: [SequenceMatcher.Unmatched])] = []
    /// New items that the matchers did not pair, in feed order.
    private(set) var newUnmatched = UnmatchedItems()

    /// Matches sections by id, and items by walking along the sections.
    ///
    /// - Parameters:
    ///   - old: The earlier version.
    ///   - new: The later one, through the same view.
    ///   - recognition: How the matchers know items again.
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

    /// Adds what new items may be to `oldUnmatched`: where few came, those of their ids alone are
    /// looked for, so that a long section goes as quickly as a short one.
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
    /// How many sections and items are left to be looked at one by one.
    var unmatchedCount: Int {
        let pairCount = newSections.reduce(0) { $0 + $1.matcher.changedPairs.count }
        let goneCount = oldRuns.reduce(0) { $0 + $1.runs.reduce(0) { $0 + $1.items.count } }
        return newSections.count + removedSections.count + sectionRuns.count + pairCount
            + newUnmatched.count + goneCount
    }

    /// How many items came, went, moved or differ in value.
    var changeCount: Int {
        let goneCount =
            newUnmatched.isEmpty
            ? oldRuns.reduce(0) { $0 + $1.runs.reduce(0) { $0 + $1.items.count } }
            : oldUnmatched.count
        return newSections.reduce(newUnmatched.count + goneCount) { $0 + $1.changedCount }
    }

    /// Where the items were that went from sections that stay, ascending.
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

    /// Whether the same sections stand at the same positions.
    var keepsSections: Bool {
        removedSections.isEmpty && newSections.allSatisfy { $0.old != nil }
            && sectionRuns.allSatisfy { $0.old == $0.new }
    }
}

extension SnapshotMatching.NewSection {
    /// Whether its list of items is another than before.
    var hasChanges: Bool {
        changedCount > 0 || !unmatched.isEmpty || section.items.count != old?.section.items.count
    }

    /// Items that differ in value.
    fileprivate var changedCount: Int { matcher.changedPairs.count { !$0.isEqual } }
}

extension SnapshotMatching {
    /// Pairs those of the unmatched items that are the same.
    mutating func matchUnmatched(by same: UnmatchedItems.Sameness) {
        UnmatchedItems.pair(&oldUnmatched, &newUnmatched, by: same)
    }
}
