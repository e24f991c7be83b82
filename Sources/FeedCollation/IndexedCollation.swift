import FeedModel

/// A locale's way to sort strings and to group them under letters (docs/PROTOCOL.md, "Collation").
///
/// English has `A`–`Z` and `#`; Korean has `ㄱ`–`ㅎ`, `A`–`Z` and `#`.
///
/// The letters of a locale come from a table in this package. The locale's order decides under
/// which letter a string goes, if the index has letters of the string's script. A letter with marks
/// goes with its base letter, unless the language counts it as a letter of its own.
public struct IndexedCollation: Sendable {
    /// The titles in order, `#` last.
    public let sectionTitles: [String]

    private let collator: Collator
    private let boundaries: [Script: [Boundary]]

    /// The start of a section in the order of one script's strings.
    private struct Boundary {
        let key: CollationKey
        let section: Int
    }

    /// Whether the collation library is available.
    ///
    /// On Apple's systems it is not, and ``init(locale:)`` always returns `nil`.
    public static var isAvailable: Bool { Collator.isAvailable }

    /// Makes the collation of a locale; `nil` for a malformed identifier, for an unknown language,
    /// and without the library (``isAvailable``).
    ///
    /// - Parameter identifier: A language, and perhaps a script and a region, with `-` or `_`
    ///   between them, in upper or lower case: `ko`, `zh-Hant`, `pt_BR`. Extensions are ignored.
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
                // The end of the letters is left out if the locale sorts its string with a letter:
                // ezh ends them in most locales, but counts as a z in Finnish.
                end.section != nil
                    || !keyed.contains { $0.section != nil && $0.key.isSameLetter(as: end.key) }
            }
            .map { Boundary(key: $0.key, section: $0.section ?? last) }
            .sorted { $0.key < $1.key }
        }
    }

    /// The titles that an index bar shows for the sections.
    public var sectionIndexTitles: [String] { sectionTitles }

    /// Returns the index in ``sectionTitles`` of the section that `string` belongs to.
    ///
    /// Strings that start with no letter of the index belong to the last section.
    public func section(for string: String) -> Int {
        position(of: string).section
    }

    /// Returns the elements in the locale's order; elements that tie keep their order.
    public func sorted<Element>(
        _ elements: [Element],
        by string: (Element) -> String
    ) -> [Element] {
        let keys = elements.map { collator.key(for: string($0)) }
        return elements.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { elements[$0] }
    }

    /// Returns the elements grouped into sections, and sorted in each; elements that tie keep their
    /// order.
    ///
    /// - Parameter string: Returns the string to sort an element by; elements without one come last
    ///   in the last section.
    /// - Returns: The sections that have elements, in order, with their indices in
    ///   ``sectionTitles``.
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

    /// Returns a string's position in the order, and the index of its section.
    func position(of string: String) -> (key: CollationKey, section: Int) {
        let key = collator.key(for: string)
        let last = sectionTitles.count - 1
        guard let script = Script(startOf: string), let list = boundaries[script] else {
            return (key, last)
        }
        let next = list.partitionPoint { key.isAtOrAfter(letter: $0.key) }
        // A string before the first letter of its script (a lone hamza) goes with that letter.
        return (key, list[max(next - 1, 0)].section)
    }
}
