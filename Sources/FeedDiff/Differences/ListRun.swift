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

    /// Returns the new positions of all elements that move, ascending.
    ///
    /// The runs must be ordered by new positions; those of ``longestIncreasingSubsequence(by:)``
    /// stay.
    func movedPositions(by weight: (ListRun) -> Int) -> [Int] {
        var moved: [Int] = []
        for (run, stays) in zip(self, longestIncreasingSubsequence(by: weight)) where !stays {
            moved += run.new..<run.new + run.count
        }
        return moved
    }

    /// Returns whether each of these runs, ordered by new positions, stays in place when as little
    /// weight as possible moves.
    ///
    /// The runs that stay are the heaviest subsequence whose old positions ascend. A run belongs to
    /// that subsequence as a whole or not at all: no other element is between its elements in
    /// either list. The search takes n log n steps, with a tree of maxima (P. Fenwick, "A New Data
    /// Structure for Cumulative Frequency Tables", 1994, with the maximum for the sum).
    func longestIncreasingSubsequence(by weight: (ListRun) -> Int) -> [Bool] {
        if zip(self, dropFirst()).allSatisfy({ $0.old < $1.old }) {
            return [Bool](repeating: true, count: count)
        }
        // Two numbers in one: the old position, and in the lower 32 bits the number of the run.
        var ranks = [Int](repeating: 0, count: count)
        let byOldPosition = indices.map { self[$0].old << 32 | $0 }.sorted()
        for (rank, key) in byOldPosition.enumerated() { ranks[key & 0xFFFF_FFFF] = rank + 1 }
        // For each range of ranks, the tree has the heaviest subsequence there, the latest of
        // several: its weight, and the number of the run that ends it, from 1.
        let none = (weight: 0, number: 0)
        var tree = [(weight: Int, number: Int)](repeating: none, count: count + 1)
        var predecessors = [Int](repeating: 0, count: count)
        var heaviest = none
        for (index, run) in enumerated() {
            var best = none
            var node = ranks[index] - 1
            while node > 0 {
                if tree[node] > best { best = tree[node] }
                node &= node - 1
            }
            predecessors[index] = best.number
            let own = (weight: best.weight + weight(run), number: index + 1)
            if own > heaviest { heaviest = own }
            node = ranks[index]
            while node <= count {
                if own > tree[node] { tree[node] = own }
                node += node & -node
            }
        }
        var stays = [Bool](repeating: false, count: count)
        var number = heaviest.number
        while number > 0 {
            stays[number - 1] = true
            number = predecessors[number - 1]
        }
        return stays
    }
}
