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

    /// The new positions, ascending, of the elements of these runs, ordered by new positions, that
    /// move when as few as possible do.
    var movedPositions: [Int] {
        var moved: [Int] = []
        for (run, stays) in zip(self, longestIncreasingSubsequence) where !stays {
            moved += run.new..<run.new + run.count
        }
        return moved
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
