import FeedModel
import TestSupport
import Testing

@testable import FeedDiff

@Suite struct LongestIncreasingSubsequences {
    @Test(
        arguments: [
            ([], 0), ([[5]], 1), ([[3], [2], [1]], 1), ([[1], [2], [3]], 3),
            ([[2], [8], [9], [5], [6], [7], [1]], 4),
            ([[4, 5, 6, 7], [0], [1], [2]], 4), ([[4, 5], [0], [1], [2]], 3),
        ] as [([[Int]], Int)]
    )
    func haveTheMostElements(_ positions: [[Int]], _ count: Int) {
        let runs = Self.runs(of: positions.flatMap(\.self))
        #expect(Self.count(runs) == count)
    }

    /// Against all subsequences of single elements, of lists cut up and put together anew.
    @Test(arguments: 0..<6 as Range<UInt64>)
    func haveAsManyAsAnySubsequenceOfElements(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            var positions = Array(0..<Int.random(in: 0...11, using: &generator))
            for _ in 0..<Int.random(in: 0...4, using: &generator) where !positions.isEmpty {
                let start = Int.random(in: positions.indices, using: &generator)
                let end = Int.random(in: start...positions.count, using: &generator)
                let piece = positions[start..<end]
                positions.removeSubrange(start..<end)
                let target = Int.random(in: 0...positions.count, using: &generator)
                positions.insert(contentsOf: piece, at: target)
            }
            // What came stands between runs and is in none.
            let runs = Self.runs(of: positions)
            let kept = zip(runs, runs.longestIncreasingSubsequence { $0.count }).filter(\.1)
                .map(\.0)
            #expect(zip(kept, kept.dropFirst()).allSatisfy { $0.old < $1.old })
            #expect(Self.count(runs) == Self.longest(positions), "\(positions)")
        }
    }

    private static func count(_ runs: [ListRun]) -> Int {
        zip(runs, runs.longestIncreasingSubsequence { $0.count })
            .reduce(0) { $0 + ($1.1 ? $1.0.count : 0) }
    }

    private static func runs(of positions: [Int]) -> [ListRun] {
        var runs: [ListRun] = []
        for (new, old) in positions.enumerated() { runs.add(old: old, new: new, count: 1) }
        return runs
    }

    /// The length of the longest ascending subsequence, by trying all.
    private static func longest(_ positions: [Int]) -> Int {
        (0..<1 << positions.count).map { (mask: Int) in
            let chosen = positions.indices.filter { mask >> $0 & 1 == 1 }.map { positions[$0] }
            return zip(chosen, chosen.dropFirst()).allSatisfy(<) ? chosen.count : 0
        }.max() ?? 0
    }
}
