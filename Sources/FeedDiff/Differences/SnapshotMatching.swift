import FeedModel

/// Pairs the sections and the items of two versions of a feed by their ids.
///
/// Both versions are seen in the same view. Sections whose storage both versions share are not
/// compared.
struct SnapshotMatching {
    /// A section that the view of a version lists, with the items that the view shows.
    struct Listed {
        /// The index of the section in the version.
        var position: Int
        var section: FeedSection
        /// The number of all items of the section, in a view by sections or limit; otherwise `nil`.
        var fullCount: Int?
    }

    /// A section of the new version that does not share its storage with the old version.
    struct NewSection {
        var new: Listed
        /// The old version of this section; `nil` if it was inserted.
        var old: Listed?
        /// The pairs of items in both versions of the section.
        var matcher: SequenceMatcher
        /// The range of the section's items in ``SnapshotMatching/newUnmatched``.
        var unmatched: Range<Int>
    }

    /// The earlier version.
    let old: ViewedSnapshot
    /// The later version.
    let new: ViewedSnapshot

    /// The runs of sections that both versions have, in the order of the new one, shared or not.
    private(set) var sectionRuns: [ListRun] = []
    /// The new sections that are not shared, in feed order.
    private(set) var newSections: [NewSection] = []
    /// The old sections that were removed, in feed order.
    private(set) var removedSections: [Listed] = []
    /// The old items that a walk along their section did not pair, in feed order.
    ///
    /// The list has items of removed sections only if they may have moved to other sections.
    private(set) var oldUnmatched = UnmatchedItems()
    /// The new items that a walk along their section did not pair, in feed order.
    private(set) var newUnmatched = UnmatchedItems()

    /// Pairs sections, then items by walking along the paired sections, then the items left over.
    ///
    /// Both versions are in the same view. The time depends only on the differences: storage that
    /// they share is not compared.
    init(from old: ViewedSnapshot, to new: ViewedSnapshot) {
        (self.old, self.new) = (old, new)
        for (before, after) in matchSections() { add(after, partner: before) }
        newUnmatched.read(from: new.base.list)
        addItemsOfRemovedSections()
        oldUnmatched.sort()
        oldUnmatched.read(from: old.base.list)
        guard !newUnmatched.isEmpty else { return }
        oldUnmatched.pair(with: &newUnmatched)
    }

    /// Adds a section of the new version, and pairs its items with those of the old section.
    private mutating func add(_ after: Listed, partner: Listed?) {
        let start = newUnmatched.count
        let matcher = SequenceMatcher(
            from: partner?.section.items ?? ItemList(),
            to: after.section.items
        )
        for rows in matcher.newUnmatched { newUnmatched.append(rows, of: after.position) }
        if let partner {
            for rows in matcher.oldUnmatched { oldUnmatched.append(rows, of: partner.position) }
        }
        newSections.append(
            NewSection(
                new: after,
                old: partner,
                matcher: matcher,
                unmatched: start..<newUnmatched.count
            )
        )
    }

    /// Adds items of removed sections to `oldUnmatched` if they may have moved to other sections.
    ///
    /// If there are few new items, their ids are looked up in the old version. Removing a long
    /// section then takes no longer than removing a short one.
    private mutating func addItemsOfRemovedSections() {
        let count = removedSections.reduce(0) { $0 + $1.section.items.count }
        guard count > 0, !newUnmatched.isEmpty else { return }
        if old.base.isIndexed, newUnmatched.count < count / 8 {
            let positions = Set(removedSections.lazy.map(\.position))
            for item in newUnmatched.items {
                guard let position = old.base.position(ofItem: item.id), old.end.isBehind(position),
                    positions.contains(Int(position.section))
                else { continue }
                let row = Int(position.index)
                oldUnmatched.append(row..<row + 1, of: Int(position.section))
            }
            return
        }
        for removed in removedSections {
            oldUnmatched.append(0..<removed.section.items.count, of: removed.position)
        }
    }
}

/// Pairs sections.
extension SnapshotMatching {
    private typealias Gap = TreeDifference<FeedSection>.Gap
    private typealias Pair = (old: Listed?, new: Listed)

    /// Fills `sectionRuns` and `removedSections`, and returns the new sections that were inserted
    /// or must be compared with an old one, in feed order.
    private mutating func matchSections() -> [Pair] {
        var pairs: [Pair] = []
        let difference = TreeDifference(from: old.base.list.tree, to: new.base.list.tree)
        let gaps = difference.gaps()
        match(gaps, into: &pairs)
        for run in difference.runs(around: gaps) { addShared(run, to: &pairs) }
        sectionRuns.sort { $0.new < $1.new }
        removedSections.sort { $0.position < $1.position }
        return pairs.sorted { $0.new.position < $1.new.position }
    }

    /// Matches sections whose storage is not shared, or not in the same order.
    private mutating func match(_ gaps: [Gap], into pairs: inout [Pair]) {
        let befores = gaps.flatMap { gap in
            gap.old.indices.map { (section: gap.old[$0], position: gap.oldPosition($0)) }
        }
        let table = IDTable(befores.count) { befores[$0].section.id }
        var remains = [Bool](repeating: false, count: befores.count)
        for gap in gaps {
            for index in gap.new.indices {
                let (section, position) = (gap.new[index], gap.newPosition(index))
                guard let partner = table.position(of: section.id) else {
                    pairs.append((nil, new.listed(section, at: position)))
                    continue
                }
                remains[partner] = true
                let before = befores[partner]
                add(before.section, at: before.position, section, at: position, to: &pairs)
            }
        }
        for (before, remains) in zip(befores, remains) where !remains {
            removedSections.append(old.listed(before.section, at: before.position))
        }
    }

    /// Adds a section that both versions have, to be compared unless it is shared and shown alike.
    private mutating func add(
        _ before: FeedSection,
        at oldPosition: Int,
        _ after: FeedSection,
        at newPosition: Int,
        to pairs: inout [Pair]
    ) {
        sectionRuns.append(ListRun(old: oldPosition, new: newPosition, count: 1))
        let isShownAlike =
            old.shownCount(before.items, at: oldPosition)
            == new.shownCount(after.items, at: newPosition)
        if isShownAlike, before.isIdentical(to: after) { return }
        pairs.append((old.listed(before, at: oldPosition), new.listed(after, at: newPosition)))
    }

    /// Adds sections whose storage both versions share.
    ///
    /// The limits of the views may cut the two versions at different items, so the sections around
    /// these ends must be compared.
    private mutating func addShared(_ run: ListRun, to pairs: inout [Pair]) {
        let (oldEnd, newEnd) = (old.end.section - run.old, new.end.section - run.new)
        let first = min(max(0, min(oldEnd, newEnd)), run.count)
        let end = max(first, min(max(oldEnd, newEnd) + 1, run.count))
        sectionRuns.add(old: run.old, new: run.new, count: first)
        for offset in first..<end {
            let section = new.base.list[run.new + offset]
            add(section, at: run.old + offset, section, at: run.new + offset, to: &pairs)
        }
        if end < run.count {
            let rest = ListRun(old: run.old + end, new: run.new + end, count: run.count - end)
            sectionRuns.append(rest)
        }
    }
}

extension ViewedSnapshot {
    /// Returns a section with its shown items.
    fileprivate func listed(_ section: FeedSection, at position: Int) -> SnapshotMatching.Listed {
        var shown = section
        if position >= end.section { shown.items = end.part(of: section.items, at: position) }
        return SnapshotMatching.Listed(
            position: position,
            section: shown,
            fullCount: fullCount(section.items, at: position)
        )
    }

    /// Returns the number of a section's shown items.
    fileprivate func shownCount(_ items: ItemList, at position: Int) -> Int {
        if position < end.section { return items.count }
        return position == end.section ? end.index : 0
    }
}

extension SnapshotMatching {
    /// The number of items that were inserted or removed, or whose values differ.
    ///
    /// An item that moved between sections counts twice, as removed and as inserted. Items of
    /// removed sections count only if they are in ``oldUnmatched``.
    var changeCount: Int {
        newSections.reduce(oldUnmatched.count + newUnmatched.count) {
            $0 + $1.matcher.changedPairs.count
        }
    }

    /// The ids of items that the new version lacks, in feed order, without the items of removed
    /// sections.
    var removedItems: [ExactString] {
        let gone = Set(removedSections.lazy.map(\.position))
        return oldUnmatched.partners.indices
            .filter { number in
                oldUnmatched.partners[number] < 0
                    && !gone.contains(Int(oldUnmatched.positions[number].section))
            }
            .map { oldUnmatched.items[$0].id }
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
        !matcher.changedPairs.isEmpty || !unmatched.isEmpty
            || new.section.items.count != old?.section.items.count
    }
}

/// The items that a walk along two lists did not pair, in feed order.
///
/// Positions and partners are in arrays of their own, because the items are objects scattered in
/// memory, and reading them is slow.
struct UnmatchedItems {
    private(set) var positions: [ItemPosition] = []
    /// The items at ``positions``; empty until they are read.
    private(set) var items: ContiguousArray<FeedItem> = []
    /// For each item, the index of its partner in the other version's list; -1: it has none.
    private(set) var partners: [Int32] = []

    var count: Int { positions.count }
    var isEmpty: Bool { positions.isEmpty }

    /// Adds items of a section.
    fileprivate mutating func append(_ rows: Range<Int>, of section: Int) {
        positions += rows.lazy.map { ItemPosition(section: section, index: $0) }
        partners += repeatElement(-1, count: rows.count)
    }

    /// Sorts the items, which are not read yet, into feed order.
    fileprivate mutating func sort() { positions.sort() }

    /// Reads the items at ``positions``.
    fileprivate mutating func read(from sections: SectionList) {
        items.reserveCapacity(count)
        var rest = positions[...]
        while let section = rest.first?.section {
            let rows = rest.prefix { $0.section == section }
            items += sections[Int(section)].items.elements(at: rows.map { Int($0.index) })
            rest = rest.dropFirst(rows.count)
        }
    }

    /// Pairs the items of both versions that have the same id.
    fileprivate mutating func pair(with new: inout UnmatchedItems) {
        let olds = items
        let table = IDTable(olds.count) { olds[$0].id }
        for number in new.items.indices {
            guard let found = table.position(of: new.items[number].id) else { continue }
            partners[found] = Int32(truncatingIfNeeded: number)
            new.partners[number] = Int32(truncatingIfNeeded: found)
        }
    }
}

/// A table that finds the position of an id in a list, with open addressing and linear probing in
/// one array.
private struct IDTable {
    private var slots: [Int32]
    private let hashes: [UInt64]
    private let id: (Int) -> ExactString

    /// Makes a table of a list's unique ids, at most half full.
    init(_ count: Int, id: @escaping (Int) -> ExactString) {
        self.id = id
        hashes = (0..<count).map { id($0).keyedHash }
        slots = Array(repeating: -1, count: 2 << (Int.bitWidth - count.leadingZeroBitCount))
        for position in 0..<count {
            var slot = Int(truncatingIfNeeded: hashes[position]) & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(truncatingIfNeeded: position)
        }
    }

    /// Returns the position of an id; `nil` if it is not in the list.
    func position(of id: ExactString) -> Int? {
        let hash = id.keyedHash
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] >= 0 {
            let position = Int(slots[slot])
            if hashes[position] == hash, self.id(position) == id { return position }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }
}
