import Foundation
import TestSupport
import Testing

@testable import FeedCollation

/// What is collated here: a name, or none, and the position in the list.
private struct Row: Equatable {
    let id: Int
    let name: String?
}

@Suite struct Grouping {
    @Test(arguments: [
        (
            "sv", "Örn Zebra Ärla adam Åsa Adam Ada",
            "A: Ada adam Adam|Z: Zebra|Å: Åsa|Ä: Ärla|Ö: Örn"
        ),
        ("de", "Zebra Ärger Azur Adam 7 Arger", "A: Adam Arger Ärger Azur|Z: Zebra|#: 7"),
        ("ko", "하늘 까치 Bob 나무 가을 漢 1", "ㄱ: 가을 까치|ㄴ: 나무|ㅎ: 하늘 漢|B: Bob|#: 1"),
        ("zh", "王 Adam 李 阿 Bob 安", "A: 阿 安 Adam|B: Bob|L: 李|W: 王"),
        ("ja", "カメ いぬ 山 がく アリ zoo", "あ: アリ いぬ|か: がく カメ|Z: zoo|#: 山"),
        ("fr", "cote côté coté côte", "C: cote coté côte côté"),
        ("fr-CA", "cote côté coté côte", "C: cote côte coté côté"),
        ("da", "Aa a A Z Å", "A: A a|Z: Z|Å: Å Aa"),
        ("lt", "ja yb ia ic", "I: ia yb ic|J: ja"),
        ("en", "😀 b あ 10 2 Ж .", "B: b|#: . 😀 10 2 Ж あ"),
    ])
    func isByLetterInTheLocalesOrder(
        _ locale: String,
        _ names: String,
        _ expected: String
    ) throws {
        let collation = try #require(IndexedCollation(locale: locale))
        let groups = collation.grouped(names.split(separator: " ").map(String.init)) { $0 }
        let lines = groups.map {
            "\(collation.sectionTitles[$0.section]): \($0.elements.joined(separator: " "))"
        }
        #expect(lines.joined(separator: "|") == expected)
    }

    @Test func aListOfNothingHasNoSections() throws {
        let collation = try #require(IndexedCollation(locale: "en"))
        #expect(collation.grouped([String]()) { $0 }.isEmpty)
    }

    @Test func putsWhatHasNoNameLastInTheOrderGiven() throws {
        let collation = try #require(IndexedCollation(locale: "en"))
        let names: [String?] = [nil, "b", nil, "7", "", "ж", nil]
        let rows = names.enumerated().map { Row(id: $0, name: $1) }
        let groups = collation.grouped(rows, by: \.name)
        #expect(groups.map(\.section) == [1, 26])
        #expect(groups.map { $0.elements.map(\.id) } == [[1], [4, 3, 5, 0, 2, 6]])
    }

    @Test func keepsTheOrderOfTies() throws {
        let collation = try #require(IndexedCollation(locale: "en"))
        // The same to the third level: in one scalar and in two, and with what sorting ignores.
        let names = ["e\u{301}", "é", "\u{200d}é", "é\u{0}", "e", "é"]
        let rows = names.enumerated().map { Row(id: $0, name: $1) }
        #expect(collation.grouped(rows, by: \.name)[0].elements.map(\.id) == [4, 0, 1, 2, 3, 5])
        #expect(collation.sorted(rows) { $0.name ?? "" }.map(\.id) == [4, 0, 1, 2, 3, 5])
    }

    @Test(arguments: ["en", "sv", "ko", "ja", "zh", "zh-Hant", "ru", "da", "th", "ar", "lt"])
    func holdsForRandomNames(_ locale: String) throws {
        let collation = try #require(IndexedCollation(locale: locale))
        for seed in 0..<20 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let rows = (0..<Int.random(in: 0...120, using: &generator)).map {
                Row(id: $0, name: RandomNames.name(using: &generator))
            }
            let groups = collation.grouped(rows, by: \.name)
            #expect(groups.map { [$0.section] + $0.elements.map(\.id) } == model(rows, collation))
            let again = collation.grouped(groups.flatMap(\.elements), by: \.name)
            #expect(again.map(\.section) == groups.map(\.section))
            #expect(again.flatMap(\.elements) == groups.flatMap(\.elements))
        }
    }

    /// Each row put, one after the other, before the first that it sorts before.
    private func model(_ rows: [Row], _ collation: IndexedCollation) -> [[Int]] {
        let last = collation.sectionTitles.count - 1
        var sections = Array(repeating: [Row](), count: last + 1)
        for row in rows {
            let section = row.name.map(collation.section(for:)) ?? last
            let position = sections[section].firstIndex { other in
                guard let own = row.name else { return false }
                guard let theirs = other.name else { return true }
                return collation.sorted([theirs, own]) { $0 }.first?.utf8.elementsEqual(own.utf8)
                    == true && !own.utf8.elementsEqual(theirs.utf8)
            }
            sections[section].insert(row, at: position ?? sections[section].count)
        }
        return sections.enumerated().filter { !$1.isEmpty }.map { [$0] + $1.map(\.id) }
    }

    /// Foundation compares pairs by the same rules.
    @Test(arguments: ["en", "sv", "da", "ko", "ja", "zh", "ru", "fr_CA", "cs"])
    func sortsAsFoundationDoes(_ locale: String) throws {
        let collation = try #require(IndexedCollation(locale: locale))
        let foundation = Locale(identifier: locale)
        var generator = SeededGenerator(seed: 7)
        let names = (0..<300).map { _ in RandomNames.letters(using: &generator) }
        let sorted = collation.sorted(names) { $0 }
        for (left, right) in zip(sorted, sorted.dropFirst()) {
            let order = left.compare(right, options: [], range: nil, locale: foundation)
            #expect(order != .orderedDescending, "\(left) \(right)")
        }
    }

    @Test func takesLongNames() throws {
        let collation = try #require(IndexedCollation(locale: "en"))
        let names = ["b", "a", "A"].map { String(repeating: "é", count: 100_000) + $0 }
        #expect(collation.sorted(names) { $0 } == [names[1], names[2], names[0]])
        let marks = String(repeating: "\u{301}", count: 100_000)
        #expect(collation.section(for: marks) == 26)
        #expect(collation.section(for: marks + "c") == 2)
        #expect(collation.section(for: "d" + marks) == 3)
    }

    @Test func isTheSameFromManyTasks() async throws {
        let collation = try #require(IndexedCollation(locale: "sv"))
        var generator = SeededGenerator(seed: 3)
        let names = (0..<200).map { _ in RandomNames.letters(using: &generator) }
        let expected = collation.sorted(names) { $0 }
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { collation.sorted(names) { $0 } }
            }
            for await sorted in group { #expect(sorted == expected) }
        }
    }
}
