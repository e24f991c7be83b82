import FeedModel
import TestSupport
import Testing

@testable import FeedStore

@Suite struct NameListing {
    @Test(arguments: 0..<6 as Range<UInt64>)
    func theListIsThatOfASortedSet(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var list = NameList()
        var model: Set<FeedName> = []
        for _ in 0..<4000 {
            let length = Int.random(in: 1...3, using: &random)
            let text = String(
                (0..<length).map { _ in "abc-9".randomElement(using: &random) ?? "a" }
            )
            guard let name = FeedName(text + (seed < 3 ? "\(Int.random(in: 0..<900))" : "")) else {
                continue
            }
            if Int.random(in: 0..<3, using: &random) == 0 {
                list.remove(name)
                model.remove(name)
            } else if model.insert(name).inserted {
                list.insert(name)
            }
        }
        let sorted = model.sorted()
        #expect(list.names(after: [], prefix: [], limit: .max) == sorted)
        for after in ["", "a", "b-", "c99", "zz", "é"] + sorted.prefix(9).map(\.rawValue) {
            for prefix in ["", "a", "b9", "c-c", "x"] {
                let wanted = sorted.filter {
                    $0.rawValue.utf8.starts(with: prefix.utf8)
                        && after.utf8.lexicographicallyPrecedes($0.rawValue.utf8)
                }
                for limit in [1, 7, 2000] {
                    let found = list.names(
                        after: Array(after.utf8),
                        prefix: Array(prefix.utf8),
                        limit: limit
                    )
                    #expect(found == Array(wanted.prefix(limit)), "\(after) \(prefix)")
                }
            }
        }
        for name in sorted.shuffled(using: &random) { list.remove(name) }
        #expect(list.names(after: [], prefix: [], limit: 1).isEmpty)
    }
}
