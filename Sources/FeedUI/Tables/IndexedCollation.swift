public import FeedCollation
import Foundation

/// UIKit's names for the members of a collation.
extension IndexedCollation {
    /// The collation of the user's language; English where that has no index. `nil` where nothing
    /// can be sorted by locales.
    public static var current: IndexedCollation? {
        IndexedCollation(locale: Locale.current.identifier) ?? IndexedCollation(locale: "en")
    }

    /// The elements in the locale's order; those that tie keep the order they have.
    public func sortedArray<Element>(
        from array: [Element],
        collationString: (Element) -> String
    ) -> [Element] {
        sorted(array, by: collationString)
    }

    /// The section that a title of the index leads to.
    public func section(forSectionIndexTitle index: Int) -> Int {
        min(max(index, 0), sectionTitles.count - 1)
    }
}
