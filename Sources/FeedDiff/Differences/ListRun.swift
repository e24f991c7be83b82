import FeedModel

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
    /// The runs that stay are the heaviest subsequence whose old positions ascend. A run belongs to
    /// it as a whole or not at all: no other element is between its elements in either list, so a
    /// subsequence with one of them can contain all of them. The search takes n log n steps (P.
    /// Fenwick, "A New Data Structure for Cumulative Frequency Tables", 1994, with the maximum for
    /// the sum).
    var longestIncreasingSubsequence: [Bool] {
        if zip(self, dropFirst()).allSatisfy({ $0.old < $1.old }) {
            return [Bool](repeating: true, count: count)
        }
        // Runs of about one element are searched element by element, which is faster.
        if reduce(0, { $0 + $1.count }) <= 4 * count { return unitsInSubsequence }
        var ranks = [Int](repeating: 0, count: count)
        for (rank, position) in indices.sorted(by: { self[$0].old < self[$1].old }).enumerated() {
            ranks[position] = rank + 1
        }
        var weights = [Int](repeating: 0, count: count)
        var predecessors = [Int](repeating: -1, count: count)
        // The tree has for each range of ranks the run at the end of the heaviest subsequence in
        // it.
        var tree = [Int](repeating: -1, count: count + 1)
        var heaviest = -1
        for position in indices {
            var best = -1
            var node = ranks[position] - 1
            while node > 0 {
                let run = tree[node]
                if run >= 0, best < 0 || (weights[run], run) > (weights[best], best) { best = run }
                node &= node - 1
            }
            predecessors[position] = best
            weights[position] = self[position].count + (best < 0 ? 0 : weights[best])
            if heaviest < 0 || weights[position] >= weights[heaviest] { heaviest = position }
            node = ranks[position]
            while node <= count {
                if tree[node] < 0 || weights[tree[node]] <= weights[position] {
                    tree[node] = position
                }
                node += node & -node
            }
        }
        var stays = [Bool](repeating: false, count: count)
        while heaviest >= 0 {
            stays[heaviest] = true
            heaviest = predecessors[heaviest]
        }
        return stays
    }

    /// Whether each run stays in place, found by its elements; either all elements of a run stay or
    /// none.
    private var unitsInSubsequence: [Bool] {
        var units: [Int32] = []
        units.reserveCapacity(count)
        for run in self {
            for offset in 0..<run.count { units.append(Int32(run.old + offset)) }
        }
        let stays = units.longestIncreasingSubsequence
        var start = 0
        return map { run in
            defer { start += run.count }
            return stays[start]
        }
    }
}

/// Reads sections and items at mostly ascending positions: neighbours are found with one search.
struct ListReader {
    private let list: SectionList
    /// The leaf of the list that was read last, and the position at which it begins.
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

    /// Returns the id of the section at a valid position, which costs less than the whole section.
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
