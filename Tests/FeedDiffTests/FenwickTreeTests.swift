import TestSupport
import Testing

@testable import FeedDiff

@Suite struct FenwickTrees {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func sumAsAListDoes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var numbers = (0..<Int.random(in: 0...70, using: &random)).map { _ in
            Int32.random(in: -9...9, using: &random)
        }
        var tree = FenwickTree(numbers)
        for _ in 0..<40 {
            for end in 0...numbers.count {
                #expect(tree.sum(before: end) == Int(numbers[..<end].reduce(0, +)))
            }
            guard let index = numbers.indices.randomElement(using: &random) else { return }
            let difference = Int32.random(in: -9...9, using: &random)
            numbers[index] += difference
            tree.add(difference, at: index)
        }
    }
}
