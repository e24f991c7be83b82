import Testing

@testable import FeedCollation

/// What of a long string counts for its position.
@Suite struct LongStrings {
    /// The last ones are vowels of Tibetan, of no class of their own, that stand for two marks.
    private static let marks = ["\u{301}\u{316}", "\u{f73}", "\u{f75}\u{f81}", "\u{301}\u{f73}"]

    @Test(arguments: marks)
    func marksThatFollowEachOtherCountUpTo30(_ marks: String) {
        let marks = String(repeating: marks, count: 40_000)
        let bounded = ("a" + marks + "b").boundedForCollation
        #expect(bounded.unicodeScalars.count == 32)
        let names = (0..<200).map { String(repeating: "\u{301}", count: $0 % 40) + "x\($0)" }
        for name in names where name.unicodeScalars.count <= 31 {
            #expect(name.boundedForCollation == name)
        }
    }

    @Test func aLetterBetweenMarksBeginsAnew() {
        let part = "e" + String(repeating: "\u{301}", count: 30)
        let text = part + part
        #expect(text.boundedForCollation.unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test(.enabled(if: Collator.isAvailable), arguments: marks)
    func whatFollowsThemCounts(_ marks: String) throws {
        let collator = try #require(Collator(locale: "en"))
        let marks = "a" + String(repeating: marks, count: 40_000)
        #expect(collator.key(for: marks + "b") < collator.key(for: marks + "c"))
    }
}
