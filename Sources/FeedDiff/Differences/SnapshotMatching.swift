import FeedModel

/// The pairs of equal ids in two versions of a feed: of sections, and of items.
///
/// Both versions are seen in the same view. Sections whose storage both versions share are not
/// compared.
struct SnapshotMatching {
    typealias Listed = SectionMatching.Listed

    /// A section of the new version that does not share its storage with the old version.
    struct NewSection {
        /// The index of the section in the new version.
        var position: Int
        var section: FeedSection
        /// The number of the section's items in the whole feed; `nil`: the view is the whole feed.
        var fullCount: Int?
        /// The old version of this section; `nil` if it was inserted.
        var old: Listed?
        /// The pairs of items in both versions of the section.
        var matcher: SequenceMatcher
        /// The range of the section's items in ``SnapshotMatching/newUnmatched``.
        var unmatched: Range<Int>
    }

    /// The runs of sections that both versions have in the same order, shared or not.
    private(set) var sectionRuns: [ListRun] = []
    /// The new sections that are not shared, in feed order.
    private(set) var newSections: [NewSection] = []
    /// The old sections that were removed, in feed order.
    private(set) var removedSections: [Listed] = []
    /// The old items that the matchers did not pair, in feed order.
    ///
    /// The list has items of removed sections only if they may have moved to other sections. It is
    /// empty if ``newUnmatched`` is, because there may be very many old items.
    private(set) var oldUnmatched = UnmatchedItems()
    /// The unpaired old items of each section that exists in both versions, ascending by the
    /// section's old position.
    private var oldRuns: [(section: Int, runs: [SequenceMatcher.Unmatched])] = []
    /// The new items that the matchers did not pair, in feed order.
    private(set) var newUnmatched = UnmatchedItems()

    /// Pairs sections by id, and items by walking along the paired sections.
    ///
    /// - Parameters:
    ///   - old: The earlier version.
    ///   - new: The later version, in the same view.
    ///   - recognition: The way in which a walk recognizes items.
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

    /// Fills `oldUnmatched`.
    private mutating func addOldUnmatched(of old: ViewedSnapshot) {
        for (section, runs) in oldRuns {
            for run in runs { oldUnmatched.append(run, section: section) }
        }
        addItemsOfRemovedSections(of: old)
        oldUnmatched.sort()
    }

    /// Adds items of removed sections to `oldUnmatched` if they may have moved to other sections.
    ///
    /// If there are few new items, their ids are looked up in the old version. Removing a long
    /// section then takes no longer than removing a short one.
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

    /// Adds a section of the new version, and pairs its items with those of the old section.
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
    /// The number of sections, pairs of items, and unpaired items to go through.
    var unmatchedCount: Int {
        let pairCount = newSections.reduce(0) { $0 + $1.matcher.changedPairs.count }
        let goneCount = oldRuns.reduce(0) { $0 + $1.runs.reduce(0) { $0 + $1.items.count } }
        return newSections.count + removedSections.count + sectionRuns.count + pairCount
            + newUnmatched.count + goneCount
    }

    /// The number of items that were inserted or removed, or whose values differ.
    ///
    /// An item that moved between sections counts twice, as removed and as inserted. Items of
    /// removed sections count only if they are in ``oldUnmatched``.
    var changeCount: Int {
        let goneCount =
            newUnmatched.isEmpty
            ? oldRuns.reduce(0) { $0 + $1.runs.reduce(0) { $0 + $1.items.count } }
            : oldUnmatched.count
        return newSections.reduce(newUnmatched.count + goneCount) { $0 + $1.changedCount }
    }

    /// The old positions, ascending, of items that the new version lacks, without the items of
    /// removed sections.
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
    /// Pairs unmatched items of both versions.
    mutating func matchUnmatched(by same: UnmatchedItems.Sameness) {
        UnmatchedItems.pair(&oldUnmatched, &newUnmatched, by: same)
    }
}

/// The items that a walk along two lists did not pair, in feed order.
///
/// Positions and partners are in arrays of their own, because the items are objects scattered in
/// memory, and reading them is slow.
struct UnmatchedItems {
    private(set) var items: ContiguousArray<FeedItem> = []
    private(set) var positions: [ItemPosition] = []
    /// For each item, the index of its partner in the other version's list; -1: it has none.
    var partners: [Int32] = []

    var count: Int { items.count }
    var isEmpty: Bool { items.isEmpty }

    /// Adds an item.
    mutating func append(_ item: FeedItem, at position: ItemPosition) {
        items.append(item)
        positions.append(position)
        partners.append(-1)
    }

    /// Adds a run of items of the section at an index.
    mutating func append(_ run: SequenceMatcher.Unmatched, section: Int) {
        let start = items.count
        switch run.items {
        case .part(let part): items += part
        case .all(let list): list.forEachItem { items.append($0) }
        }
        addPositions(from: ItemPosition(section: section, index: run.index), after: start)
    }

    /// Adds all items of the section at an index.
    mutating func append(_ list: ItemList, section: Int) {
        let start = items.count
        list.forEachItem { items.append($0) }
        addPositions(from: ItemPosition(section: section, index: 0), after: start)
    }

    private mutating func addPositions(from first: ItemPosition, after start: Int) {
        var position = first
        for _ in start..<items.count {
            positions.append(position)
            position.index += 1
        }
        partners.append(contentsOf: repeatElement(-1, count: items.count - start))
    }

    /// Sorts the items into feed order.
    mutating func sort() {
        guard !zip(positions, positions.dropFirst()).allSatisfy({ $0 < $1 }) else { return }
        let order = positions.indices.sorted { positions[$0] < positions[$1] }
        items = ContiguousArray(order.map { items[$0] })
        positions = order.map { positions[$0] }
        partners = order.map { partners[$0] }
    }

    /// The indices of the items without a partner.
    private var alone: [Int32] {
        var alone: [Int32] = []
        for (index, partner) in partners.enumerated() where partner < 0 {
            alone.append(Int32(truncatingIfNeeded: index))
        }
        return alone
    }
}

extension UnmatchedItems {
    /// The condition for pairing two items.
    enum Sameness {
        /// Both are one object.
        case identity
        /// Both have the same id, and values with equal hashes.
        case value
        /// Both have the same id.
        case id

        fileprivate func key(of item: FeedItem) -> UInt64 {
            switch self {
            case .identity: UInt64(UInt(bitPattern: ObjectIdentifier(item)))
            case .value: item.json.valueHash
            case .id: item.id.keyedHash
            }
        }
    }

    /// Pairs items without a partner in two lists.
    static func pair(_ old: inout UnmatchedItems, _ new: inout UnmatchedItems, by same: Sameness) {
        for pair in pairs(old, new, by: same) {
            old.partners[Int(pair.old)] = pair.new
            new.partners[Int(pair.new)] = pair.old
        }
    }

    private static func pairs(
        _ old: UnmatchedItems,
        _ new: UnmatchedItems,
        by same: Sameness
    ) -> [(old: Int32, new: Int32)] {
        let (oldAlone, newAlone) = (old.alone, new.alone)
        guard !oldAlone.isEmpty, !newAlone.isEmpty else { return [] }
        let (oldKeys, newKeys) = (old.keys(of: oldAlone, same), new.keys(of: newAlone, same))
        let table = HashTable(oldKeys)
        var pairs: [(old: Int32, new: Int32)] = []
        pairs.reserveCapacity(min(oldAlone.count, newAlone.count))
        let (oldItems, newItems) = (old.items.span, new.items.span)
        for (number, key) in newKeys.enumerated() {
            var slot: Int?
            while let found = table.next(key, in: oldKeys, after: &slot) {
                let pair = (old: oldAlone[found], new: newAlone[number])
                guard same == .identity || oldItems[Int(pair.old)].id == newItems[Int(pair.new)].id
                else { continue }
                pairs.append(pair)
                break
            }
        }
        return pairs
    }

    private func keys(of indices: [Int32], _ same: Sameness) -> [UInt64] {
        let items = items.span
        var keys: [UInt64] = []
        keys.reserveCapacity(indices.count)
        for index in indices { keys.append(same.key(of: items[Int(index)])) }
        return keys
    }
}
