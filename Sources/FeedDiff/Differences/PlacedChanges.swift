import FeedModel

/// The fewest changes from one version to another, both in one view, as positions only.
///
/// ``Changes`` adds the ids and values. A JSON Patch names positions, so it is made from these
/// without ``Changes``, and even a patch with many operations reads little of the versions.
struct PlacedChanges {
    /// The positions of a section or item in both versions.
    struct Pair<Position> {
        var old: Position
        var new: Position
    }

    /// A section whose members or full number of items differ.
    struct SectionUpdate {
        var position: Pair<Int>
        var edit: Changes.MemberEdit
        var fullCount: Int?
    }

    /// The edit of the feed's own members.
    private(set) var feed = Changes.MemberEdit()
    /// The old positions of removed sections, ascending.
    private(set) var removedSections: [Int] = []
    /// The new positions of inserted sections, ascending.
    private(set) var insertedSections: [Int] = []
    /// The sections that move, ascending by new position.
    private(set) var movedSections: [Pair<Int>] = []
    /// The sections that differ, ascending by new position.
    private(set) var updatedSections: [SectionUpdate] = []

    /// The old positions of items that were removed from sections that stay, ascending.
    private(set) var removedItems: [ItemPosition] = []
    /// The new positions of inserted items, ascending.
    private(set) var insertedItems: [ItemPosition] = []
    /// The items that move, ascending by new position.
    private(set) var movedItems: [Pair<ItemPosition>] = []
    /// The items that differ, ascending by new position.
    private(set) var updatedItems: [Pair<ItemPosition>] = []
}

extension PlacedChanges {
    /// Makes the changes between two versions from their pairs of sections and items.
    init(_ matching: SnapshotMatching) {
        feed = matching.new.base.members.edit(from: matching.old.base.members)
        removedSections = matching.removedSections.map(\.position)
        moveSections(matching.sectionRuns)
        removedItems = matching.removedItems
        for section in matching.newSections {
            add(section)
            addItems(of: section, matching)
        }
        movedItems.sort { $0.new < $1.new }
        updatedItems.sort { $0.new < $1.new }
    }

    private mutating func moveSections(_ runs: [ListRun]) {
        for (run, stays) in zip(runs, runs.longestIncreasingSubsequence) where !stays {
            for offset in 0..<run.count {
                movedSections.append(Pair(old: run.old + offset, new: run.new + offset))
            }
        }
    }

    private mutating func add(_ section: SnapshotMatching.NewSection) {
        let new = section.new
        guard let old = section.old else {
            insertedSections.append(new.position)
            return
        }
        let edit = new.section.members.edit(from: old.section.members)
        let hasNewCount = new.fullCount != old.fullCount
        guard !edit.isEmpty || hasNewCount else { return }
        updatedSections.append(
            SectionUpdate(
                position: Pair(old: old.position, new: new.position),
                edit: edit,
                fullCount: hasNewCount ? new.fullCount : nil
            )
        )
    }

    /// Adds the inserted, moved and updated items of a section.
    private mutating func addItems(
        of section: SnapshotMatching.NewSection,
        _ matching: SnapshotMatching
    ) {
        let (position, oldPosition) = (section.new.position, section.old?.position)
        for pair in section.matcher.changedPairs where !pair.isEqual {
            let old = ItemPosition(section: oldPosition ?? 0, index: pair.old)
            updatedItems.append(
                Pair(old: old, new: ItemPosition(section: position, index: pair.new))
            )
        }
        let reordered = addUnmatchedItems(of: section, matching)
        addMoves(of: reordered, in: section)
    }

    /// Adds the items that the walk along a section did not pair.
    ///
    /// - Returns: The items that were in this section before, ascending; only some of them move.
    private mutating func addUnmatchedItems(
        of section: SnapshotMatching.NewSection,
        _ matching: SnapshotMatching
    ) -> [ListRun] {
        var reordered: [ListRun] = []
        let (olds, news) = (matching.oldUnmatched, matching.newUnmatched)
        let (oldItems, newItems) = (olds.items.span, news.items.span)
        for number in section.unmatched {
            let new = news.positions[number]
            let partner = Int(news.partners[number])
            guard partner >= 0 else {
                insertedItems.append(new)
                continue
            }
            let old = olds.positions[partner]
            if Int(old.section) == section.old?.position {
                reordered.append(ListRun(old: Int(old.index), new: Int(new.index), count: 1))
            } else {
                movedItems.append(Pair(old: old, new: new))
            }
            if oldItems[partner] !== newItems[number],
                oldItems[partner].json != newItems[number].json
            {
                updatedItems.append(Pair(old: old, new: new))
            }
        }
        return reordered
    }

    /// Adds the items outside a longest subsequence that keeps the old order: these move.
    ///
    /// - Parameters:
    ///   - reordered: The unmatched items that were in this section before, ascending.
    ///   - section: The section.
    private mutating func addMoves(
        of reordered: [ListRun],
        in section: SnapshotMatching.NewSection
    ) {
        guard let before = section.old?.position, !reordered.isEmpty else { return }
        let runs = (section.matcher.runs + reordered).sorted { $0.new < $1.new }
        for (run, stays) in zip(runs, runs.longestIncreasingSubsequence) where !stays {
            for offset in 0..<run.count {
                let old = ItemPosition(section: before, index: run.old + offset)
                let new = ItemPosition(section: section.new.position, index: run.new + offset)
                movedItems.append(Pair(old: old, new: new))
            }
        }
    }
}

/// A run of elements that are next to each other in two lists, in the same order.
struct ListRun: Equatable {
    /// The position of the first element in the old list.
    var old: Int
    /// The position of the first element in the new list.
    var new: Int
    var count: Int
}

extension [ListRun] {
    /// Adds a run at the end, or extends the last run if the new one continues it.
    mutating func add(old: Int, new: Int, count: Int) {
        guard count > 0 else { return }
        if let last, last.old + last.count == old, last.new + last.count == new {
            self[endIndex - 1].count += count
        } else {
            append(ListRun(old: old, new: new, count: count))
        }
    }

    /// Whether each of these runs, ordered by new positions, stays in place when as few elements as
    /// possible move.
    ///
    /// The runs that stay are the subsequence with the most elements whose old positions ascend. A
    /// run belongs to that subsequence as a whole or not at all: no other element is between its
    /// elements in either list. The search takes n log n steps, with a tree of maxima (P. Fenwick,
    /// "A New Data Structure for Cumulative Frequency Tables", 1994, with the maximum for the sum).
    var longestIncreasingSubsequence: [Bool] {
        if zip(self, dropFirst()).allSatisfy({ $0.old < $1.old }) {
            return [Bool](repeating: true, count: count)
        }
        // Two numbers in one: the higher, and in the lower 32 bits the number of a run.
        let lowerBits = 0xFFFF_FFFF
        var ranks = [Int](repeating: 0, count: count)
        let byOldPosition = indices.map { self[$0].old << 32 | $0 }.sorted()
        for (rank, key) in byOldPosition.enumerated() { ranks[key & lowerBits] = rank + 1 }
        // For each range of ranks, the tree has the heaviest subsequence there, the latest of
        // several: its weight, and the number of the run that ends it, from 1.
        var tree = [Int](repeating: 0, count: count + 1)
        var predecessors = [Int](repeating: 0, count: count)
        var heaviest = 0
        for (index, run) in enumerated() {
            var best = 0
            var node = ranks[index] - 1
            while node > 0 {
                best = Swift.max(best, tree[node])
                node &= node - 1
            }
            predecessors[index] = best & lowerBits
            let own = (best >> 32 + run.count) << 32 | index + 1
            heaviest = Swift.max(heaviest, own)
            node = ranks[index]
            while node <= count {
                tree[node] = Swift.max(tree[node], own)
                node += node & -node
            }
        }
        var stays = [Bool](repeating: false, count: count)
        var number = heaviest & lowerBits
        while number > 0 {
            stays[number - 1] = true
            number = predecessors[number - 1]
        }
        return stays
    }
}

/// Reads sections and items of a list by position.
///
/// Reading a neighbour of the last one needs no search.
struct ListReader {
    private let list: SectionList
    /// The leaf of the list of sections that was read last, and the position at which it begins.
    private var sections: (entries: ContiguousArray<TreeEntry<FeedSection>>, start: Int) = ([], 0)
    /// The leaf of a section's items that was read last, and the index at which it begins.
    private var items: (entries: ContiguousArray<TreeEntry<FeedItem>>, start: Int) = ([], 0)
    private var itemSection: (position: Int, items: ItemList)?

    init(_ list: SectionList) {
        self.list = list
    }

    /// Returns the section at a valid position.
    mutating func section(at position: Int) -> FeedSection {
        find(position)
        return sections.entries[position - sections.start].element
    }

    /// Returns the id of the section at a valid position, without copying the section.
    mutating func id(ofSection position: Int) -> ExactString {
        find(position)
        return sections.entries[position - sections.start].element.id
    }

    /// Returns the item at a valid position.
    mutating func item(at position: ItemPosition) -> FeedItem {
        let (section, index) = (Int(position.section), Int(position.index))
        if itemSection?.position != section {
            find(section)
            itemSection = (section, sections.entries[section - sections.start].element.items)
            items = ([], 0)
        }
        if !items.entries.indices.contains(index - items.start), let list = itemSection?.items {
            items = list.leaf(around: index)
        }
        return items.entries[index - items.start].element
    }

    private mutating func find(_ position: Int) {
        guard !sections.entries.indices.contains(position - sections.start) else { return }
        sections = list.leaf(around: position)
    }
}
