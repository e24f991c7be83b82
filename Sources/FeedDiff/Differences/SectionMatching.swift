import FeedModel

/// The pairs of sections with the same id in two versions of a feed, and the sections whose items
/// must be compared.
struct SectionMatching {
    /// A section that the view of a version lists, with the items that the view shows.
    struct Listed {
        var position: Int
        var section: FeedSection
        /// The number of all items of the section, in a view by sections or limit; otherwise `nil`.
        var fullCount: Int?
    }

    /// The sections that both versions have, in the order of the new one.
    private(set) var runs: [ListRun] = []
    /// The new sections that were inserted or must be compared with an old one, in feed order.
    private(set) var rest: [(old: Listed?, new: Listed)] = []
    /// The old sections that were removed, in feed order.
    private(set) var removed: [Listed] = []

    private let old: ViewedSnapshot
    private let new: ViewedSnapshot

    /// Matches the sections.
    ///
    /// The time depends only on the differences: storage that both versions share is not compared.
    init(from old: ViewedSnapshot, to new: ViewedSnapshot) {
        (self.old, self.new) = (old, new)
        if old.givenCounts == nil, new.givenCounts == nil {
            let difference = TreeDifference(from: old.base.list.tree, to: new.base.list.tree)
            match(difference.gaps)
            for run in difference.runs { addShared(run) }
        } else {
            let (before, after) = (Array(old.base.list)[...], Array(new.base.list)[...])
            match([Gap(oldStart: 0, old: before, newStart: 0, new: after)])
        }
        runs.sort { $0.new < $1.new }
        rest.sort { $0.new.position < $1.new.position }
        removed.sort { $0.position < $1.position }
    }

    private typealias Gap = TreeDifference<FeedSection>.Gap

    /// Matches sections whose storage is not shared, or not in the same order.
    private mutating func match(_ gaps: [Gap]) {
        var entries: [(gap: Int, index: Int)] = []
        for (number, gap) in gaps.enumerated() {
            for index in gap.old.indices { entries.append((number, index)) }
        }
        let keys = entries.map { gaps[$0.gap].old[$0.index].id.keyedHash }
        let table = HashTable(keys)
        /// Returns the index in `entries` of the old section with an id.
        func partner(_ id: ExactString) -> Int? {
            var slot: Int?
            while let found = table.next(id.keyedHash, in: keys, after: &slot) {
                if gaps[entries[found].gap].old[entries[found].index].id == id { return found }
            }
            return nil
        }
        var remains = [Bool](repeating: false, count: entries.count)
        for gap in gaps {
            for index in gap.new.indices {
                let position = gap.newPosition(index)
                guard let partner = partner(gap.new[index].id) else {
                    rest.append((nil, new.listed(gap.new[index], at: position)))
                    continue
                }
                remains[partner] = true
                let entry = entries[partner]
                let old = gaps[entry.gap]
                add(
                    old.old[entry.index],
                    at: old.oldPosition(entry.index),
                    gap.new[index],
                    at: position
                )
            }
        }
        for (entry, remains) in zip(entries, remains) where !remains {
            let gap = gaps[entry.gap]
            removed.append(old.listed(gap.old[entry.index], at: gap.oldPosition(entry.index)))
        }
    }

    /// Adds a section that both versions have, to be compared unless it is shared and shown alike.
    private mutating func add(
        _ before: FeedSection,
        at oldPosition: Int,
        _ after: FeedSection,
        at newPosition: Int
    ) {
        runs.append(ListRun(old: oldPosition, new: newPosition, count: 1))
        let isShownAlike =
            old.shownCount(before.items, at: oldPosition)
            == new.shownCount(after.items, at: newPosition)
        if isShownAlike, old.givenCounts == nil, before.isIdentical(to: after) { return }
        rest.append((old.listed(before, at: oldPosition), new.listed(after, at: newPosition)))
    }

    /// Adds sections whose storage both versions share.
    ///
    /// The limits of the views may cut the two versions at different items, so the sections around
    /// these ends must be compared.
    private mutating func addShared(_ run: ListRun) {
        let (oldEnd, newEnd) = (old.end.section - run.old, new.end.section - run.new)
        let first = min(max(0, min(oldEnd, newEnd)), run.count)
        let end = max(first, min(max(oldEnd, newEnd) + 1, run.count))
        runs.add(old: run.old, new: run.new, count: first)
        for offset in first..<end {
            let section = new.base.list[run.new + offset]
            add(section, at: run.old + offset, section, at: run.new + offset)
        }
        if end < run.count {
            runs.append(ListRun(old: run.old + end, new: run.new + end, count: run.count - end))
        }
    }
}

extension ViewedSnapshot {
    /// Returns a section with its shown items.
    fileprivate func listed(_ section: FeedSection, at position: Int) -> SectionMatching.Listed {
        var shown = section
        if position >= end.section { shown.items = end.part(of: section.items, at: position) }
        return SectionMatching.Listed(
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

/// The changes of the items in one section of a new version.
struct SectionChanges {
    /// The indices in the section of inserted items, ascending.
    private(set) var inserted: [Int] = []
    /// The old positions of moved items, with their indices in the section, which ascend.
    private(set) var moved: [(old: ItemPosition, index: Int)] = []
    /// The items whose values differ, in the order of the section.
    private(set) var updated: [PlacedChanges.Pair<ItemPosition>] = []

    private let matching: SnapshotMatching
    private let section: SnapshotMatching.NewSection

    init(_ matching: SnapshotMatching, _ section: SnapshotMatching.NewSection) {
        self.matching = matching
        self.section = section
        var reordered: [ListRun] = []
        let (unmatched, old) = (matching.newUnmatched, matching.oldUnmatched)
        for number in section.unmatched {
            let index = Int(unmatched.positions[number].index)
            let partner = Int(unmatched.partners[number])
            if partner < 0 {
                inserted.append(index)
            } else if Int(old.positions[partner].section) == section.old?.position {
                let before = Int(old.positions[partner].index)
                reordered.append(ListRun(old: before, new: index, count: 1))
            } else {
                moved.append((old.positions[partner], index))
            }
        }
        addMoves(reordered)
        addUpdates()
    }

    /// Adds the items outside a longest subsequence that keeps the old order: these move.
    ///
    /// - Parameter reordered: The unmatched items that were in this section before, ascending.
    private mutating func addMoves(_ reordered: [ListRun]) {
        guard let before = section.old?.position, !reordered.isEmpty else { return }
        var runs = reordered
        if !section.matcher.runs.isEmpty {
            runs += section.matcher.runs
            runs.sort { $0.new < $1.new }
        }
        let isAlone = moved.isEmpty
        for (run, stays) in zip(runs, runs.longestIncreasingSubsequence) where !stays {
            for offset in 0..<run.count {
                let old = ItemPosition(section: before, index: run.old + offset)
                moved.append((old, run.new + offset))
            }
        }
        if !isAlone { moved.sort { $0.index < $1.index } }
    }

    private mutating func addUpdates() {
        let before = section.old?.position ?? 0
        for pair in section.matcher.changedPairs where !pair.isEqual {
            addUpdate(from: ItemPosition(section: before, index: pair.old), to: pair.new)
        }
        let isAlone = updated.isEmpty
        let (unmatched, old) = (matching.newUnmatched, matching.oldUnmatched)
        let (items, olds) = (unmatched.items.span, old.items.span)
        for number in section.unmatched {
            let partner = Int(unmatched.partners[number])
            guard partner >= 0, olds[partner] !== items[number],
                olds[partner].json != items[number].json
            else { continue }
            addUpdate(from: old.positions[partner], to: Int(unmatched.positions[number].index))
        }
        if !isAlone { updated.sort { $0.new < $1.new } }
    }

    private mutating func addUpdate(from old: ItemPosition, to index: Int) {
        let new = ItemPosition(section: section.position, index: index)
        updated.append(PlacedChanges.Pair(old: old, new: new))
    }
}
