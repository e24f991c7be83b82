import FeedModel

/// Which sections and items of two versions of a feed are the same ones.
///
/// Sections that both share are not looked into.
struct SnapshotMatching {
    /// An item that the matchers did not pair.
    struct Unmatched {
        var position: ItemPosition
        var item: FeedItem
        /// The position of its partner in the other list; -1 without one.
        var partner: Int32 = -1
    }

    /// A section of the new version that is not shared.
    struct NewSection {
        var position: Int
        var section: FeedSection
        /// The same one in the old version.
        var old: (position: Int, section: FeedSection)?
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
    private(set) var removedSections: [(position: Int, section: FeedSection)] = []
    /// Old items that the matchers did not pair, in feed order; those of sections that went only as
    /// far as a new item may be one of them. Empty where there are no new items: they may be very
    /// many.
    private(set) var oldUnmatched: [Unmatched] = []
    /// What the matchers did not pair of each old section that has a new one, by its position.
    private var oldRuns: [(section: Int, runs: [SequenceMatcher.Unmatched])] = []
    /// New items that the matchers did not pair, in feed order.
    private(set) var newUnmatched: [Unmatched] = []

    /// Matches sections by id, and items by walking along the sections.
    ///
    /// - Parameters:
    ///   - old: The earlier version.
    ///   - new: The later one.
    ///   - recognition: How the matchers know items again.
    ///   - isShallow: Whether sections that are shared are left out of ``newSections``.
    init(
        from old: Snapshot,
        to new: Snapshot,
        by recognition: SequenceMatcher.Recognition,
        isShallow: Bool = true
    ) {
        let (oldRest, newRest) = rest(from: old.list, to: new.list, isShallow: isShallow)
        var positions: [ExactString: Int] = [:]
        let isInStep =
            oldRest.count == newRest.count
            && zip(oldRest, newRest).allSatisfy { $0.section.id == $1.section.id }
        if !isInStep {
            positions.reserveCapacity(oldRest.count)
            for (index, rest) in oldRest.enumerated() { positions[rest.section.id] = index }
        }
        var remains = [Bool](repeating: false, count: oldRest.count)
        for (index, rest) in newRest.enumerated() {
            let partner = isInStep ? index : positions[rest.section.id]
            if let partner { remains[partner] = true }
            add(rest, partner: partner.map { oldRest[$0] }, by: recognition)
        }
        for (rest, remains) in zip(oldRest, remains) where !remains { removedSections.append(rest) }
        sectionRuns.sort { $0.new < $1.new }
        oldRuns.sort { $0.section < $1.section }
        if !newUnmatched.isEmpty { addOldUnmatched(of: old) }
    }

    private mutating func addOldUnmatched(of old: Snapshot) {
        for (section, runs) in oldRuns {
            for run in runs { oldUnmatched.add(run, section: section) }
        }
        addItemsOfRemovedSections(of: old)
        if !zip(oldUnmatched, oldUnmatched.dropFirst()).allSatisfy({ $0.position < $1.position }) {
            oldUnmatched.sort { $0.position < $1.position }
        }
    }

    /// Adds what new items may be to `oldUnmatched`: where few came, those of their ids alone are
    /// looked for, so that a long section goes as quickly as a short one.
    private mutating func addItemsOfRemovedSections(of old: Snapshot) {
        let count = removedSections.reduce(0) { $0 + $1.section.items.count }
        guard count > 0 else { return }
        if old.isIndexed, newUnmatched.count < count / 8 {
            let positions = Set(removedSections.lazy.map(\.position))
            for unmatched in newUnmatched {
                guard let position = old.position(ofItem: unmatched.item.id),
                    positions.contains(Int(position.section))
                else { continue }
                oldUnmatched.append(Unmatched(position: position, item: old.list[position]))
            }
            return
        }
        for removed in removedSections {
            for (index, item) in removed.section.items.enumerated() {
                let position = ItemPosition(section: removed.position, index: index)
                oldUnmatched.append(Unmatched(position: position, item: item))
            }
        }
    }

    /// The sections that are not shared; what is shared goes to `sectionRuns`.
    private mutating func rest(
        from old: SectionList,
        to new: SectionList,
        isShallow: Bool
    ) -> ([(position: Int, section: FeedSection)], [(position: Int, section: FeedSection)]) {
        guard isShallow else {
            return (
                old.enumerated().map { ($0.offset, $0.element) },
                new.enumerated().map { ($0.offset, $0.element) }
            )
        }
        let difference = TreeDifference(from: old.tree, to: new.tree)
        sectionRuns = difference.runs
        return (
            difference.gaps.flatMap { gap in
                gap.old.enumerated().map { (gap.oldStart + $0.offset, $0.element) }
            },
            difference.gaps.flatMap { gap in
                gap.new.enumerated().map { (gap.newStart + $0.offset, $0.element) }
            }
        )
    }

    private mutating func add(
        _ new: (position: Int, section: FeedSection),
        partner: (position: Int, section: FeedSection)?,
        by recognition: SequenceMatcher.Recognition
    ) {
        let start = newUnmatched.count
        let items = partner?.section.items
        let matcher = SequenceMatcher(
            from: items ?? ItemList(),
            to: new.section.items,
            by: recognition
        )
        for run in matcher.newUnmatched { newUnmatched.add(run, section: new.position) }
        if let partner {
            sectionRuns.append(ListRun(old: partner.position, new: new.position, count: 1))
            if !matcher.oldUnmatched.isEmpty {
                oldRuns.append((partner.position, matcher.oldUnmatched))
            }
        }
        newSections.append(
            NewSection(
                position: new.position,
                section: new.section,
                old: partner,
                matcher: matcher,
                unmatched: start..<newUnmatched.count
            )
        )
    }
}

extension [SnapshotMatching.Unmatched] {
    fileprivate mutating func add(_ run: SequenceMatcher.Unmatched, section: Int) {
        var position = ItemPosition(section: section, index: run.index)
        run.items.forEach { item in
            append(SnapshotMatching.Unmatched(position: position, item: item))
            position.index += 1
        }
    }
}

extension SnapshotMatching {
    /// How many items came, went, moved or differ in value.
    var changeCount: Int {
        let goneCount =
            newUnmatched.isEmpty
            ? oldRuns.reduce(0) { $0 + $1.runs.reduce(0) { $0 + $1.items.count } }
            : oldUnmatched.count
        return newSections.reduce(newUnmatched.count + goneCount) { $0 + $1.changedCount }
    }

    /// The items that went from sections that stay, in feed order.
    var removedItems: [ExactString] {
        guard !newUnmatched.isEmpty else {
            let runs = oldRuns.lazy.flatMap(\.runs)
            var ids: [ExactString] = []
            ids.reserveCapacity(runs.reduce(0) { $0 + $1.items.count })
            for run in runs { run.items.forEach { ids.append($0.id) } }
            return ids
        }
        let gone = Set(removedSections.lazy.map(\.position))
        return oldUnmatched.lazy
            .filter { $0.partner < 0 && !gone.contains(Int($0.position.section)) }
            .map(\.item.id)
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
    /// Pairs those of the unmatched items that are recognized so.
    mutating func matchUnmatched(by recognition: SequenceMatcher.Recognition) {
        let oldPositions = oldUnmatched.indices.filter { oldUnmatched[$0].partner < 0 }
        let newPositions = newUnmatched.indices.filter { newUnmatched[$0].partner < 0 }
        guard !oldPositions.isEmpty, !newPositions.isEmpty else { return }
        let oldKeys = oldPositions.map { recognition.key(of: oldUnmatched[$0].item) }
        let table = HashTable(oldKeys)
        for position in newPositions {
            let item = newUnmatched[position].item
            let partner = table.first(recognition.key(of: item), in: oldKeys) { candidate in
                recognition == .identity
                    || oldUnmatched[oldPositions[candidate]].item.isSame(as: item)
            }
            if let partner { pair(oldPositions[partner], position) }
        }
    }

    /// Pairs the unmatched items by id.
    mutating func matchUnmatchedByID() {
        var positions: [ExactString: Int] = [:]
        for position in newUnmatched.indices where newUnmatched[position].partner < 0 {
            positions[newUnmatched[position].item.id] = position
        }
        guard !positions.isEmpty else { return }
        for position in oldUnmatched.indices where oldUnmatched[position].partner < 0 {
            if let partner = positions[oldUnmatched[position].item.id] { pair(position, partner) }
        }
    }

    private mutating func pair(_ oldPosition: Int, _ newPosition: Int) {
        newUnmatched[newPosition].partner = Int32(oldPosition)
        oldUnmatched[oldPosition].partner = Int32(newPosition)
    }
}

extension SequenceMatcher.Recognition {
    /// What is the same for items that are recognized as the same.
    fileprivate func key(of item: FeedItem) -> UInt64 {
        switch self {
        case .identity: UInt64(UInt(bitPattern: ObjectIdentifier(item)))
        case .value: item.json.valueHash
        }
    }
}
