import TestSupport
import Testing

@testable import FeedStore

@Suite struct LeastFirst {
    @Test(arguments: 0..<50 as Range<UInt64>)
    func givesWhatSortingGives(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var heap = Heap<Int>()
        var model: [Int] = []
        for _ in 0..<300 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0...5:
                let element = Int.random(in: 0..<50, using: &random)
                heap.insert(element)
                model.append(element)
            case 6...8:
                model.sort(by: >)
                #expect(heap.popLeast() == model.popLast())
            default:
                let divisor = Int.random(in: 2..<9, using: &random)
                heap.keep { $0 % divisor != 0 }
                model.removeAll { $0 % divisor == 0 }
            }
            #expect(heap.count == model.count)
        }
    }
}
