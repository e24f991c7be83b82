import TestSupport
import Testing

@testable import FeedCollation

@Suite struct SortKeys {
    @Test func sortKeysCompareAsTheirBytes() {
        var generator = SeededGenerator(seed: 11)
        let keys = (0..<200).map { _ in
            (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                UInt8.random(in: 1...3, using: &generator)
            }
        }
        for left in keys {
            for right in keys {
                #expect(
                    (CollationKey(left) < CollationKey(right))
                        == left.lexicographicallyPrecedes(right)
                )
                #expect((CollationKey(left) == CollationKey(right)) == (left == right))
            }
        }
    }

    @Test(
        arguments: [
            ([5, 1, 9], [5, 1, 8], true), ([5, 1, 7], [5, 1, 8], true), ([5], [5, 1, 8], true),
            ([5, 6, 1, 2], [5, 1, 8], true), ([4, 1, 9], [5, 1, 8], false), ([], [5], false),
            ([], [], true), ([5, 1], [5, 6, 1], false),
        ] as [([UInt8], [UInt8], Bool)]
    )
    func sortKeysReachALetterByTheirFirstLevel(_ key: [UInt8], _ letter: [UInt8], _ expected: Bool)
    {
        #expect(CollationKey(key).isAtOrAfter(letter: CollationKey(letter)) == expected)
    }

    @Test func sortKeysHaveThreeLevels() throws {
        let collator = try #require(Collator(locale: "en"))
        let strings = ["role", "Role", "rôle", "Rôle", "roles"]
        let keys = strings.map(collator.key)
        #expect(keys == keys.sorted())
        #expect(collator.key(for: "q\u{323}\u{307}") == collator.key(for: "q\u{307}\u{323}"))
    }
}
