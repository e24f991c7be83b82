/// A locale's way to sort strings and to group them under letters: `A`–`Z` and `#`; `ㄱ`–`ㅎ`,
/// `A`–`Z` and `#` in Korean; and so on (docs/PROTOCOL.md, "Collation").
///
/// Which letters a locale has is a table of ours; under which of them a string goes is what the
/// locale's order says, once the script of its first letter is one that the index has. Letters
/// with marks so go with their base letter, except where the language counts them as its own.
public struct IndexedCollation: Sendable {
    /// The titles in order, `#` last.
    public let sectionTitles: [String]

    private let collator: Collator
    private let boundaries: [Script: [Boundary]]

    private struct Boundary {
        let key: CollationKey
        let section: Int
    }

    /// Whether locales can be sorted by at all: on Apple's systems, where the library is not to be
    /// had, ``init(locale:)`` always returns `nil`.
    public static var isAvailable: Bool { Collator.isAvailable }

    /// Makes the collation of a locale.
    ///
    /// - Parameter identifier: A language, and perhaps a script and a region, with `-` or `_`
    ///   between them, in any case: `ko`, `zh-Hant`, `pt_BR`. Extensions are ignored. The result is
    ///   `nil` when it is no locale's name, or its language is not known.
    public init?(locale identifier: String) {
        guard let locale = CollationLocale(identifier), let index = LetterIndex(locale),
            let collator = Collator(locale: locale.collatorName)
        else { return nil }
        let last = index.titles.count - 1
        sectionTitles = index.titles
        self.collator = collator
        boundaries = index.boundaries.mapValues { list in
            let keyed = list.map { (key: collator.key(for: $0.string), section: $0.section) }
            return keyed.filter { end in
                // Where letters end, a letter may begin: ezh is a z in Finnish.
                end.section != nil
                    || !keyed.contains { $0.section != nil && $0.key.isSameLetter(as: end.key) }
            }
            .map { Boundary(key: $0.key, section: $0.section ?? last) }
            .sorted { $0.key < $1.key }
        }
    }

    /// The titles that an index bar shows for the sections.
    public var sectionIndexTitles: [String] { sectionTitles }

    /// The number of the section, in ``sectionTitles``, that `string` belongs to.
    ///
    /// A string that does not start with a letter of the index goes to the last section.
    public func section(for string: String) -> Int {
        position(of: string).section
    }

    /// The elements in the locale's order; those that tie keep the order they have.
    public func sorted<Element>(
        _ elements: [Element],
        by string: (Element) -> String
    ) -> [Element] {
        let keys = elements.map { collator.key(for: string($0)) }
        return elements.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { elements[$0] }
    }

    /// The sections that elements fall into, in order, and the elements of each in the locale's
    /// order; those that tie keep the order they have.
    ///
    /// - Parameters:
    ///   - elements: The elements to group.
    ///   - string: What an element goes by; those without it come last of all.
    /// - Returns: The sections that have elements; each number is one of ``sectionTitles``.
    package func grouped<Element>(
        _ elements: [Element],
        by string: (Element) -> String?
    ) -> [(section: Int, elements: [Element])] {
        var keyed = Array(
            repeating: [(key: CollationKey, index: Int)](),
            count: sectionTitles.count
        )
        var without: [Int] = []
        for (index, element) in elements.enumerated() {
            if let string = string(element) {
                let position = position(of: string)
                keyed[position.section].append((position.key, index))
            } else {
                without.append(index)
            }
        }
        return keyed.enumerated().compactMap { section, list in
            var indices = list.sorted { ($0.key, $0.index) < ($1.key, $1.index) }.map(\.index)
            if section == sectionTitles.count - 1 { indices += without }
            return indices.isEmpty ? nil : (section, indices.map { elements[$0] })
        }
    }

    /// The number of a string's section, and its position there.
    func position(of string: String) -> (key: CollationKey, section: Int) {
        let key = collator.key(for: string)
        let last = sectionTitles.count - 1
        guard let script = Script(startOf: string), let list = boundaries[script] else {
            return (key, last)
        }
        // The number of boundaries at or before the string; what sorts before the first letter
        // of its script (a lone hamza) goes with that.
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) / 2
            if key.isAtOrAfter(letter: list[middle].key) { low = middle + 1 } else { high = middle }
        }
        return (key, list[max(low - 1, 0)].section)
    }
}
